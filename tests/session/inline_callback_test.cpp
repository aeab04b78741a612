// Callbacks on the thread that reads: what they wait for, and who waits for them.
#include <future>
#include <map>
#include <thread>

#include "session/own_transport.h"

namespace claude::test {
namespace {

// A CLI that asks for a permission when it hears of an operation, and lets `on_request` answer.
class AskingTransport : public OwnTransport {
 protected:
  void when_asked(const std::string& operation, std::function<void(const WireJson&)> then) {
    scripted[operation] = std::move(then);
  }
  void ask_permission(const std::string& id) {
    cli.ask(id, {{"subtype", "can_use_tool"},
                 {"tool_name", "Bash"},
                 {"input", WireJson::object()},
                 {"tool_use_id", id}});
  }
  void begin() {
    session = start();
    cli.on_write = [this](const WireJson& line) {
      std::string heard = line["type"] == "control_request"    ? line["request"]["subtype"]
                          : line["type"] == "control_response" ? line["response"]["request_id"]
                                                               : line["type"];
      if (scripted.contains(heard)) scripted[heard](line);
    };
  }

  std::map<std::string, std::function<void(const WireJson&)>> scripted;
  std::optional<Session> session;
};

// F14
TEST_F(AskingTransport, ACallbackMayReadWhatItsOwnThreadWaitsFor) {
  options.runtime = std::make_shared<Runtime>(RuntimeOptions{.pool_threads = 0});
  std::promise<bool> inner;
  options.can_use_tool = [&](const ToolRequest&) -> Permission {
    inner.set_value(session->call("inner").get().has_value());
    return allow();
  };
  WireJson outer;
  when_asked("outer", [&](const WireJson& line) {
    outer = line;
    ask_permission("p1");
  });
  when_asked("inner", [&](const WireJson& line) {
    cli.answer(outer, {{"number", 1}});
    cli.answer(line, {{"number", 2}});
  });
  begin();
  EXPECT_TRUE(session->call("outer").get());
  // On whichever thread it runs, it may be the last to know.
  EXPECT_TRUE(inner.get_future().get());
}

// F14
TEST_F(AskingTransport, WhatWasReadBeforeAnInlineCallbackDoesNotWaitForIt) {
  options.permission_inline = true;
  std::optional<Turn> turn;
  std::promise<void> taken;
  std::future<void> was_taken = taken.get_future();
  std::thread taker;
  std::thread::id reader;
  options.can_use_tool = [&](const ToolRequest& request) -> Permission {
    if (request.tool_use_id == "first") {
      reader = std::this_thread::get_id();
      taker = std::thread([&] {
        turn->next();
        taken.set_value();
      });
      // While this thread reads, the other one goes to sleep.
      for (int i = 0; i < 50; ++i) EXPECT_TRUE(session->call("tick").get());
    } else if (std::this_thread::get_id() == reader) {
      was_taken.wait();
    }
    return allow();
  };
  WireJson outer;
  when_asked("tick", [&](const WireJson& line) { cli.answer(line, WireJson::object()); });
  when_asked("outer", [&](const WireJson& line) {
    outer = line;
    ask_permission("first");
  });
  when_asked("first", [&](const WireJson&) {
    cli.inject_line(assistant("for the other one"));
    ask_permission("second");
  });
  when_asked("second", [&](const WireJson&) { cli.answer(outer, WireJson::object()); });
  begin();
  turn = session->send("a prompt");
  EXPECT_TRUE(session->call("outer").get());
  taker.join();
}

}  // namespace
}  // namespace claude::test
