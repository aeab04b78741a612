// Hook inputs by event; which of their fields are required is decided here.
#include "wire/decode_hooks.h"

#include "wire/decode_part.h"
#include "wire/fields_control.h"

namespace claude::wire {
namespace {

// What is there although it is empty, or false, counts as there.
bool is_there(std::string_view text) {
  return text.data() != nullptr;
}

const char* missing(const PreToolUse& hook) {
  return !is_there(hook.tool_name) ? "tool_name" : !hook.tool_input ? "tool_input" : nullptr;
}
const char* missing(const PostToolUse& hook) {
  if (!is_there(hook.tool_name)) return "tool_name";
  return !hook.tool_input ? "tool_input" : !hook.tool_response ? "tool_response" : nullptr;
}
const char* missing(const UserPromptSubmit& hook) {
  return is_there(hook.prompt) ? nullptr : "prompt";
}
const char* missing(const PreCompact& hook) {
  return is_there(hook.trigger) ? nullptr : "trigger";
}
const char* missing(const HookInput&) {
  return nullptr;
}

[[gnu::cold]] Error incomplete(std::string_view field) {
  Error error{.code = Errc::missing_field, .message = "Missing required field: input."};
  error.message += field;
  error.where = "input.";
  error.where += field;
  return error;
}

}  // namespace

template <class Event>
Result<Event> decode_hook_input(RawJson input, std::string_view tool_use_id, KeptLine line) {
  Event event;
  const bool kept = line.keep != nullptr;
  Block block = kept ? Block(std::move(line.keep), input.text(), line.may_escape)
                     : Block(input.text(), tool_use_id.size());
  if (!decode_part(block, event, line.tokens)) {
    return std::unexpected(Error{
        .code = Errc::wrong_type, .message = "the input of a hook is no object", .where = "input"});
  }
  if (const char* field = missing(event)) return std::unexpected(incomplete(field));
  if (!is_there(event.tool_use_id) && is_there(tool_use_id)) {
    event.tool_use_id = kept ? tool_use_id : block.copy(tool_use_id);
  }
  return event;
}

template Result<PreToolUse> decode_hook_input(RawJson, std::string_view, KeptLine);
template Result<PostToolUse> decode_hook_input(RawJson, std::string_view, KeptLine);
template Result<UserPromptSubmit> decode_hook_input(RawJson, std::string_view, KeptLine);
template Result<Stop> decode_hook_input(RawJson, std::string_view, KeptLine);
template Result<SubagentStop> decode_hook_input(RawJson, std::string_view, KeptLine);
template Result<PreCompact> decode_hook_input(RawJson, std::string_view, KeptLine);
template Result<HookInput> decode_hook_input(RawJson, std::string_view, KeptLine);

}  // namespace claude::wire
