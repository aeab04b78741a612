// For calls of user code: what it throws is caught here.
#pragma once

#include <exception>
#include <optional>
#include <string>

namespace claude {

// What it threw, in words.
template <class F>
std::optional<std::string> thrown_by(F&& user_code) {
#if defined(__cpp_exceptions)
  try {
    user_code();
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "something that is no std::exception";
  }
#else
  user_code();
#endif
  return std::nullopt;
}

// Of code that only watches (log, observer, stderr, cancel): what it throws changes nothing.
template <class F>
void quietly(F&& watching) {
  (void)thrown_by(watching);
}

}  // namespace claude
