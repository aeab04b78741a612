// One frame, compared piece by piece; what it frames is checked by the reader.
#include "wire/hook_line.h"

#include "wire/names.h"
#include "wire/walk.h"

namespace claude::wire {
namespace {

constexpr std::string_view kFrame = R"({"type":"control_request","request_id":")";
constexpr std::string_view kCallback = R"(,"request":{"subtype":"hook_callback","callback_id":")";
constexpr std::string_view kInput = R"(,"input":)";
constexpr std::string_view kToolUse = R"(,"tool_use_id":")";
constexpr std::string_view kFrameEnd = "}}";

// Of the frame, before the input and behind it.
constexpr int kTokensBefore = 22;
constexpr int kTokensOfToolUse = 4;
constexpr int kTokensOfFrameEnd = 2;

}  // namespace

bool decode_hook_line(std::string_view line, json::Reader& in, ControlRequest& out) {
  Walk walk(line);
  std::string_view id;
  HookCallback hook;
  if (!walk.skip(kFrame) || !walk.string(id)) return false;
  if (!walk.skip(kCallback) || !walk.string(hook.callback_id)) return false;
  if (!walk.skip(kInput) || hook.callback_id.empty()) return false;

  const json::Reader::Mark start = in.mark();
  in.back_to(start + kTokensBefore);
  hook.input = in.raw();
  if (!hook.input) return false;  // broken, and the reader knows it
  json::Reader::Mark end = in.mark();
  in.back_to(start);
  walk.go_to(hook.input.text().data() + hook.input.text().size());
  if (walk.skip(kToolUse)) {
    std::string_view tool_use;
    if (!walk.string(tool_use)) return false;
    hook.tool_use_id = tool_use;
    end += kTokensOfToolUse;
  }
  if (!walk.skip(kFrameEnd) || !walk.ended()) return false;
  in.back_to(end + kTokensOfFrameEnd);

  out.id = {id, RawJson({id.data() - 1, id.size() + 2})};
  out.subtype = kHookCallback;
  out.body = hook;
  return true;
}

}  // namespace claude::wire
