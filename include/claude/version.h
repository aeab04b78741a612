// The version of this library.
//
// The number stands once, in CMakeLists.txt; this, the CMake package and pkg-config all repeat it.
#pragma once

#include <string_view>

namespace claude {

// "0.1.0": what the library was built as, which may differ from the headers you compile with.
std::string_view version();

}  // namespace claude
