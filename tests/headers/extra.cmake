# Every public header is compiled alone, as the first thing a program includes: once as usual and
# once without exceptions and RTTI. It gets no include path but include/, so that no header can
# lean on src/ or on a library of ours. The sanitizers would add nothing here.
if(NOT CLAUDE_AGENT_SANITIZE)
  add_library(headers_alone OBJECT)
  add_library(headers_bare OBJECT)
  target_compile_options(headers_bare PRIVATE -fno-exceptions -fno-rtti)

  file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/include/claude/*.h)
  list(FILTER headers EXCLUDE REGEX /adapt/)  # these include the library they adapt to
  foreach(header ${headers})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include <${header}>\n#include <${header}>\n")
    target_sources(headers_alone PRIVATE ${source})
    target_sources(headers_bare PRIVATE ${source})
  endforeach()

  foreach(library headers_alone headers_bare)
    target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(${library} PRIVATE claude_agent_flags)
    target_compile_options(${library} PRIVATE -O0 -g0)  # nobody runs them
  endforeach()
  add_dependencies(${target} headers_alone headers_bare)
endif()
