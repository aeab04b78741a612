target_link_libraries(${target} PRIVATE claude::sim)
