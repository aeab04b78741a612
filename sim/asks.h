// Our requests to the SDK: hook callbacks, permissions, MCP messages, and what scenarios send.
//
// The first answer wins; a late, double or made-up one is ignored. After the end of stdin nobody
// can answer any more: every ask ends at once.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "json.h"
#include "loop.h"

namespace claude::sim {

struct Session;

struct Answer {
  bool success = false;
  bool closed = true;  // it cannot come any more: stdin ended, or an MCP server did
  Json payload;        // null when there was none
  std::string error;
};

struct Ask {
  enum class Kind { hook, permission, mcp, elicitation, other };
  std::string request_id;
  Kind kind = Kind::other;
  Json request;
  std::optional<Answer> answer;
  std::shared_ptr<Gate> gate;  // opens with the answer; several asks may share one
};
using AskPtr = std::shared_ptr<Ask>;

class Asks {
 public:
  explicit Asks(Session& session) : session_(session) {}

  AskPtr send(Ask::Kind kind, Json request, std::shared_ptr<Gate> gate = {},
              std::string request_id = {});
  // Tells the SDK that we do not want the answer any more.
  void withdraw(const AskPtr& ask);
  // Its answer no longer matters, and nobody is told.
  void forget(const AskPtr& ask);
  // Whoever waits for it goes on as if stdin had ended.
  void give_up(const AskPtr& ask) { finish(ask, Answer{}); }
  void take_response(const Json& line);
  void end_of_input();

  const std::vector<AskPtr>& open() const { return open_; }

 private:
  void finish(const AskPtr& ask, Answer answer);

  Session& session_;
  std::vector<AskPtr> open_;
  std::size_t sent_ = 0;
  bool ended_ = false;
};

}  // namespace claude::sim
