// Fresh names: random, made here and handed to the rooms below, which have no random source.
#pragma once

#include <string>

namespace claude {

std::string random_uuid();
// A few random hexadecimal digits.
std::string random_suffix();

}  // namespace claude
