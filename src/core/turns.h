// Which message belongs to which prompt.
//
// Each prompt carries a uuid of ours, and the CLI says which prompt it works on: by
// command_lifecycle, and by the uuids in its first answer and in its result. An older CLI (seen:
// 2.1.197) says nothing: then prompts are answered in the order in which they were sent. A prompt
// sent during a turn may be folded into it: it "starts" while the turn goes on, and one result
// then ends both. A turn that nobody prompted (a background task has news) belongs to none.
// Where the CLI has its one prompt from its command line, no name is ours and all is its answer.
#pragma once

#include <claude/message.h>

#include "core/events.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace claude::core {

// Whether it says for which prompts it is. Nobody has an empty uuid.
bool names_prompts(const ResultMessage& result);
// Whether it is of a turn that somebody prompted, and not, say, of one that brings news.
bool is_prompted(const ResultMessage& result);

class Turns {
 public:
  TurnId open(std::string uuid);
  // Of the prompt on the CLI's command line, in place of any other.
  TurnId open_told();

  // The turn that this message belongs to; 0 for none.
  [[gnu::hot]] TurnId turn_of(const Message& message);

  // The turns that this result ends, the one it was made for first.
  std::vector<TurnId> take_ended(const ResultMessage& result);
  // The CLI dropped a prompt from its queue. One that has started ends with a result instead.
  std::optional<TurnId> take_cancelled(const CommandLifecycle& lifecycle);
  // Those that the CLI is at: a result came that nobody could read.
  std::vector<TurnId> take_unanswered();
  std::optional<TurnId> take_any();

  bool empty() const { return open_.empty(); }

 private:
  struct Open {
    TurnId turn;
    std::string uuid;
    bool started = false;
  };
  Open* find(std::string_view uuid);
  [[gnu::hot]] std::optional<TurnId> named_by(const Message& message);
  TurnId follow(const CommandLifecycle& lifecycle);
  void close(TurnId turn);

  std::deque<Open> open_;
  TurnId last_ = 0;
  TurnId active_ = 0;  // what the CLI works on
  bool cli_names_prompts_ = false;
  bool told_ = false;  // the prompt is on the command line
};

}  // namespace claude::core
