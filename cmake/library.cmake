# The library. Each room of src/ is a folder; tests/rooms_test.cpp holds what each may use.
find_package(Threads REQUIRED)
find_package(simdjson REQUIRED)

file(GLOB claude_agent_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*.cpp)
add_library(claude_agent ${claude_agent_sources})
add_library(claude::agent ALIAS claude_agent)
foreach(source ${claude_agent_sources})  # one object a room, unless CMAKE_UNITY_BUILD is off
  cmake_path(GET source PARENT_PATH room)
  cmake_path(GET room FILENAME room)
  set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
endforeach()
# tests/simulation has another of these.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/io/poller.cpp PROPERTIES UNITY_GROUP poller)
set_target_properties(claude_agent PROPERTIES
  OUTPUT_NAME claude-agent EXPORT_NAME agent UNITY_BUILD_MODE GROUP
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(claude_agent PUBLIC cxx_std_23)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # How much inlining may add to a source. A room is a large one: a hook costs 4 % more without,
  # and nothing less with more.
  target_compile_options(claude_agent PRIVATE --param=inline-unit-growth=75)
endif()
target_include_directories(claude_agent
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
  PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(claude_agent PRIVATE CLAUDE_AGENT_VERSION="${PROJECT_VERSION}")
target_link_libraries(claude_agent
  PRIVATE $<BUILD_INTERFACE:claude_agent_flags> simdjson::simdjson Threads::Threads)
