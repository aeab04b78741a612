# The C++ snippets of the pages are compiled.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_library(snippets OBJECT)
foreach(page README.md docs/guide.md docs/testing.md)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/snippets/${page}.cpp)
  cmake_path(GET source PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${source}
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/docs/snippets.py
      ${PROJECT_SOURCE_DIR}/${page} ${source}
    DEPENDS ${PROJECT_SOURCE_DIR}/${page} ${CMAKE_CURRENT_SOURCE_DIR}/docs/snippets.py)
  target_sources(snippets PRIVATE ${source})
endforeach()
target_link_libraries(snippets PRIVATE test_flags)
target_compile_options(snippets PRIVATE -Wno-unused)
set_target_properties(snippets PROPERTIES UNITY_BUILD OFF)  # each page counts its snippets from 1
add_dependencies(${target} snippets)

# What ./check takes for shown, and what it misses.
add_test(NAME docs.requirements
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/docs/requirements_test.py)
