// One world from its beginning to its end: a runtime, a session, its CLI, and users who call
// anything at any time, from threads of their own and from callbacks.
#pragma once

#include <claude/query.h>
#include <claude/runtime.h>
#include <claude/session.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli.h"
#include "laws.h"

namespace claude::simulation {

// The whole ladder of an ending, and a little.
inline constexpr Duration kLadder = std::chrono::seconds(13);

// Of the operations that have one in the options.
inline constexpr std::chrono::milliseconds kNamedTimeout{2'000};
// For what is waited for so long and no longer.
inline constexpr std::chrono::milliseconds kLimits[] = {
    std::chrono::milliseconds(0), std::chrono::milliseconds(1), std::chrono::milliseconds(100),
    std::chrono::milliseconds(3'000)};

class Scene {
 public:
  explicit Scene(World& world);

  void play();
  void check_end();

 private:
  // ---- The session and its callbacks, in scene.cpp ----
  Options options();
  void add_callbacks(Options& options);
  void start(Options options);
  Result<Session> begin(Options options);
  template <class F>
  auto waiting(const std::string& what, std::function<bool()> due, F wait);
  template <class F>
  void in_callback(F user_code);
  // For a callback to own.
  std::shared_ptr<void> belonging() const;
  // What a callback does before it answers; it may throw.
  void dawdle(AskRecord& ask, const CancelToken& cancel);
  void keep_or_answer(AskRecord& ask, std::function<void(bool allow)> answer);
  bool is_over() const { return laws_->ended || laws_->is_dead(); }

  // ---- What users do, in users.cpp ----
  void use();  // one user's life
  void act();
  void send();
  void take_all(Turn& turn, TurnRecord& record);
  void take_together(const std::shared_ptr<Turn>& turn, TurnRecord& record);
  void take_later(const std::shared_ptr<Turn>& turn, TurnRecord& record);
  void call_at_end(Turn& turn, TurnRecord& record);
  void call_for_each(Turn& turn, TurnRecord& record);
  void ask_result(Turn& turn, TurnRecord& record);
  void read_messages();
  void collect_messages();
  void drop(std::shared_ptr<Turn> turn, TurnRecord& record, bool collects);
  // By their prompts: the last number that a reader of messages() had.
  using LastNumbers = std::map<std::string, std::size_t>;
  void got_stray(LastNumbers& last, const Message& message);
  void read_events();
  void subscribe();
  void close();

  // ---- What they call, in operations.cpp ----
  void call();
  void interrupt(CallRecord& record);
  template <class T>
  void see_to(Call<T> call, CallRecord& record, std::function<bool(const T&)> is_its_own);
  void take_query();
  void check_result_of_query(const Result<TurnResult>& result, std::size_t last);

  World& world_;
  std::shared_ptr<Laws> laws_;
  Character character_;
  std::unique_ptr<Cli> cli_;
  std::shared_ptr<Runtime> runtime_;
  std::optional<Session> session_;
  std::optional<Query> query_;  // behind it, in some worlds
  std::vector<std::shared_ptr<Turn>> kept_turns_;
  std::vector<std::function<void()>> kept_replies_;
  std::string told_stderr_;
  std::optional<Laws::Debt> stderr_debt_;
  bool finishing_ = false;  // nobody begins anything any more
  int users_at_work_ = 0;
  int other_readers_ = 0;  // of messages()
  int operations_left_;
  int calls_ = 0;
};

template <class F>
auto Scene::waiting(const std::string& what, std::function<bool()> due, F wait) {
  auto debt = laws_->waits(what, std::move(due));
  auto result = wait();
  laws_->paid(debt);
  return result;
}

template <class F>
void Scene::in_callback(F user_code) {
  laws_->user_code_begins();
  world_.event("a callback");
  Laws::Callback at_work(*laws_);
  user_code();
}

}  // namespace claude::simulation
