# Projects of other people, in small: each way of using the library is built and run for real.
# The sanitizers would have to be the consumer's too, so those builds leave this out.
target_compile_definitions(${target} PRIVATE PROJECT_VERSION="${PROJECT_VERSION}")

if(CLAUDE_AGENT_INSTALL AND NOT CLAUDE_AGENT_SANITIZE)
  foreach(way find_package add_subdirectory pkg_config tested_agent)
    add_test(NAME package.${way} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/package/run.sh
      ${way} ${PROJECT_BINARY_DIR} ${PROJECT_VERSION} ${CMAKE_CXX_COMPILER})
    set_tests_properties(package.${way} PROPERTIES TIMEOUT 900 COST 1000)
  endforeach()
endif()
