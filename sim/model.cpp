// The model's side of a call: blocks in chunks, as assistant lines and as stream events.
#include <cctype>
#include <utility>

#include "api_errors.h"
#include "batch.h"
#include "blocks.h"
#include "catalog.h"
#include "endings.h"
#include "prompts.h"
#include "refusals.h"
#include "tool_input.h"

namespace claude::sim {
namespace {

std::string capitalised(std::string name) {
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

Json event(const char* type) {
  Json out = Json::object();
  out["type"] = type;
  return out;
}

Json block_event(const char* type, std::size_t index) {
  Json out = event(type);
  out["index"] = index;
  return out;
}

// Sends one message; what it needs at each of its pauses.
struct Stream {
  Session& session;
  Turn& turn;
  const Agent& agent;
  std::string message_id;
  Usage usage;
  bool shown;             // as stream events
  long long thought = 0;  // tokens, estimated

  void send(Json the_event) {
    if (!shown) return;
    session.send(stream_line(session, turn, agent, message_id, std::move(the_event)));
  }

  void begin() {
    Json start = event("message_start");
    Json& message = start["message"];
    message["id"] = message_id;
    message["type"] = "message";
    message["role"] = "assistant";
    message["model"] = agent.model.empty() ? session.model : agent.model;
    message["content"] = Json::array();
    message["stop_reason"] = nullptr;
    message["stop_sequence"] = nullptr;
    message["usage"] = message_usage(usage, 1);
    send(std::move(start));
  }

  void send_delta(std::size_t index, const Json& piece) {
    note_first_token();
    if (agent.id.empty()) count_thought(piece);
    Json out = block_event("content_block_delta", index);
    out["delta"] = piece;
    send(std::move(out));
  }

  void note_first_token() {
    if (turn.ttft_ms > 0) return;
    const auto took = std::chrono::ceil<std::chrono::milliseconds>(Clock::now() - turn.started);
    turn.ttft_ms = took.count();
  }

  // The CLI takes four characters for a token, and knows from the signature when there were more.
  void count_thought(const Json& piece) {
    const auto tokens = [&](const char* key) {
      return static_cast<long long>((text_of(piece, key).size() + 3) / 4);
    };
    const long long more =
        has(piece, "signature") ? tokens("signature") - thought : tokens("thinking");
    if (more <= 0) return;
    thought += more;
    Json line = system_line("thinking_tokens");
    line["estimated_tokens"] = thought;
    line["estimated_tokens_delta"] = more;
    line["session_id"] = session.id;
    line["uuid"] = session.ids.uuid();
    if (const Json uuids = named_prompts(turn); !uuids.empty())
      line["user_message_uuid"] = uuids[0];
    session.send(line);
  }

  void send_block(const Block& block) {
    // A subagent's words stay inside unless the host wants them.
    const bool inner =
        !agent.id.empty() && !agent.background && !block.call && !session.forward_subagent_text;
    Json line = assistant_line(session, turn, agent, message_id, block.whole, usage);
    if (inner) return session.transcript.add_line(line);
    if (block.call && block.call->name.starts_with("mcp__")) add_tool_meta(line, *block.call);
    if (block.whole["type"] == "thinking" && agent.id.empty()) {
      line["thinking_duration_ms"] = 0;
      line["thinking_display"] = "updates";
    }
    session.send(line);
  }

  void add_tool_meta(Json& line, const ToolCall& call) {
    std::string bare = call.name.substr(call.name.rfind("__") + 2);
    const McpServer* server = session.mcp.find_tool(call.name, bare);
    Json meta = Json::object();
    meta["id"] = call.id;
    meta["display_name"] = capitalised(bare);
    const std::vector<std::string> tools = session.tools();
    if (server && std::ranges::find(tools, call.name) != tools.end()) {
      for (const Json& tool : server->tools)
        if (text_of(tool, "name") == bare)
          meta["display_name"] =
              text_of(member(tool, "annotations"), "title", text_of(meta, "display_name"));
      meta["server_display_name"] = text_of(server->info, "name", server->name);
      meta["tool_name"] = bare;
    }
    line["tool_use_meta"] = Json::array({meta});
  }

  void end_blocks(const std::string& stop_reason) {
    Json last = event("message_delta");
    last["delta"]["stop_reason"] = stop_reason;
    last["delta"]["stop_sequence"] = nullptr;
    last["usage"] = message_usage(usage, usage.output);
    send(std::move(last));
  }

  // The message was cut with this text said so far.
  void send_cut_text(const std::string& said) {
    if (said.empty()) return;
    const Json block = text_block(said);
    session.send(assistant_line(session, turn, agent, message_id, block, usage, true));
  }

  // It was cut at `index`.
  void abandon(std::size_t index, bool in_block, const std::string& said) {
    if (agent.id.empty() && !turn.send_now && !turn.budget_spent) {
      const Json note = text_block("[Request interrupted by user]");
      session.send(user_line(session, agent, Json::array({note})));
      ++turn.user_lines;
      turn.interrupt_noted = true;
    }
    if (in_block) send(block_event("content_block_stop", index));
    Json last = event("message_delta");
    last["context_management"] = nullptr;
    last["delta"]["container"] = nullptr;
    last["delta"]["stop_details"] = nullptr;
    last["delta"]["stop_reason"] = nullptr;
    last["delta"]["stop_sequence"] = nullptr;
    Json& counted = last["usage"];
    counted["output_tokens_details"]["thinking_tokens"] = 0;
    counted["cache_creation_input_tokens"] = usage.cache_creation;
    counted["cache_read_input_tokens"] = usage.cache_read;
    counted["input_tokens"] = usage.input;
    counted["iterations"] = Json::array();
    counted["output_tokens"] = 1;
    counted["server_tool_use"]["web_search_requests"] = 0;
    counted["server_tool_use"]["web_fetch_requests"] = 0;
    counted["fallback_credit"] = nullptr;
    send(std::move(last));
    if (!shown) return;
    Json stop = stream_line(session, turn, agent, message_id, event("message_stop"));
    stop["abandoned_blocks"]["api_message_id"] = message_id;
    stop["abandoned_blocks"]["from_block_index"] = said.empty() ? index : index + 1;
    session.send(stop);
  }
};

// Of a call's input the CLI shows and uses what the tool's schema makes of it.
void give_types(const Session& session, Block& block) {
  ToolCall& call = *block.call;
  const Json typed = call.name == StructuredOutput::kTool
                         ? StructuredOutput::in_schema_types(session.schema, call.input)
                         : in_own_types(call.name, call.input);
  if (typed == call.input) return;
  block.whole["input"] = call.said_input = call.input = typed;
}

// MessageDisplay hooks see a text before the host does.
Task<void> show_message(Session& session, Turn& turn, std::string text) {
  const std::string id = session.ids.uuid();
  HookCall hook{"MessageDisplay", "", Json::object(), id + "-0", &turn.abort};
  hook.fields["turn_id"] = turn.display_id;
  hook.fields["message_id"] = id;
  hook.fields["index"] = 0;
  hook.fields["final"] = true;
  hook.fields["delta"] = text;
  const Agent nobody;
  [[maybe_unused]] const std::vector<HookReply> replies =
      co_await session.hooks.call(session, nobody, hook);
}

void warn_of_unknown(Session& session, const std::string& model) {
  if (is_known_model(model) || session.unknown_model == model) return;
  session.unknown_model = model;
  complain("[claude-code:unrecognized_model] {\"model\":" + dump(Json(model)) +
           ",\"query_source\":\"sdk\"}\n");
}

}  // namespace

void announce_request(Session& session, const Turn& turn) {
  if (!session.partial) return;
  Json line = system_line("status");
  line["status"] = "requesting";
  line["session_id"] = session.id;
  line["uuid"] = session.ids.uuid();
  if (const Json uuids = named_prompts(turn); !uuids.empty()) line["user_message_uuids"] = uuids;
  session.send(line);
}

Task<Spoken> speak(Session& session, Turn& turn, Agent agent, Json step) {
  Spoken spoken;
  ++turn.model_calls;
  if (agent.id.empty() && !std::exchange(turn.retries, false)) announce_request(session, turn);
  if (agent.id.empty() && turn.model_calls == 1) send_replay(session, turn.prompts[0]);
  const auto pause = [&](long long ms) {
    if (spoken.calls) spoken.calls->note_pause();
    return Wait(session.loop, nullptr, &turn.abort, Clock::now() + std::chrono::milliseconds(ms));
  };
  const auto note_event = [&] { return spoken.calls && spoken.calls->note_event(); };
  const long long delay = number_of(step, "delay_ms");
  const long long wait = number_of(step, "wait_ms");
  if (has(step, "error") && !has(step, "tool") && !has(step, "mcp")) {
    const Retries retries = retries_of(step);
    for (long long i = 1; i <= retries.made; ++i) {
      send_retry(session, agent, step["error"], i, retries.most);
      if (delay > 0) co_await pause(delay);
    }
    if (retries.made > 0) end_retries(session, agent);
    spoken.retried = retries.then_fine;
    if (agent.id.empty()) turn.retries = spoken.retried;
    if (spoken.retried) co_return spoken;
    if (agent.id.empty()) turn.stop_reason = "stop_sequence";
    spoken.failed = api_failure(session, turn, agent, step["error"]);
    co_return spoken;
  }
  const std::string& model = agent.model.empty() ? session.model : agent.model;
  warn_of_unknown(session, model);
  Stream stream{session,
                turn,
                agent,
                session.ids.message(),
                session.ledger.price(step, session.scenario.top("usage"), model),
                session.partial && agent.id.empty()};
  agent.tally->usage = stream.usage;
  const Time asked = Clock::now();
  std::size_t index = 0;
  std::string said;
  bool began = false;
  bool in_block = false;
  bool cut = false;
  // What a subagent in the background spends ends the turn with the next event of the stream.
  const auto stop_if_spent = [&] {
    turn.budget_spent = agent.id.empty() && over_budget(session);
    if (turn.budget_spent) throw Interrupted{};
  };
  try {
    if (wait > 0) co_await pause(wait);
    stream.begin();
    session.ledger.begin_call(stream.usage);
    began = true;
    stop_if_spent();
    std::vector<Block> blocks = blocks_of(step, session.ids);
    for (Block& block : blocks) {
      said.clear();
      Json start = block_event("content_block_start", index);
      start["content_block"] = block.start;
      stream.send(std::move(start));
      in_block = true;
      if (note_event() || (spoken.calls && spoken.calls->delegates())) co_await Yield(session.loop);
      for (std::size_t i = 0; i < block.deltas.size(); ++i) {
        if (delay > 0 && i > 0) co_await pause(delay);
        stream.send_delta(index, block.deltas[i]);
        if (delay > 0) stop_if_spent();  // without a pause nobody else spends
        if (note_event()) co_await Yield(session.loop);
        if (i < block.pieces.size()) said += block.pieces[i];
      }
      if (block.whole["type"] == "text" && agent.id.empty()) {
        const std::string text = block.whole["text"];
        co_await show_message(session, turn, text);
      }
      if (block.call) give_types(session, block);
      if (block.call) {
        if (!spoken.calls) spoken.calls = std::make_shared<ToolBatch>(session, turn, agent);
        block.call->message_id = stream.message_id;
        spoken.calls->add(*block.call);
      }
      const bool missing = block.call && spoken.calls->is_missing();
      const bool of_agent = block.call && !agent.id.empty();
      if (of_agent && !agent.background) send_progress(session, agent, *block.call);
      if (of_agent && !agent.background && !missing)
        spoken.calls->start_around([&] { stream.send_block(block); });
      else
        stream.send_block(block);
      if (of_agent && agent.background) {
        send_progress(session, agent, *block.call);
        spoken.calls->start();
      }
      if (spoken.calls) spoken.calls->start();
      stream.send(block_event("content_block_stop", index++));
      in_block = false;
      if (note_event()) co_await Yield(session.loop);
      if (block.whole["type"] == "text") spoken.text = block.whole["text"];
    }
  } catch (const Interrupted&) {
    cut = true;
  }
  if (cut) {
    stream.shown = stream.shown && began;
    if (turn.budget_spent) said.clear();
    stream.send_cut_text(said);
    turn.last_text = spoken.calls ? "" : said;
    if (spoken.calls) co_await spoken.calls->give_up();
    stream.abandon(index, in_block, said);
    throw Interrupted{};
  }
  spoken.stop_reason = text_of(step, "stop_reason", spoken.calls ? "tool_use" : "end_turn");
  spoken.message_id = stream.message_id;
  if (spoken.stop_reason == "refusal") {
    ++session.safety_stops;
    bool& before = agent.id.empty() ? turn.refused : agent.tally->refused;
    spoken.refused = !std::exchange(before, true);
    if (!spoken.refused) spoken.failed = refused_again(session, turn, agent, spoken.message_id);
  }
  stream.end_blocks(spoken.stop_reason);
  if (note_event() || (spoken.calls && spoken.calls->delegates())) co_await Yield(session.loop);
  stream.send(event("message_stop"));
  session.transcript.end_message(agent.id, spoken.stop_reason, usage_table(stream.usage));
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - asked);
  spoken.spent_by_others = over_budget(session);
  session.ledger.add(model, stream.usage, took.count(), !agent.id.empty());
  co_return spoken;
}

}  // namespace claude::sim
