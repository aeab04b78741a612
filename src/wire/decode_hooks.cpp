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

[[gnu::cold]] Error no_object() {
  return {
      .code = Errc::wrong_type, .message = "the input of a hook is no object", .where = "input"};
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
  Result<Event> result(std::in_place);  // and nothing is moved
  Event& event = *result;
  const bool kept = line.keep != nullptr;
  Block block = kept ? Block(std::move(line.keep), input.text(), line.may_escape)
                     : Block(input.text(), tool_use_id.size());
  if (!decode_part(block, event, line.tokens)) {
    result = std::unexpected(no_object());
  } else if (const char* field = missing(event)) {
    result = std::unexpected(incomplete(field));
  } else if (!is_there(event.tool_use_id) && is_there(tool_use_id)) {
    event.tool_use_id = kept ? tool_use_id : block.copy(tool_use_id);
  }
  return result;
}

template Result<PreToolUse> decode_hook_input(RawJson, std::string_view, KeptLine);
template Result<PostToolUse> decode_hook_input(RawJson, std::string_view, KeptLine);
template Result<UserPromptSubmit> decode_hook_input(RawJson, std::string_view, KeptLine);
template Result<Stop> decode_hook_input(RawJson, std::string_view, KeptLine);
template Result<SubagentStop> decode_hook_input(RawJson, std::string_view, KeptLine);
template Result<PreCompact> decode_hook_input(RawJson, std::string_view, KeptLine);
template Result<HookInput> decode_hook_input(RawJson, std::string_view, KeptLine);

}  // namespace claude::wire
