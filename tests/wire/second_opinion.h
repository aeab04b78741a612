// A line, read by us and by nlohmann-json: for tests and for the fuzzer.
#pragma once

#include <string>

namespace claude::test {

// About what the two disagree; empty: about nothing.
std::string disagreement(const std::string& line);

}  // namespace claude::test
