// The lines of the CLI, key after key in its order. Builders only: no state is changed here but the
// counters that the lines themselves carry.
#pragma once

#include <string>

#include "json.h"
#include "session.h"

namespace claude::sim {

// {"type":"text","text":...}: a block of a message.
Json text_block(Json text);
// {"type":"system","subtype":...}, to be filled and signed.
Json system_line(const char* subtype);

// The styles of the CLI and of files, by name; the plugins, as they are listed.
Json style_names(const Session& session);
Json plugin_rows(const Session& session);

// The ids of the turn's prompts, as far as the SDK gave them.
Json named_prompts(const Turn& turn);

// `parked`: the SDK servers that came with a manifest.
Json initialize_payload(const Session& session, bool hooks_sent, const Json& parked);
Json init_line(Session& session, const Turn& turn);

// One block of a message of the model.
Json assistant_line(Session& session, Turn& turn, const Agent& agent, const std::string& message_id,
                    const Json& block, const Usage& usage, bool aborted = false);
// A message that the CLI itself puts into the model's mouth.
Json synthetic_assistant(Session& session, const std::string& text);
// Of the request that a message answers.
std::string request_id_of(const std::string& message_id);
// The first answer to prompts that have names says which.
void name_prompts(Json& line, Turn& turn);
Json user_line(Session& session, const Agent& agent, Json content);
// A line that was a prompt or a command's output, shown again.
Json replayed_line(Session& session, Json content, const std::string& uuid);
Json stream_line(Session& session, Turn& turn, const Agent& agent, const std::string& message_id,
                 Json event);
Json lifecycle_line(Session& session, const std::string& uuid, const char* state);

// How a turn ended.
struct Ending {
  std::string subtype = "success";
  std::string terminal_reason;  // empty: the key is absent
  bool is_error = false;
  Json result;            // text of a success
  Json structured;        // output that a schema asked for
  Json errors;            // list of a failure
  std::string api_error;  // as StopFailure hooks hear it
  Json api_error_status;
  std::string api_error_type;
  std::string local_command;
  bool without_model = false;  // ended before a model was called
  bool cut_short = false;      // by the CLI, in the middle of the conversation
  int most_turns = 0;          // that were allowed, and are used up
};
Json result_line(Session& session, Turn& turn, const Ending& ending);

// Ends a process that never got to a turn: a result that says why, and exit code 1.
[[noreturn]] void fail_at_start(Session& session, const std::string& text);

}  // namespace claude::sim
