// One form of line, compared piece by piece; the tool's input, which may be anything, is read.
#include "wire/hook_line.h"

#include "wire/names.h"
#include "wire/walk.h"

namespace claude::wire {
namespace {

constexpr std::string_view kFrame = R"({"type":"control_request","request_id":")";
constexpr std::string_view kCallback = R"(,"request":{"subtype":"hook_callback","callback_id":")";
static_assert(kFrame.size() + kCallback.size() >= kBlockBytes);
constexpr std::string_view kInput = R"(,"input":)";
constexpr std::string_view kInputSession = R"({"session_id":")";
constexpr std::string_view kTranscript = R"(,"transcript_path":")";
constexpr std::string_view kCwd = R"(,"cwd":")";
constexpr std::string_view kPrompt = R"(,"prompt_id":")";
constexpr std::string_view kMode = R"(,"permission_mode":")";
constexpr std::string_view kEffort = R"(,"effort":)";
constexpr std::string_view kLevel = R"({"level":")";
constexpr std::string_view kEvent = R"(,"hook_event_name":")";
constexpr std::string_view kTool = R"(,"tool_name":")";
constexpr std::string_view kToolInput = R"(,"tool_input":)";
constexpr std::string_view kToolUse = R"(,"tool_use_id":")";

bool has_escape(std::string_view text) {
  return text.find('\\') != text.npos;
}

// Up to the tool's input.
bool walk_head(Walk& walk, RequestId& id, HookCallback& hook, PreToolUse& event) {
  std::string_view text;
  if (!walk.skip(kFrame) || !walk.string(id.text)) return false;
  id.json = RawJson(walk.since(id.text.data() - 1));
  if (!walk.skip(kCallback) || !walk.string(hook.callback_id)) return false;
  if (hook.callback_id.empty() || !walk.skip(kInput)) return false;
  event.raw = RawJson(walk.rest());  // its end is not known yet
  if (!walk.skip(kInputSession) || !walk.string(event.session_id)) return false;
  if (!walk.skip(kTranscript) || !walk.string(event.transcript_path)) return false;
  if (!walk.skip(kCwd) || !walk.string(event.cwd)) return false;
  if (!walk.skip(kPrompt) || !walk.string(text)) return false;
  event.prompt_id = text;
  if (!walk.skip(kMode) || !walk.string(text)) return false;
  event.permission_mode = text;
  if (walk.skip(kEffort)) {  // not every model has it
    const char* effort = walk.rest().data();
    if (!walk.skip(kLevel) || !walk.string(text) || !walk.skip("}")) return false;
    event.effort = RawJson(walk.since(effort));
  }
  if (!walk.skip(kEvent) || !walk.string(event.hook_event_name)) return false;
  return walk.skip(kTool) && walk.string(event.tool_name) && walk.skip(kToolInput);
}

}  // namespace

bool decode_hook_line(const Block& block, ControlRequest& out) {
  Walk walk(block.text);
  auto& hook = out.body.emplace<HookCallback>();
  PreToolUse& event = hook.event.emplace();
  if (!walk_head(walk, out.id, hook, event)) return false;
  const std::string_view head = walk.since(block.text.data());
  if (!is_plain(head) || (block.escaped && has_escape(head))) return false;

  const json::Tokens tokens(walk.rest());
  if (!tokens.first()) return false;
  event.tool_input = json::Reader(walk.rest(), tokens, block.escaped).raw();
  if (!event.tool_input) return false;

  const char* const behind = event.tool_input.text().data() + event.tool_input.text().size();
  walk.go_to(behind);
  if (!walk.skip(kToolUse) || !walk.string(event.tool_use_id) || !walk.skip("}")) return false;
  event.raw = RawJson(walk.since(event.raw.text().data()));
  std::string_view tool_use;
  if (!walk.skip(kToolUse) || !walk.string(tool_use) || !walk.skip("}}")) return false;
  if (!walk.ended() || (block.escaped && has_escape(walk.since(behind)))) return false;

  hook.input = event.raw;
  hook.tool_use_id = tool_use;
  event.keep = block.keep;
  out.subtype = kHookCallback;
  out.keep = block.keep;
  out.may_escape = block.escaped;
  return true;
}

}  // namespace claude::wire
