target_link_libraries(${target} PRIVATE test_support)
