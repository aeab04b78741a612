# allocations.cpp counts what malloc gives.
target_link_options(core_tests PRIVATE LINKER:--wrap=malloc)
