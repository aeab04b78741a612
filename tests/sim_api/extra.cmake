target_link_libraries(${target} PRIVATE test_support PkgConfig::CPP_HTTPLIB)
