find_package(nlohmann_json REQUIRED)
target_link_libraries(${target} PRIVATE
  test_support PkgConfig::CPP_HTTPLIB nlohmann_json::nlohmann_json)
