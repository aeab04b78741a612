// A host that goes on working when main() is over: in the destructors of a static object, which is
// older than all that the library keeps, and of a thread_local one. Says of each thing how it went.
#include <claude/claude.h>

#include <cstdio>
#include <optional>
#include <thread>

namespace {

void tell(const char* what, bool well) {
  std::printf("%s: %s\n", what, well ? "well" : "badly");
  std::fflush(stdout);
}

void use_values() {
  tell("a missing member", claude::Json::object()["missing"].is_null());
  tell("a text that is read", claude::Json::parse("[1, 2]").has_value());
}

struct Talk {
  std::optional<claude::Session> session;

  void begin() { session = claude::Session::start({}).value(); }
  void go_on() {
    tell("an operation", session->set_model("opus").get().has_value());
    tell("a turn", session->send("Hello").result().has_value());
  }
};

struct OfProcess : Talk {
  ~OfProcess() {
    use_values();
    go_on();
    session.reset();
    tell("a session of its own", claude::query("Hello").result().has_value());
  }
};

struct OfThread : Talk {
  ~OfThread() {
    use_values();
    go_on();
  }
};

OfProcess of_process;
thread_local OfThread of_thread;

}  // namespace

int main() {
  std::thread([] { of_thread.begin(); }).join();
  use_values();
  of_process.begin();
  of_process.go_on();
}
