# The program that the tests start. Built without sanitizers: it reports its own descriptors,
# signals and environment, and a sanitizer's runtime would be seen in them.
add_executable(io_probe ${CMAKE_CURRENT_SOURCE_DIR}/io/children/probe.cpp)
target_compile_features(io_probe PRIVATE cxx_std_23)
add_dependencies(${target} io_probe)
target_compile_definitions(${target} PRIVATE IO_PROBE="$<TARGET_FILE:io_probe>")
target_link_libraries(${target} PRIVATE test_support)
# allocation_watch.cpp counts what these give.
target_link_options(${target} PRIVATE
  LINKER:--wrap=malloc LINKER:--wrap=calloc LINKER:--wrap=realloc LINKER:--wrap=strdup)
