// Two forms of line, compared piece by piece; what may be any value is passed over, or parsed.
#include "wire/ask_line.h"

#include "wire/names.h"
#include "wire/walk.h"

#include <array>

namespace claude::wire {
namespace {

using Piece = std::string_view;

// What stands before each of the strings.
constexpr std::array kFrame = {Piece(R"({"type":"control_request","request_id":")"),
                               Piece(R"(,"request":{"subtype":")")};
constexpr Piece kHookInput = R"({"session_id":")";
constexpr std::array kHook = {
    Piece(R"(,"callback_id":")"),     Piece(R"(,"input":{"session_id":")"),
    Piece(R"(,"transcript_path":")"), Piece(R"(,"cwd":")"),
    Piece(R"(,"prompt_id":")"),       Piece(R"(,"permission_mode":")"),
};
constexpr std::array kHookTool = {Piece(R"(,"hook_event_name":")"), Piece(R"(,"tool_name":")")};
constexpr std::array kPermission = {Piece(R"(,"tool_name":")"), Piece(R"(,"display_name":")")};
constexpr Piece kToolUseId = R"(,"tool_use_id":")";

bool has_escape(std::string_view text) {
  return text.find('\\') != text.npos;
}

// Printable ASCII without escapes.
bool is_plain(const Block& block, std::string_view part) {
  return json::is_printable_ascii(part) && !(block.escaped && has_escape(part));
}

// The general decoder checks the input of a hook as one value.
constexpr std::size_t kDepthOfToolInput = 1;

// Over the value at which the walk stands, by a parser; nothing: it is broken, or too deep.
[[gnu::noinline]] RawJson parsed_value(Walk& walk, bool may_escape) {
  const json::Tokens tokens(walk.rest());
  if (!tokens.first()) return RawJson();
  const RawJson value = json::Reader(walk.rest(), tokens, may_escape).raw(kDepthOfToolInput);
  if (value) walk.go_to(value.text().data() + value.text().size());
  return value;
}

// From the callback to the end of the request. All strings have to be plain, but not what is in the
// input of the tool.
bool read_hook(Walk& walk, const Block& block, bool plain, ControlRequest& out) {
  std::array<std::string_view, kHook.size()> found;
  std::array<std::string_view, kHookTool.size()> tool;
  std::string_view level, tool_use;
  if (!walk.texts(kHook, found) || found[0].empty()) return false;
  auto& hook = out.body.emplace<HookCallback>();
  PreToolUse& event = hook.event.emplace();
  if (walk.skip(R"(,"effort":)")) {  // not every model has it
    const char* const effort = walk.rest().data();
    if (!walk.text(R"({"level":")", level) || !walk.skip("}")) return false;
    event.effort = RawJson(walk.since(effort));
  }
  if (!walk.texts(kHookTool, tool) || !walk.skip(R"(,"tool_input":)")) return false;
  if (!plain && !is_plain(block, walk.since(block.text.data()))) return false;

  if (!plain || !walk.plain_value(event.tool_input)) {
    event.tool_input = parsed_value(walk, block.escaped);
    if (!event.tool_input) return false;
  }
  const char* const behind = walk.rest().data();
  if (!walk.text(kToolUseId, event.tool_use_id) || !walk.skip("}")) return false;
  event.raw = RawJson(walk.since(found[1].data() - kHookInput.size()));
  if (!walk.text(kToolUseId, tool_use)) return false;
  if (block.escaped && has_escape(walk.since(behind))) return false;

  event.session_id = found[1];
  event.transcript_path = found[2];
  event.cwd = found[3];
  event.prompt_id = found[4];
  event.permission_mode = found[5];
  event.hook_event_name = tool[0];
  event.tool_name = tool[1];
  event.keep = block.keep;
  hook.callback_id = found[0];
  hook.input = event.raw;
  hook.tool_use_id = tool_use;
  return true;
}

// From the name of the tool to the end of the request. The line is plain.
bool read_permission(Walk& walk, const Block& block, std::string_view id, ControlRequest& out) {
  std::array<std::string_view, kPermission.size()> found;
  std::string_view text;
  if (!walk.texts(kPermission, found) || found[0].empty()) return false;
  auto& ask = out.body.emplace<ToolRequest>();
  if (!walk.skip(R"(,"input":)") || !walk.plain_value(ask.input)) return false;
  if (walk.text(R"(,"description":")", text)) ask.description = text;
  if (walk.skip(R"(,"permission_suggestions":)") && !walk.plain_value(ask.permission_suggestions)) {
    return false;
  }
  if (walk.text(R"(,"blocked_path":")", text)) ask.blocked_path = text;
  if (walk.skip(R"(,"server_policy_ask_only":true)")) ask.server_policy_ask_only = true;
  if (!walk.text(kToolUseId, ask.tool_use_id)) return false;
  if (walk.text(R"(,"agent_id":")", text)) ask.agent_id = text;

  ask.tool_name = found[0];
  ask.display_name = found[1];
  ask.request_id = id;
  ask.keep = block.keep;
  return true;
}

}  // namespace

bool decode_ask_line(const Block& block, Line& out) {
  Walk walk(block.text);
  std::array<std::string_view, kFrame.size()> found;
  if (block.text.size() < json::kBlockBytes || !walk.texts(kFrame, found)) return false;
  const auto [id, subtype] = found;
  const bool is_hook = subtype == kHookCallback;
  if (!is_hook && subtype != kCanUseTool) return false;
  const bool plain = !block.escaped && json::is_printable_ascii(block.text);
  if (!is_hook && !plain) return false;

  auto& request = out.emplace<ControlRequest>();  // not before it is one: it is large
  if (is_hook ? !read_hook(walk, block, plain, request)
              : !read_permission(walk, block, id, request)) {
    return false;
  }
  if (!walk.skip("}}") || !walk.ended()) return false;
  request.id = {id, RawJson({id.data() - 1, id.size() + 2})};
  request.subtype = is_hook ? kHookCallback : kCanUseTool;
  request.line = block.text;
  request.keep = block.keep;
  request.may_escape = block.escaped;
  return true;
}

}  // namespace claude::wire
