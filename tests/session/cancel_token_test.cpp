// What a callback is given to learn that nobody waits for its answer: it belongs to one question.
#include <claude/cancel.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "session/own_transport.h"

namespace claude::test {
namespace {

class CancelTokens : public OwnTransport {
 protected:
  void ask(const std::string& id) {
    cli.ask(id, {{"subtype", "hook_callback"},
                 {"callback_id", "hook_0"},
                 {"input", {{"tool_name", "Bash"}, {"tool_input", {{"id", id}}}}}});
  }
};

TEST_F(CancelTokens, OneThatWasKeptKnowsNothingOfTheNextQuestion) {
  std::vector<CancelToken> kept;
  Gate withdrawn;
  options.hooks.pre_tool_use([&kept, withdrawn](const PreToolUse& call) mutable {
    kept.push_back(call.cancel);
    if (kept.size() == 1) return proceed();
    call.cancel.on_request([withdrawn]() mutable { withdrawn.open(); });
    withdrawn.wait();
    return proceed();
  });
  Session session = start();
  ask("first");
  EXPECT_EQ(cli.next()["response"]["request_id"], "first");
  ask("second");
  cli.inject_line({{"type", "control_cancel_request"}, {"request_id", "second"}});
  EXPECT_TRUE(withdrawn.wait());
  session.close();

  ASSERT_EQ(kept.size(), 2u);
  EXPECT_FALSE(kept[0].requested());
  EXPECT_TRUE(kept[1].requested());
}

// What it is about are views that the request keeps alive, so this is natural.
TEST_F(CancelTokens, AFunctionMayOwnTheRequestThatItIsFor) {
  Gate gone;
  options.hooks.pre_tool_use([gone](const PreToolUse& call) {
    std::shared_ptr<void> owned(nullptr, [gone](void*) mutable { gone.open(); });
    call.cancel.on_request([call, owned] {});
    return proceed();
  });
  Session session = start();
  ask("h1");
  EXPECT_EQ(cli.next()["response"]["request_id"], "h1");
  EXPECT_TRUE(gone.wait());
  session.close();
}

// It would never be called, and may own things.
TEST_F(CancelTokens, AFunctionThatComesAfterTheAnswerIsLetGoAtOnce) {
  auto owned = std::make_shared<int>();
  std::optional<long> users;
  Gate done;
  options.hooks.pre_tool_use([&, done](PreToolUse call, Reply<Verdict<PreToolUse>> reply) mutable {
    reply(proceed());
    call.cancel.on_request([owned] {});
    users = owned.use_count();
    done.open();
  });
  Session session = start();
  ask("h1");
  EXPECT_EQ(cli.next()["response"]["request_id"], "h1");
  EXPECT_TRUE(done.wait());
  EXPECT_EQ(users, 1);
  session.close();
}

TEST(Cancellation, WhatAFunctionThrowsGoesNowhere) {
  const CancelSource source;
  source.token().on_request([] { throw 1; });
  source.request();
  EXPECT_NO_THROW(source.token().on_request([] { throw 1; })) << "called at once";
}

}  // namespace
}  // namespace claude::test
