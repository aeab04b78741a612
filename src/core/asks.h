// Requests of the CLI that wait for our answer: hooks, permissions, MCP messages.
//
// Law: an ask leaves this table exactly once: answered, answered for (its time was over), or
// withdrawn. So a late, a double and a cancelled answer find nothing here and are never written.
#pragma once

#include "base/hot.h"
#include "base/id_table.h"
#include "core/events.h"

#include <string>
#include <utility>

namespace claude::core {

struct Ask {
  enum class Kind : std::uint8_t { hook, permission, mcp };
  Kind kind = Kind::hook;
  std::string_view of = {};  // the callback, the tool or the server
  wire::RequestId id;
  std::size_t hook = 0;  // of a hook callback: which registration
  RawJson message = {};  // to an MCP server: what it was asked
  TimePoint opened = {};
  TimePoint deadline = TimePoint::max();
  Keep keep = {};  // of the line that `of`, `id` and `message` point into
  std::size_t line_bytes = 0;
};

class Asks {
 public:
  using Taken = std::optional<std::pair<AskId, Ask>>;

  Asks(std::size_t limit, std::size_t max_bytes) : limit_(limit), max_bytes_(max_bytes) {}

  CLAUDE_EACH_ASK bool has_room_for(const Ask& ask) const;
  bool has(const wire::RequestId& id) const;
  CLAUDE_EACH_ASK AskId open(Ask&& ask);  // one that is not open yet, and for which there is room
  // Whether it was open. `answer` is told what it was.
  template <class Answer>
  bool close(AskId id, Answer answer) {
    const Ask* ask = open_.find(id);
    if (ask == nullptr) return false;
    answer(*ask);
    open_.remove(id);
    return true;
  }

  Taken take(const wire::RequestId& id);
  Taken take_overdue(TimePoint now);
  Taken take_any();

  TimePoint next_deadline() const;
  std::size_t size() const { return open_.size(); }

 private:
  template <class Matches>
  Taken take_if(Matches matches);

  std::size_t limit_;
  std::size_t max_bytes_;  // of their lines
  AskId last_ = 0;
  base::IdTable<Ask> open_;
};

}  // namespace claude::core
