// What the CLI makes of an API that refuses: retries, and the end of the turn.
#pragma once

#include "lines.h"

namespace claude::sim {

// How often the CLI tries again, and whether that helps. The real one pauses longer each time; here
// only `delay_ms` says how long.
struct Retries {
  long long made;
  long long most;
  bool then_fine;
};
Retries retries_of(const Json& step);
// The host hears of each, but of a subagent in the background.
void send_retry(Session& session, const Agent& agent, const Json& error, long long attempt,
                long long all);
void end_retries(Session& session, const Agent& agent);

// The report of a subagent that such an error ended.
std::string early_end(const Session& session, const Agent& agent, const std::string& text,
                      const std::string& kind, const std::string& request_id);

// Says it to the host, as a message of the model. A subagent's failure is its report alone.
Ending api_failure(Session& session, Turn& turn, const Agent& agent, const Json& error);

}  // namespace claude::sim
