# What `cmake --install` puts where: the library, its headers, the programs, and the two ways in
# which other projects find them. Everything is relocatable: no absolute path is written.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/claude_agent)

install(TARGETS claude_agent EXPORT claude_agent_targets)
if(TARGET claude_sim)
  install(TARGETS claude_sim EXPORT claude_agent_targets)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/claude TYPE INCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE TYPE DOC)
install(EXPORT claude_agent_targets NAMESPACE claude:: DESTINATION ${package_dir})

foreach(program claude-sim claude-sim-api claude-agent)
  if(TARGET ${program})
    install(TARGETS ${program})
  endif()
endforeach()

# find_package(claude_agent)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/claude_agent-config.cmake.in
  ${PROJECT_BINARY_DIR}/claude_agent-config.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may break callers.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/claude_agent-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/claude_agent-config.cmake
  ${PROJECT_BINARY_DIR}/claude_agent-config-version.cmake
  DESTINATION ${package_dir})

# pkg-config claude-agent. A static library brings its own needs along, so that the user need not
# say `--static`; a shared one keeps them to itself.
get_target_property(library_type claude_agent TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(pc_requires "Requires: simdjson")
else()
  set(pc_requires "Requires.private: simdjson")
endif()
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE pc_includedir)
configure_file(${CMAKE_CURRENT_LIST_DIR}/claude-agent.pc.in
  ${PROJECT_BINARY_DIR}/claude-agent.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/claude-agent.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
