// The model's side of a call: blocks in chunks, as assistant lines and as stream events.
#include <algorithm>
#include <cctype>

#include "api_errors.h"
#include "batch.h"
#include "tool_input.h"

namespace claude::sim {
namespace {

std::vector<std::string> chunks_of(const std::string& text, long long wanted) {
  std::vector<std::size_t> starts;  // of the characters
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) starts.push_back(i);
  const std::size_t count = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(wanted, 1LL)),
                                                    1, std::max<std::size_t>(starts.size(), 1));
  starts.push_back(text.size());
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = starts[i * (starts.size() - 1) / count];
    const std::size_t end = starts[(i + 1) * (starts.size() - 1) / count];
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

// A block of the message: its first form in a stream, its pieces, and its whole.
struct Block {
  Json start;
  std::vector<Json> deltas;
  std::vector<std::string> pieces;  // of text, for a message that is cut off
  Json whole;
  std::optional<ToolCall> call;
};

std::string capitalised(std::string name) {
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

Json delta(const char* type, const char* key, const std::string& value) {
  Json out = Json::object();
  out["type"] = type;
  out[key] = value;
  return out;
}

Block text_block(const std::string& text, long long chunks) {
  Block block;
  block.start["type"] = "text";
  block.start["text"] = "";
  block.pieces = chunks_of(text, chunks);
  for (const std::string& piece : block.pieces)
    block.deltas.push_back(delta("text_delta", "text", piece));
  block.whole["type"] = "text";
  block.whole["text"] = text;
  return block;
}

Block thinking_block(const std::string& text, long long chunks) {
  constexpr const char* kSignature = "c2ltdWxhdGVk";
  Block block;
  block.start["type"] = "thinking";
  block.start["thinking"] = "";
  block.start["signature"] = "";
  for (const std::string& piece : chunks_of(text, chunks))
    block.deltas.push_back(delta("thinking_delta", "thinking", piece));
  block.deltas.push_back(delta("signature_delta", "signature", kSignature));
  block.whole["type"] = "thinking";
  block.whole["thinking"] = text;
  block.whole["signature"] = kSignature;
  return block;
}

ToolCall call_of(const Json& step, Ids& ids) {
  ToolCall call;
  call.step = step;
  call.id = text_of(step, "id");
  if (call.id.empty()) call.id = ids.tool_use();
  call.input = has(step, "input") ? step["input"] : Json::object();
  if (has(step, "ask")) {
    call.name = "AskUserQuestion";
    call.input = Json::object();
    call.input["questions"] = step["ask"];
  } else if (has(step, "mcp")) {
    const Json& mcp = step["mcp"];
    call.name = "mcp__" + text_of(mcp, "server") + "__" + text_of(mcp, "tool");
    call.input = has(mcp, "arguments") ? mcp["arguments"] : Json::object();
  } else {
    call.name = text_of(step, "tool");
  }
  return call;
}

Block tool_block(const Json& step, Ids& ids) {
  Block block;
  block.call = call_of(step, ids);
  block.start["type"] = "tool_use";
  block.start["id"] = block.call->id;
  block.start["name"] = block.call->name;
  block.start["input"] = Json::object();
  block.deltas.push_back(delta("input_json_delta", "partial_json", dump(block.call->input)));
  block.whole = block.start;
  block.whole["input"] = block.call->input;
  if (block.call->name == "Edit" && !has(block.call->input, "replace_all")) {
    Json filled = Json::object();
    filled["replace_all"] = false;
    filled.update(block.call->input);
    block.whole["input"] = filled;
  }
  block.call->said_input = block.whole["input"];
  return block;
}

std::vector<Block> blocks_of(const Json& step, Ids& ids) {
  std::vector<Block> blocks;
  const long long chunks = number_of(step, "chunks", 1);
  for (const Json& part : member(step, "blocks"))
    for (Block& block : blocks_of(part, ids)) blocks.push_back(std::move(block));
  if (has(step, "thinking")) blocks.push_back(thinking_block(text_of(step, "thinking"), chunks));
  if (has(step, "text")) {
    std::string text;
    for (long long i = 0; i < number_of(step, "repeat", 1); ++i) text += text_of(step, "text");
    blocks.push_back(text_block(text, chunks));
  }
  if (has(step, "tool") || has(step, "ask") || has(step, "mcp"))
    blocks.push_back(tool_block(step, ids));
  return blocks;
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
    session.send_signed_late(line);
  }

  void send_block(const Block& block) {
    // A subagent's words stay inside unless the host wants them.
    const bool inner =
        !agent.id.empty() && !agent.background && !block.call && !session.forward_subagent_text;
    if (inner) return;
    Json line = assistant_line(session, turn, agent, message_id, block.whole, usage);
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
      meta["server_display_name"] = server->name;
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

  // The message was cut at `index` with this text said so far.
  void abandon(std::size_t index, const std::string& said) {
    if (!said.empty()) {
      Json block = Json::object();
      block["type"] = "text";
      block["text"] = said;
      session.send(assistant_line(session, turn, agent, message_id, block, usage, true));
    }
    Json note = Json::object();
    note["type"] = "text";
    note["text"] = "[Request interrupted by user]";
    if (!turn.send_now) {
      session.send(user_line(session, agent, Json::array({note})));
      ++turn.user_lines;
      turn.interrupt_noted = true;
    }
    send(block_event("content_block_stop", index));
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
    stop["abandoned_blocks"]["from_block_index"] = index + 1;
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

void announce_request(Session& session, const Turn& turn) {
  if (!session.partial) return;
  Json line = system_line("status");
  line["status"] = "requesting";
  line["session_id"] = session.id;
  line["uuid"] = session.ids.uuid();
  if (const Json uuids = named_prompts(turn); !uuids.empty()) line["user_message_uuids"] = uuids;
  session.send(line);
}

}  // namespace

Task<Spoken> speak(Session& session, Turn& turn, Agent agent, Json step) {
  Spoken spoken;
  ++turn.model_calls;
  if (agent.id.empty()) announce_request(session, turn);
  const auto pause = [&](long long ms) {
    return Wait(session.loop, nullptr, &turn.abort, Clock::now() + std::chrono::milliseconds(ms));
  };
  const long long delay = number_of(step, "delay_ms");
  const long long wait = number_of(step, "wait_ms");
  if (has(step, "error") && !has(step, "tool") && !has(step, "mcp")) {
    const Retries retries = retries_of(step);
    for (long long i = 1; i <= retries.made; ++i) {
      send_retry(session, step["error"], i, retries.most);
      if (delay > 0) co_await pause(delay);
    }
    spoken.retried = retries.then_fine;
    if (spoken.retried) co_return spoken;
    if (agent.id.empty()) turn.stop_reason = "stop_sequence";
    spoken.failed = api_failure(session, agent, step["error"]);
    co_return spoken;
  }
  const std::string& model = agent.model.empty() ? session.model : agent.model;
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
  bool cut = false;
  try {
    if (wait > 0) co_await pause(wait);
    stream.begin();
    began = true;
    std::vector<Block> blocks = blocks_of(step, session.ids);
    for (Block& block : blocks) {
      said.clear();
      Json start = block_event("content_block_start", index);
      start["content_block"] = block.start;
      stream.send(std::move(start));
      if (spoken.calls) {
        spoken.calls->note_event();
        if (spoken.calls->delegates()) co_await Yield(session.loop);
      }
      for (std::size_t i = 0; i < block.deltas.size(); ++i) {
        if (delay > 0 && i > 0) co_await pause(delay);
        stream.send_delta(index, block.deltas[i]);
        if (i < block.pieces.size()) said += block.pieces[i];
      }
      if (block.whole["type"] == "text" && agent.id.empty()) {
        const std::string text = block.whole["text"];
        co_await show_message(session, turn, text);
      }
      if (block.call) give_types(session, block);
      if (block.call) {
        if (!spoken.calls) spoken.calls = std::make_shared<ToolBatch>(session, turn, agent);
        spoken.calls->add(*block.call);
      }
      if (block.call && !agent.id.empty()) {
        send_progress(session, agent, *block.call);
        spoken.calls->start_around([&] { stream.send_block(block); });
      } else {
        stream.send_block(block);
      }
      stream.send(block_event("content_block_stop", index++));
      const bool more_follows = &block != &blocks.back() && delay == 0;
      if (spoken.calls && (more_follows || spoken.calls->delegates())) spoken.calls->start();
      if (block.whole["type"] == "text") spoken.text = block.whole["text"];
    }
  } catch (const Interrupted&) {
    cut = true;
  }
  if (cut) {
    stream.shown = stream.shown && began;
    stream.abandon(index, said);
    turn.last_text = said;
    if (spoken.calls) co_await spoken.calls->settle();
    throw Interrupted{};
  }
  spoken.stop_reason = text_of(step, "stop_reason", spoken.calls ? "tool_use" : "end_turn");
  spoken.message_id = stream.message_id;
  stream.end_blocks(spoken.stop_reason);
  if (spoken.calls && spoken.calls->delegates()) {
    spoken.calls->note_event();
    co_await Yield(session.loop);
  }
  stream.send(event("message_stop"));
  if (agent.id.empty())
    session.transcript.end_message(spoken.stop_reason,
                                   message_usage(stream.usage, stream.usage.output));
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - asked);
  session.ledger.add(model, stream.usage, took.count(), !agent.id.empty());
  co_return spoken;
}

}  // namespace claude::sim
