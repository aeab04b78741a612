// The agent as a program: release-notes VERSION
#include <iostream>

#include "release_notes.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "release-notes VERSION\n";
    return 2;
  }
  auto said = ReleaseNotes().write_for(argv[1]);
  std::cout << (said ? *said : said.error().to_string()) << '\n';
  return said ? 0 : 1;
}
