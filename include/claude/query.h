// One question, all its messages.
//
//   for (const claude::Message& m : claude::query("What is 2 + 2?"))
//     if (auto* a = std::get_if<claude::AssistantMessage>(&m)) std::cout << a->text();
//
// Hooks, permissions and MCP servers work as in a session. The CLI's input stays open until the
// result has come and no background task lives, or the Query is destroyed; never a timer.
#pragma once

#include <claude/session.h>

namespace claude {

class Query {
 public:
  Query(Query&&) noexcept;
  Query& operator=(Query&&) noexcept;
  ~Query();

  std::optional<Message> next();
  void next_into(std::optional<Message>& message) { message = next(); }
  // Waits for the end. The error that ended the messages early, if one did.
  Result<TurnResult> result();
  // The session behind it, for interrupt() and the like; nothing if it could not start.
  Session* session();

  ArrivalIterator<Query, Message> begin() { return ArrivalIterator<Query, Message>(*this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  friend Query query(Prompt prompt, Options options);
  struct State;
  explicit Query(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Starts at once; an error of the start is in result().
Query query(Prompt prompt, Options options = {});

}  // namespace claude
