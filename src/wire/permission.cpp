// Permission modes and rules: their words on the wire, both ways.
#include <claude/permission.h>

#include "wire/encode.h"

#include <array>
#include <utility>

namespace claude::wire {
namespace {

using Update = PermissionUpdate;

template <class Enum, std::size_t N>
using Words = std::array<std::pair<Enum, std::string_view>, N>;

constexpr Words<PermissionMode, 6> kModes = {
    {{PermissionMode::standard, "default"},
     {PermissionMode::accept_edits, "acceptEdits"},
     {PermissionMode::bypass_permissions, "bypassPermissions"},
     {PermissionMode::plan, "plan"},
     {PermissionMode::dont_ask, "dontAsk"},
     {PermissionMode::automatic, "auto"}}};

constexpr Words<Update::Kind, 6> kKinds = {
    {{Update::Kind::add_rules, "addRules"},
     {Update::Kind::replace_rules, "replaceRules"},
     {Update::Kind::remove_rules, "removeRules"},
     {Update::Kind::set_mode, "setMode"},
     {Update::Kind::add_directories, "addDirectories"},
     {Update::Kind::remove_directories, "removeDirectories"}}};

constexpr Words<Update::Behavior, 3> kBehaviors = {{{Update::Behavior::allow, "allow"},
                                                    {Update::Behavior::deny, "deny"},
                                                    {Update::Behavior::ask, "ask"}}};

constexpr Words<Update::Destination, 5> kDestinations = {
    {{Update::Destination::session, "session"},
     {Update::Destination::local_settings, "localSettings"},
     {Update::Destination::project_settings, "projectSettings"},
     {Update::Destination::user_settings, "userSettings"},
     {Update::Destination::cli_arg, "cliArg"}}};

template <class Enum, std::size_t N>
std::string_view word_of(const Words<Enum, N>& words, Enum value) {
  for (const auto& [each, word] : words) {
    if (each == value) return word;
  }
  return {};
}

template <class Enum, std::size_t N>
bool find(const Words<Enum, N>& words, std::string_view word, Enum& out) {
  for (const auto& [value, each] : words) {
    if (each == word) return out = value, true;
  }
  return false;
}

bool is_about_rules(Update::Kind kind) {
  return kind == Update::Kind::add_rules || kind == Update::Kind::replace_rules ||
         kind == Update::Kind::remove_rules;
}

}  // namespace

std::string_view to_wire(PermissionMode mode) {
  return word_of(kModes, mode);
}

std::optional<PermissionMode> permission_mode(std::string_view word) {
  PermissionMode mode{};
  if (find(kModes, word, mode)) return mode;
  return std::nullopt;
}

Json encode_permission_update(const PermissionUpdate& update) {
  Json made = Json::object({{"type", word_of(kKinds, update.kind)}});
  if (is_about_rules(update.kind)) {
    Json rules = Json::array();
    for (const Update::Rule& rule : update.rules) {
      Json entry = Json::object({{"toolName", rule.tool_name}});
      if (rule.rule_content) entry.set("ruleContent", *rule.rule_content);
      rules.push_back(std::move(entry));
    }
    made.set("rules", std::move(rules)).set("behavior", word_of(kBehaviors, update.behavior));
  } else if (update.kind == Update::Kind::set_mode) {
    made.set("mode", to_wire(update.mode));
  } else {
    Json directories = Json::array();
    for (const std::string& directory : update.directories) directories.push_back(directory);
    made.set("directories", std::move(directories));
  }
  made.set("destination", word_of(kDestinations, update.destination));
  return made;
}

std::optional<PermissionUpdate> decode_permission_update(const Json& update) {
  PermissionUpdate made;
  if (!find(kKinds, update["type"].text(), made.kind) ||
      !find(kDestinations, update["destination"].text(), made.destination)) {
    return std::nullopt;
  }
  if (is_about_rules(made.kind)) {
    if (!find(kBehaviors, update["behavior"].text(), made.behavior)) return std::nullopt;
    for (const Json& rule : update["rules"].items()) {
      if (!rule["toolName"].is_string()) return std::nullopt;
      Update::Rule read{.tool_name = std::string(rule["toolName"].text()), .rule_content = {}};
      if (rule["ruleContent"].is_string()) read.rule_content = rule["ruleContent"].text();
      made.rules.push_back(std::move(read));
    }
  } else if (made.kind == Update::Kind::set_mode) {
    if (!find(kModes, update["mode"].text(), made.mode)) return std::nullopt;
  } else {
    for (const Json& directory : update["directories"].items()) {
      made.directories.emplace_back(directory.text());
    }
  }
  return made;
}

}  // namespace claude::wire

namespace claude {

PermissionUpdate PermissionUpdate::allow_rule(std::string tool,
                                              std::optional<std::string> content) {
  PermissionUpdate update;
  update.rules.push_back({std::move(tool), std::move(content)});
  return update;
}

PermissionUpdate PermissionUpdate::set_mode(PermissionMode mode) {
  PermissionUpdate update;
  update.kind = Kind::set_mode;
  update.mode = mode;
  return update;
}

std::vector<PermissionUpdate> ToolRequest::suggestions() const {
  std::vector<PermissionUpdate> known;
  const Json all = permission_suggestions.json();
  for (const Json& suggestion : all.items()) {
    if (auto update = wire::decode_permission_update(suggestion)) known.push_back(*update);
  }
  return known;
}

Permission Permission::with_permissions(std::vector<PermissionUpdate> updates) && {
  updated_permissions = std::move(updates);
  return std::move(*this);
}

Permission Permission::and_interrupt() && {
  interrupt = true;
  return std::move(*this);
}

}  // namespace claude
