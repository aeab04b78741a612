// Requests of the CLI that wait for our answer: hooks, permissions, MCP messages.
//
// Law: an ask leaves this table exactly once: answered, answered for (its time was over), or
// withdrawn. So a late, a double and a cancelled answer find nothing here and are never written.
#pragma once

#include "core/events.h"

#include <map>
#include <string>
#include <string_view>

namespace claude::core {

struct Ask {
  enum class Kind : std::uint8_t { hook, permission, mcp };
  Kind kind = Kind::hook;
  std::string name;        // of the callback, the tool or the server, for people
  wire::RequestId id;
  std::string if_failed;   // the payload that answers for a callback that does not
  TimePoint opened;
  TimePoint deadline = TimePoint::max();
  Keep keep;   // of the line that `id` points into
};

class Asks {
 public:
  explicit Asks(std::size_t limit) : limit_(limit) {}

  bool is_full() const { return open_.size() >= limit_; }
  // Nothing when an ask with this id is open already.
  std::optional<AskId> open(Ask ask);

  std::optional<Ask> take(AskId ask);
  std::optional<std::pair<AskId, Ask>> take(std::string_view request_id);
  std::optional<std::pair<AskId, Ask>> take_overdue(TimePoint now);
  std::optional<std::pair<AskId, Ask>> take_any();

  TimePoint next_deadline() const;
  std::size_t size() const { return open_.size(); }

 private:
  std::size_t limit_;
  AskId last_ = 0;
  std::map<AskId, Ask> open_;
};

}  // namespace claude::core
