// A session over a transport of the user's own: one whose CLI is played by the test.
#pragma once

#include <unistd.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>

#include "session/fixture.h"
#include "session/memory_transport.h"
#include "session/thread_state.h"

namespace claude::test {

class OwnTransport : public SimTest {
 protected:
  OwnTransport() {
    options.transport = cli.factory();
    options.observer = nullptr;
  }
  // Also takes the line of initialize.
  Session start() {
    Session session = SimTest::start();
    EXPECT_EQ(cli.next()["request"]["subtype"], "initialize");
    return session;
  }
  // How closing ends when `happens` comes while it sleeps.
  template <class F>
  EndStage closed_while(Session& session, F happens) {
    std::atomic<pid_t> closer = 0;
    auto closed = std::async(std::launch::async, [&] {
      closer = gettid();
      return session.close();
    });
    while (!cli.input_closed()) std::this_thread::yield();
    wait_until_asleep(closer);
    happens();
    return closed.get();
  }
  static WireJson assistant(const std::string& text) {
    return {{"type", "assistant"},
            {"message", {{"role", "assistant"}, {"content", {{{"type", "text"}, {"text", text}}}}}},
            {"session_id", "s"},
            {"uuid", "u"}};
  }
  static WireJson result_for(const WireJson& prompt) {
    return {{"type", "result"}, {"subtype", "success"}, {"is_error", false},
            {"result", "done"}, {"num_turns", 1},       {"user_message_uuids", {prompt["uuid"]}},
            {"duration_ms", 1}, {"session_id", "s"}};
  }

  MemoryCli cli;  // outlives the sessions of the tests
};

}  // namespace claude::test
