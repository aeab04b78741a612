// For calls of user code that only watches (log, observer, stderr): what it throws changes nothing.
#pragma once

namespace claude {

template <class F>
void quietly(F&& watching) {
#if defined(__cpp_exceptions)
  try {
    watching();
  } catch (...) {
  }
#else
  watching();
#endif
}

}  // namespace claude
