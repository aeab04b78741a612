find_package(nlohmann_json REQUIRED)
target_compile_definitions(${target} PRIVATE CLAUDE_SIM="$<TARGET_FILE:claude-sim>")
target_link_libraries(${target} PRIVATE test_support nlohmann_json::nlohmann_json)
add_dependencies(${target} claude-sim)
