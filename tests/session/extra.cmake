target_link_libraries(${target} PRIVATE test_support)
target_compile_definitions(${target} PRIVATE CLAUDE_SIM="$<TARGET_FILE:claude-sim>")
target_compile_definitions(${target} PRIVATE IO_PROBE="$<TARGET_FILE:io_probe>")
add_dependencies(${target} claude-sim io_probe)
