# The library. Each room of src/ is a folder; tests/rooms_test.cpp holds what each may use.
find_package(Threads REQUIRED)
find_package(simdjson REQUIRED)

file(GLOB claude_agent_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*.cpp)
add_library(claude_agent ${claude_agent_sources})
add_library(claude::agent ALIAS claude_agent)
set_target_properties(claude_agent PROPERTIES
  OUTPUT_NAME claude-agent EXPORT_NAME agent
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(claude_agent PUBLIC cxx_std_23)
target_include_directories(claude_agent
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
  PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(claude_agent PRIVATE CLAUDE_AGENT_VERSION="${PROJECT_VERSION}")
target_link_libraries(claude_agent
  PRIVATE $<BUILD_INTERFACE:claude_agent_flags> simdjson::simdjson Threads::Threads)
