// As CLI 2.1.325 does it: the call as if it had just been said, then a turn of the model.
#include "deferred.h"

#include <utility>

#include "batch.h"
#include "prompts.h"

namespace claude::sim {

void queue_deferred(Session& session) {
  if (session.deferred.is_null()) return;
  Prompt prompt;
  prompt.text = "Continue from where you left off.";
  prompt.message["role"] = "user";
  prompt.message["content"] = prompt.text;
  prompt.uuid = session.ids.uuid();
  prompt.named = prompt.goes_on = true;
  session.queue.push_front(std::move(prompt));
}

Task<void> take_up(Session& session, Turn& turn) {
  while (!session.initialized && session.queue.empty() && !session.input_ended) {
    session.work.close();
    co_await Wait(session.loop, &session.work, &turn.abort, std::nullopt);
  }
  const Json deferred = std::exchange(session.deferred, nullptr);
  const std::string prompt_id = std::exchange(session.prompt_id, "");  // no prompt asked for it
  ToolCall call;
  call.id = text_of(deferred, "toolUseID");
  call.name = text_of(deferred, "toolName");
  call.input = call.said_input = deferred["toolInput"];
  call.step = Json::object();
  const auto batch = std::make_shared<ToolBatch>(session, turn, kMain);
  batch->add(std::move(call));
  turn.takes_up = true;
  co_await batch->finish();
  turn.takes_up = false;
  turn.user_lines = 0;
  session.prompt_id = prompt_id;
}

void show_hook_success(Session& session, const std::string& event, const std::string& call_id) {
  if (!session.hooks.any(event)) return;
  Json line = Json::object();
  Json& attachment = line["attachment"];
  attachment["type"] = "hook_success";
  attachment["hookName"] = event + ":Callback";
  attachment["toolUseID"] = call_id;
  attachment["hookEvent"] = event;
  attachment["content"] = "";
  attachment["command"] = "callback";
  line["type"] = "attachment";
  line["uuid"] = session.ids.uuid();
  line["timestamp"] = timestamp();
  line["session_id"] = session.id;
  line["parent_tool_use_id"] = nullptr;
  session.send(line);
}

}  // namespace claude::sim
