// What a session holds of the limit of open files, and what errors say of that.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <list>

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

// Leaves this process so many descriptors and no more.
class FewDescriptors {
 public:
  explicit FewDescriptors(std::size_t free) {
    getrlimit(RLIMIT_NOFILE, &usual_);
    rlimit tight = usual_;
    tight.rlim_cur = 1000;
    setrlimit(RLIMIT_NOFILE, &tight);
    while (taken_.emplace_back(open("/dev/null", O_RDONLY | O_CLOEXEC))) {
    }
    for (std::size_t given = 0; given <= free; ++given) taken_.pop_back();  // the last is none
  }
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &usual_); }
  FewDescriptors(const FewDescriptors&) = delete;

 private:
  rlimit usual_ = {};
  std::list<io::Fd> taken_;
};

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
  Session first = start();
  const std::size_t before = open_descriptors();
  Session another = start();
  wait_often(another);
  EXPECT_THAT(advice(),
              HasSubstr("A session holds " + std::to_string(open_descriptors() - before)));
}

TEST_F(Descriptors, ForTheFirstStartAreAsManyAsTheAdviceSays) {
  options.runtime = nullptr;
  for (std::size_t free = 1;; ++free) {
    FewDescriptors left(free);
    if (Session::start(options)) {
      EXPECT_THAT(advice(), HasSubstr("takes " + std::to_string(free)));
      return;
    }
  }
}

}  // namespace
}  // namespace claude::test
