// What a session holds of the limit of open files, and what errors say of that.
#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "io/fd.h"
#include "session/fixture.h"

namespace claude::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all))) - 1;  // that of the folder
}

class Descriptors : public SimTest {
 protected:
  static std::string advice() { return io::refused_by_system("opening", EMFILE).advice; }
  // Who waits often has a timer of his own for it.
  static void wait_often(Session& session) {
    Stream<Message> none = session.messages();
    for (int times = 0; times < 100; ++times) EXPECT_FALSE(none.next(1ms));
  }
};

TEST_F(Descriptors, OfASessionAreAsManyAsTheAdviceSays) {
  const Session first = start();
  std::size_t most = 0;  // what others give back meanwhile makes it seem less
  for (int times = 0; times < 5; ++times) {
    const std::size_t before = open_descriptors();
    Session another = start();
    wait_often(another);
    most = std::max(most, open_descriptors() - std::min(before, open_descriptors()));
  }
  EXPECT_THAT(advice(), HasSubstr("A session holds " + std::to_string(most)));
}

}  // namespace
}  // namespace claude::test
