// The wall clock jumps while sessions run: an hour back or ahead, each time anybody looks at it.
#include <ctime>

#include "faults/wall_clock.h"
#include "session/fixture.h"

namespace claude::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::system_clock;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ClockJumps : public SimTest {
 protected:
  // A tool call whose hook takes its time; what the hook says is what the model reads.
  void play_a_tool_call() {
    play_turn(R"([{"tool": "Bash", "input": {"command": "make"}, "output": "made"},
                  {"text": "Done."}])");
    options.allowed_tools = {"Bash"};
  }
};

TEST_F(ClockJumps, TheTestsHaveTheWallClockInTheirHands) {
  MadClock clock(-1h);
  const system_clock::time_point earlier = system_clock::now();
  EXPECT_LT(system_clock::now(), earlier);
  const std::time_t late = std::time(nullptr);
  EXPECT_LT(std::time(nullptr), late);
}

// F31
TEST_F(ClockJumps, AClockThatRunsBackHoldsNoDeadlineUp) {
  play(R"({"faults": {"answers": {"set_model": {"times": 0}}, "ignore": ["eof", "sigterm"]}})");
  options.timeouts = {.set_model = 20ms, .exit_grace = 20ms, .terminate_grace = 20ms};
  MadClock clock(-1h);
  Session session = start();

  EXPECT_EQ(session.set_model("opus").get().error().code, Errc::timeout);
  EXPECT_FALSE(session.messages().next(20ms)) << "nothing has come in that time";
  EXPECT_EQ(session.close(), EndStage::killed);
}

// F31
TEST_F(ClockJumps, AClockThatRunsBackHoldsNoFailedStartUp) {
  play(R"({"faults": {"answers": {"initialize": {"times": 0}}}})");
  options.timeouts = {.initialize = 50ms, .exit_grace = 20ms, .terminate_grace = 20ms};
  MadClock clock(-1h);
  EXPECT_EQ(start_error().code, Errc::init_timeout);
}

// F31
TEST_F(ClockJumps, AClockThatRunsBackHoldsNoHookUp) {
  play_a_tool_call();
  Gate never_in_time;
  options.timeouts.hook = 20ms;
  options.hooks.pre_tool_use([never_in_time](const PreToolUse&) mutable {
    never_in_time.wait();
    return proceed();
  });
  MadClock clock(-1h);
  Session session = start();
  EXPECT_EQ(said(session.send("go")), "Done.");
  never_in_time.open();
}

// F31
TEST_F(ClockJumps, AClockThatRunsAheadCutsNothingShort) {
  play_a_tool_call();
  std::optional<Session> session;
  options.hooks.pre_tool_use([&](const PreToolUse&) -> Verdict<PreToolUse> {
    // While this hook is open the session works on: a deadline that has passed would be noticed.
    EXPECT_TRUE(session->set_model("opus").get());
    return deny("not today");
  });
  MadClock clock(+1h);
  session = start();
  EXPECT_THAT(watch(session->send("go")).tool_results(), ElementsAre(HasSubstr("not today")));
  EXPECT_EQ(session->close(), EndStage::input_closed);
}

}  // namespace
}  // namespace claude::test
