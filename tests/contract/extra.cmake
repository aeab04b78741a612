# The simulated CLI is here twice: as a program, and on a thread of the tests.
target_link_libraries(${target} PRIVATE test_support claude_sim_engine claude_sim_document)
target_compile_definitions(${target} PRIVATE CLAUDE_SIM="$<TARGET_FILE:claude-sim>")
add_dependencies(${target} claude-sim)
