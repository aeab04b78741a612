# Every public header is compiled alone, as the first thing a program includes, without exceptions
# and RTTI (all else here has them). It gets no include path but include/, so that no header can
# lean on src/ or on a library of ours. The sanitizers would add nothing here.
if(NOT CLAUDE_AGENT_SANITIZE)
  add_library(headers_alone OBJECT)
  file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/include/claude/*.h)
  list(FILTER headers EXCLUDE REGEX /adapt/)  # these include the library they adapt to
  foreach(header ${headers})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include <${header}>\n#include <${header}>\n")
    target_sources(headers_alone PRIVATE ${source})
  endforeach()
  target_include_directories(headers_alone PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(headers_alone PRIVATE claude_agent_flags)
  target_compile_options(headers_alone PRIVATE -fno-exceptions -fno-rtti
    -O0 -g0)  # nobody runs them
  set_target_properties(headers_alone PROPERTIES UNITY_BUILD OFF)
  add_dependencies(${target} headers_alone)
endif()
