// One form of line, compared piece by piece; the tool's input, which may be anything, is read.
#include "wire/hook_line.h"

#include "wire/names.h"
#include "wire/walk.h"

namespace claude::wire {
namespace {

constexpr std::string_view kFrame = R"({"type":"control_request","request_id":")";
constexpr std::string_view kCallback = R"(,"request":{"subtype":"hook_callback","callback_id":")";
static_assert(kFrame.size() + kCallback.size() >= kBlockBytes);

bool has_escape(std::string_view text) {
  return text.find('\\') != text.npos;
}

// From the input of the hook up to that of the tool.
bool walk_input(Walk& walk, PreToolUse& event) {
  std::string_view prompt, mode, level;
  if (!walk.text(R"({"session_id":")", event.session_id)) return false;
  if (!walk.text(R"(,"transcript_path":")", event.transcript_path)) return false;
  if (!walk.text(R"(,"cwd":")", event.cwd)) return false;
  if (!walk.text(R"(,"prompt_id":")", prompt)) return false;
  if (!walk.text(R"(,"permission_mode":")", mode)) return false;
  if (walk.skip(R"(,"effort":)")) {  // not every model has it
    const char* const effort = walk.rest().data();
    if (!walk.text(R"({"level":")", level) || !walk.skip("}")) return false;
    event.effort = RawJson(walk.since(effort));
  }
  if (!walk.text(R"(,"hook_event_name":")", event.hook_event_name)) return false;
  if (!walk.text(R"(,"tool_name":")", event.tool_name)) return false;
  event.prompt_id = prompt;
  event.permission_mode = mode;
  return walk.skip(R"(,"tool_input":)");
}

}  // namespace

bool decode_hook_line(const Block& block, Line& out) {
  Walk walk(block.text);
  std::string_view id, callback_id, tool_use;
  if (!walk.text(kFrame, id) || !walk.text(kCallback, callback_id)) return false;
  if (callback_id.empty() || !walk.skip(R"(,"input":)")) return false;
  const char* const input = walk.rest().data();
  auto& request = out.emplace<ControlRequest>();  // not before it is one: it is large
  auto& hook = request.body.emplace<HookCallback>();
  PreToolUse& event = hook.event.emplace();
  if (!walk_input(walk, event)) return false;
  const std::string_view head = walk.since(block.text.data());
  if (!is_plain(head) || (block.escaped && has_escape(head))) return false;

  const json::Tokens tokens(walk.rest());
  if (!tokens.first()) return false;
  event.tool_input = json::Reader(walk.rest(), tokens, block.escaped).raw();
  if (!event.tool_input) return false;

  const char* const behind = event.tool_input.text().data() + event.tool_input.text().size();
  walk.go_to(behind);
  if (!walk.text(R"(,"tool_use_id":")", event.tool_use_id) || !walk.skip("}")) return false;
  event.raw = RawJson(walk.since(input));
  if (!walk.text(R"(,"tool_use_id":")", tool_use) || !walk.skip("}}")) return false;
  if (!walk.ended() || (block.escaped && has_escape(walk.since(behind)))) return false;

  event.keep = block.keep;
  hook.callback_id = callback_id;
  hook.input = event.raw;
  hook.tool_use_id = tool_use;
  request.id = {id, RawJson({id.data() - 1, id.size() + 2})};
  request.subtype = kHookCallback;
  request.keep = block.keep;
  request.may_escape = block.escaped;
  return true;
}

}  // namespace claude::wire
