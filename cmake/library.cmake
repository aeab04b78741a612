# The library. Each room of src/ is a folder; tests/rooms/rooms_test.cpp holds what each may use.
find_package(Threads REQUIRED)
find_package(simdjson REQUIRED)

# What every source of it needs. Functions have sections of their own, and a program leaves out
# those that it never calls: 180 KB of code less in a small one.
add_library(claude_agent_sources INTERFACE)
target_include_directories(claude_agent_sources INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(claude_agent_sources INTERFACE
  CLAUDE_AGENT_VERSION="${PROJECT_VERSION}")
target_compile_options(claude_agent_sources INTERFACE -ffunction-sections -fdata-sections)
target_link_libraries(claude_agent_sources INTERFACE
  claude_agent_flags simdjson::simdjson Threads::Threads)

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*.cpp)
foreach(source ${sources})  # one object a room, unless CMAKE_UNITY_BUILD is off
  cmake_path(GET source PARENT_PATH room)
  cmake_path(GET room FILENAME room)
  set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
endforeach()
# tests/simulation has another of these.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/io/poller.cpp PROPERTIES UNITY_GROUP poller)

# Compiled in three ways. What runs once in a session, or seldom, is made small: code that was run
# stays in memory. What reads each message is inlined further than is usual: a hook costs 4 %
# more without, and nothing less with more. And what is not seldom calls the C library without a
# stub between: after a pause these are cold, and were a tenth of what a message costs then.
set(seldom ${sources})
list(FILTER seldom INCLUDE REGEX "/(base|io|launch)/|/core/engine_unread\\.cpp|/session/(\
child_transport|guarded_transport|ids|query|recorder|redact|runtime|start)\\.cpp|/wire/(\
decode_answers|hook_names|questions|skim|verdicts)\\.cpp")
list(FILTER seldom EXCLUDE REGEX "/io/poller\\.cpp")
list(REMOVE_ITEM sources ${seldom})
set(each_message ${sources})
list(FILTER each_message INCLUDE REGEX "/(core|json|wire)/")
list(REMOVE_ITEM sources ${each_message})
set(others ${sources})

function(claude_agent_part name)
  if(BUILD_SHARED_LIBS)
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  endif()
  add_library(claude_agent_${name} OBJECT ${${name}})
  target_link_libraries(claude_agent_${name} PRIVATE claude_agent_sources)
  target_compile_options(claude_agent_${name} PRIVATE ${ARGN})
  set_target_properties(claude_agent_${name} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()
# What comes after a pause finds the caches cold: calls without stubs and switches without tables
# have less to fetch.
set(little_to_fetch $<$<PLATFORM_ID:Linux>:-fno-plt> -fno-jump-tables)
claude_agent_part(each_message ${little_to_fetch}
  $<$<CXX_COMPILER_ID:GNU>:--param=inline-unit-growth=75>)
claude_agent_part(others ${little_to_fetch})
claude_agent_part(seldom $<$<NOT:$<CONFIG:Debug>>:-Os>)

# The small ones last: of a template that several of them have, linkers keep the first.
add_library(claude_agent
  $<TARGET_OBJECTS:claude_agent_each_message>
  $<TARGET_OBJECTS:claude_agent_others>
  $<TARGET_OBJECTS:claude_agent_seldom>)
add_library(claude::agent ALIAS claude_agent)
set_target_properties(claude_agent PROPERTIES
  OUTPUT_NAME claude-agent EXPORT_NAME agent LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(claude_agent PUBLIC cxx_std_23)
target_include_directories(claude_agent
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_link_libraries(claude_agent
  PRIVATE $<BUILD_INTERFACE:claude_agent_sources> simdjson::simdjson Threads::Threads)
if(CMAKE_SYSTEM_NAME STREQUAL Linux)
  target_link_options(claude_agent INTERFACE LINKER:--gc-sections)
endif()
