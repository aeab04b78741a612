target_link_libraries(${target} PRIVATE test_support)
target_compile_definitions(${target} PRIVATE CLAUDE_SIM="$<TARGET_FILE:claude-sim>")
add_dependencies(${target} claude-sim)
