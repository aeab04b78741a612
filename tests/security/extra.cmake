# The fixtures are those of the session's own tests.
target_sources(${target} PRIVATE session/fixture.cpp session/watch.cpp)
target_link_libraries(${target} PRIVATE test_support claude::sim)
target_compile_definitions(${target} PRIVATE CLAUDE_SIM="$<TARGET_FILE:claude-sim>")
add_dependencies(${target} claude-sim)
