// The answer to one control request of the SDK. A scenario may bend it: none, late, twice, another.
#pragma once

#include <string>

#include "json.h"
#include "session.h"

namespace claude::sim {

class Reply {
 public:
  // `line` is the whole request.
  Reply(Session& session, const Json& line);

  const Json& id() const { return id_; }

  void ack() { answer(Json()); }
  void success(Json payload) { answer(std::move(payload)); }
  void error(const std::string& text, const char* code = nullptr,
             const Json& extra = Json::object());
  // Beside the payload, as initialize has it.
  void also(const char* key, Json value) { beside_[key] = std::move(value); }

 private:
  Json envelope(const char* subtype) const;
  void answer(Json payload);
  void deliver(Json response);

  Session& session_;
  Json id_;  // any JSON; absent in the answer when it was absent in the request
  bool has_id_;
  Json fault_;
  Json beside_ = Json::object();
};

using Handler = void (*)(Session&, const Json& request, Reply&);

// mcp_control.cpp: requests about MCP servers; inquiries.cpp: requests that only ask. Null when
// there is none of that name.
Handler mcp_request(const std::string& subtype);
Handler inquiry(const std::string& subtype);

}  // namespace claude::sim
