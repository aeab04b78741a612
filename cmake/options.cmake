# What is built. A project that adds us as a subdirectory gets the library and nothing else.
option(CLAUDE_AGENT_SIM "Build claude-sim, the simulated CLI" ${PROJECT_IS_TOP_LEVEL})
set(CLAUDE_AGENT_SIM_PROGRAM "" CACHE FILEPATH "A claude-sim to test with instead of building one")
option(CLAUDE_AGENT_EXAMPLES "Build the examples and the demo" ${PROJECT_IS_TOP_LEVEL})
option(CLAUDE_AGENT_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(CLAUDE_AGENT_BENCH "Build the benchmarks" OFF)
option(CLAUDE_AGENT_FUZZ "Build the fuzzers (clang only)" OFF)
option(CLAUDE_AGENT_INSTALL "Create the install rules" ${PROJECT_IS_TOP_LEVEL})
set(CLAUDE_AGENT_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them: address,undefined")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Several sources at a time share what they include: a whole build takes a quarter of the time. Who
# changes one source again and again is better off with OFF.
if(NOT DEFINED CMAKE_UNITY_BUILD)
  set(CMAKE_UNITY_BUILD ON)
endif()

# Our own targets: C++23, all warnings, and warnings are errors when this is the project built.
add_library(claude_agent_flags INTERFACE)
target_compile_features(claude_agent_flags INTERFACE cxx_std_23)
target_compile_options(claude_agent_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow
  $<$<BOOL:${PROJECT_IS_TOP_LEVEL}>:-Werror>)
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # What is private to an included source seems to g++ to be shown to all.
  target_compile_options(claude_agent_flags INTERFACE -Wno-subobject-linkage)
endif()
if(CLAUDE_AGENT_SANITIZE)
  # With them, g++ finds values of its own std::regex to be uninitialized.
  target_compile_options(claude_agent_flags INTERFACE
    -fsanitize=${CLAUDE_AGENT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(claude_agent_flags INTERFACE -fsanitize=${CLAUDE_AGENT_SANITIZE})
endif()
