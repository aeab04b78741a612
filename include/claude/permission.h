// May this tool run? The permission callback, its question and its answers.
//
//   options.can_use_tool = [](const claude::ToolRequest& ask) -> claude::Permission {
//     if (ask.tool_name == "Bash") return claude::deny("no shell today");
//     return claude::allow();
//   };
//
// Whatever goes wrong on our side (an exception, a dropped reply, a request that cannot be read)
// is answered with a denial. Without a callback the CLI asks nobody and denies by itself.
#pragma once

#include <claude/cancel.h>
#include <claude/field.h>
#include <claude/reply.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace claude {

enum class PermissionMode : std::uint8_t {
  standard,  // ask for what is not allowed; "default" on the wire
  accept_edits,
  bypass_permissions,  // needs Options::allow_bypass_permissions
  plan,
  dont_ask,
  automatic,
};

// A change of the rules, as the CLI suggests them and as an answer may bring them.
struct PermissionUpdate {
  enum class Kind : std::uint8_t {
    add_rules,
    replace_rules,
    remove_rules,
    set_mode,
    add_directories,
    remove_directories
  };
  enum class Behavior : std::uint8_t { allow, deny, ask };
  enum class Destination : std::uint8_t {
    session,
    local_settings,
    project_settings,
    user_settings,
    cli_arg
  };
  struct Rule {
    std::string tool_name = {};
    std::optional<std::string> rule_content = {};  // "npm test *"; absent: the whole tool
    bool operator==(const Rule&) const = default;
  };

  Kind kind = Kind::add_rules;
  std::vector<Rule> rules = {};                    // of the three kinds of rules
  Behavior behavior = Behavior::allow;             // likewise
  PermissionMode mode = PermissionMode::standard;  // of set_mode
  std::vector<std::string> directories = {};       // of the two kinds of directories
  Destination destination = Destination::session;

  static PermissionUpdate allow_rule(std::string tool, std::optional<std::string> content = {});
  static PermissionUpdate set_mode(PermissionMode mode);
  bool operator==(const PermissionUpdate&) const = default;
};

// What the CLI wants to know.
struct ToolRequest {
  struct McpServer {
    std::string_view name;
    Text source;
  };
  std::string_view tool_name;
  RawJson input;
  std::string_view tool_use_id;
  std::string session_id;  // filled in by the library
  std::string_view request_id;
  Text display_name;
  Text title;
  Text description;
  Text blocked_path;
  Text decision_reason;
  Text decision_reason_type;
  Text decision_reason_code;
  Text decision_reason_hook_event;
  Text decision_reason_hook_source;
  Text decision_reason_rule_source;
  Text agent_id;  // set inside a subagent
  Field<McpServer> mcp_server;
  Field<bool> requires_user_interaction;
  Field<bool> server_policy_ask_only;
  Field<bool> classifier_approvable;
  Field<bool> suppress_always_allow_rule;
  Field<bool> default_to_no;
  RawJson matched_ask_rule;
  RawJson permission_suggestions;
  std::vector<OtherField> other;
  CancelToken cancel;
  Keep keep;

  // permission_suggestions, those of a shape that we know: made anew by each call.
  std::vector<PermissionUpdate> suggestions() const;
};

struct Deny {
  std::string message;
};

struct Allow {
  std::optional<Json> updated_input;  // must be an object; absent: the input as it was
  Allow with_input(Json input) && {
    updated_input = std::move(input);
    return std::move(*this);
  }
};

inline Allow allow() {
  return {};
}
// The message is for the model: it reads why, and may try another way.
inline Deny deny(std::string message) {
  return {std::move(message)};
}

// The answer to a ToolRequest.
class Permission {
 public:
  Permission(Allow allow) : allowed(true), updated_input(std::move(allow.updated_input)) {}
  Permission(Deny deny) : message(std::move(deny.message)) {}

  // Changes the rules together with allowing: "always allow".
  Permission with_permissions(std::vector<PermissionUpdate> updates) &&;
  // Ends the whole turn together with denying.
  Permission and_interrupt() &&;

  bool allowed = false;
  std::optional<Json> updated_input;
  std::vector<PermissionUpdate> updated_permissions;
  std::string message;
  bool interrupt = false;
};

using PermissionHandler = std::function<Permission(const ToolRequest&)>;
// For answers that come later, from any thread; holds no thread meanwhile.
using PermissionReplyHandler = std::function<void(ToolRequest, Reply<Permission>)>;

// AskUserQuestion: the model asks the user to choose.
struct Question {
  struct Option {
    std::string_view label;
    Text description;
    Text preview;
  };
  std::string_view question;
  Text header;
  std::vector<Option> options;
  bool multi_select = false;
};

struct Questions {
  std::vector<Question> questions;
  ToolRequest request;  // where they came from: ids, cancel token

  const Question& operator[](std::size_t index) const { return questions[index]; }
  std::size_t size() const { return questions.size(); }
};

// Answers by option or in the user's own words, each to a question by its index. A question left
// out counts as not answered.
class Answers {
 public:
  Answers& choose(std::size_t question, std::size_t option);  // again for multi-select
  Answers& say(std::size_t question, std::string text);
  Answers& note(std::size_t question, std::string text);  // a remark beside the answer
  static Answers decline(std::string message);

  struct Given {
    std::size_t question = 0;
    std::vector<std::size_t> options;
    std::optional<std::string> text;
    std::optional<std::string> note;
  };
  std::vector<Given> given;
  std::optional<std::string> declined;

 private:
  Given& of(std::size_t question);
};

using QuestionHandler = std::function<Answers(const Questions&)>;

}  // namespace claude
