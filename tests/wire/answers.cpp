// See answers.h; what is invalid was seen on CLI 2.1.325.
#include "wire/answers.h"

#include "wire/line.h"

#include <algorithm>
#include <set>

namespace claude::test {
namespace {

bool has_only(const Oracle& object, const std::set<std::string>& names) {
  if (!object.is_object()) return false;
  for (const auto& [name, value] : object.items()) {
    if (!names.contains(name)) return false;
  }
  return true;
}

Json ours(const Oracle& value) {
  return Json::parse(value.dump()).value();
}

std::optional<std::vector<PermissionUpdate>> as_updates(const Oracle& list) {
  std::vector<PermissionUpdate> updates;
  for (const Oracle& each : list) {
    auto update = wire::decode_permission_update(ours(each));
    if (!update) return std::nullopt;
    updates.push_back(*update);
  }
  return updates;
}

template <class T>
std::optional<T> find(const Oracle& object, const char* name) {
  if (!object.contains(name)) return std::nullopt;
  return object[name].get<T>();
}

}  // namespace

std::optional<Permission> as_permission(const Oracle& answer) {
  if (!has_only(answer,
                {"behavior", "updatedInput", "updatedPermissions", "message", "interrupt"})) {
    return std::nullopt;
  }
  const Oracle behavior = answer.value("behavior", Oracle());
  if (behavior == "deny" && answer.contains("message")) {
    Permission denied = deny(answer["message"]);
    return answer.value("interrupt", false) ? std::move(denied).and_interrupt() : denied;
  }
  const Oracle input = answer.value("updatedInput", Oracle::object());
  auto updates = as_updates(answer.value("updatedPermissions", Oracle::array()));
  if (behavior != "allow" || !input.is_object() || !updates) return std::nullopt;
  Allow allowed = allow();
  if (answer.contains("updatedInput")) allowed.updated_input = ours(input);
  return Permission(allowed).with_permissions(*updates);
}

std::optional<HookOutput> as_hook_output(const Oracle& answer, const std::string& event) {
  if (!has_only(answer, {"continue", "stopReason", "suppressOutput", "decision", "reason",
                         "systemMessage", "async", "asyncTimeout", "hookSpecificOutput"})) {
    return std::nullopt;
  }
  if (answer.contains("continue") && !answer["continue"].is_boolean()) return std::nullopt;
  HookOutput output;
  output.continue_run = find<bool>(answer, "continue");
  output.stop_reason = find<std::string>(answer, "stopReason");
  output.suppress_output = find<bool>(answer, "suppressOutput");
  output.decision = find<std::string>(answer, "decision");
  output.reason = find<std::string>(answer, "reason");
  output.system_message = find<std::string>(answer, "systemMessage");
  output.async = find<bool>(answer, "async");
  output.async_timeout_ms = find<std::int64_t>(answer, "asyncTimeout");
  if (!answer.contains("hookSpecificOutput")) return output;
  Oracle specific = answer["hookSpecificOutput"];
  if (!specific.is_object() || specific.value("hookEventName", "") != event) return std::nullopt;
  specific.erase("hookEventName");
  output.specific = ours(specific);
  return output;
}

}  // namespace claude::test
