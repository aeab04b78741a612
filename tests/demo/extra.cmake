target_link_libraries(${target} PRIVATE test_support)
target_compile_definitions(${target} PRIVATE
  DEMO="$<TARGET_FILE:demo>" CLAUDE_SIM="$<TARGET_FILE:claude-sim>")
add_dependencies(${target} demo claude-sim)
