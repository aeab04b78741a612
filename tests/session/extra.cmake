target_link_libraries(${target} PRIVATE test_support)
target_compile_definitions(${target} PRIVATE CLAUDE_SIM="$<TARGET_FILE:claude-sim>")
target_compile_definitions(${target} PRIVATE IO_PROBE="$<TARGET_FILE:io_probe>")
add_dependencies(${target} claude-sim io_probe)
# A host that works on while it exits.
add_executable(at_exit ${CMAKE_CURRENT_SOURCE_DIR}/session/children/at_exit.cpp)
target_link_libraries(at_exit PRIVATE test_flags)
target_compile_definitions(${target} PRIVATE AT_EXIT="$<TARGET_FILE:at_exit>")
add_dependencies(${target} at_exit)
