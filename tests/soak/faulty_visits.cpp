// The visits in which the CLI fails, or the host does.
#include "soak/visits.h"

#include <future>

namespace claude::soak {
namespace {

using namespace std::chrono_literals;

// The CLI ends in the midst of the turn.
void lose_the_cli(Options options) {
  Session session = must(Session::start(std::move(options)), "start");
  must_fail(session.send("Hello").result(), Errc::exited, "the turn");
}

void read_garbage(Options options) {
  Session session = must(Session::start(std::move(options)), "start");
  must(said(session.send("Hello"), "Hi."), "what follows the garbage arrives");
  must(session.counts().bad_lines == 2, "two lines were no JSON");
}

void use_force(Options options) {
  options.timeouts.exit_grace = 10ms;
  options.timeouts.terminate_grace = 10ms;
  Session session = must(Session::start(std::move(options)), "start");
  must(said(session.send("Hello"), "You said: Hello"), "the turn works");
  must(session.close() == EndStage::killed, "the CLI had to be killed");
}

void wait_for_initialize(Options options) {
  options.timeouts.initialize = 50ms;
  options.timeouts.exit_grace = 10ms;
  must_fail(Session::start(std::move(options)), Errc::init_timeout, "start");
}

void start_what_exits(Options options) {
  must_fail(Session::start(std::move(options)), Errc::exited_during_init, "start");
}

void drop_mid_turn(Options options) {
  Session session = must(Session::start(std::move(options)), "start");
  Turn turn = session.send("Hello");
  must(turn.next().has_value(), "the turn begins");
}

// The session goes while the CLI waits for a permission; the answer comes when nobody wants it.
void answer_too_late(Options options) {
  auto asked = std::make_shared<std::promise<Reply<Permission>>>();
  std::future<Reply<Permission>> reply = asked->get_future();
  options.can_use_tool_later = [asked](const ToolRequest&, Reply<Permission> later) {
    asked->set_value(std::move(later));
  };
  {
    Session session = must(Session::start(std::move(options)), "start");
    session.send("Hello");
    reply.wait();
  }
  reply.get()(allow());
}

constexpr Visit kVisits[] = {
    {"dies", R"({"turns": [{"model": [{"text": "I"}, {"kill": "KILL"}]}]})", lose_the_cli},
    {"cuts a line", R"({"turns": [{"raw": [{"emit_text": "{\"type\":\"assis"}, {"exit": 3}]}]})",
     lose_the_cli},
    {"garbage", R"({"turns": [{"model": [{"emit_text": "no JSON\n"}, {"emit_hex": "fffe00220a"},
                                         {"text": "Hi."}]}]})",
     read_garbage},
    {"ignores the end", R"({"faults": {"ignore": ["eof", "sigterm"]}})", use_force},
    {"never ready", R"({"faults": {"answers": {"initialize": {"times": 0}}}})",
     wait_for_initialize},
    {"exits at once", R"({"startup": [{"stderr": "no\n"}, {"exit": 3}]})", start_what_exits},
    {"dropped", R"({"turns": [{"model": [{"text": "I"}, {"hang": true}]}]})", drop_mid_turn},
    {"late answer",
     R"({"turns": [{"model": [{"tool": "Bash", "input": {"command": "make"}, "output": "made"}]}]})",
     answer_too_late},
};

}  // namespace

std::span<const Visit> faulty_visits() {
  return kVisits;
}

}  // namespace claude::soak
