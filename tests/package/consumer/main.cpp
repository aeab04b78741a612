// Somebody else's program: it knows only the installed headers and the library.
// Prints the version, so that the script can compare it with the package's.
#include <claude/json.h>
#include <claude/version.h>

#include <iostream>

int main() {
  const claude::Result<claude::Json> list = claude::Json::parse("[1, 2]");
  if (!list || list->size() != 2) return 1;
  std::cout << claude::version() << '\n';
}
