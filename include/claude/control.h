// What the operations of a session answer, and what the CLI tells about itself.
#pragma once

#include <claude/field.h>
#include <claude/permission.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace claude {

// The answer to initialize: who the CLI is and what it can do. All of it is optional: older CLIs
// say less (`raw` has everything).
struct ServerInfo {
  struct Command {
    std::string_view name;
    Text description;
    Text argument_hint;
    std::vector<std::string_view> aliases;
    Field<bool> builtin;
  };
  struct Agent {
    std::string_view name;
    Text description;
    Text model;
  };
  struct Model {
    std::string_view value;
    Text resolved_model;
    Text display_name;
    Text description;
    Field<bool> supports_effort;
    std::vector<std::string_view> supported_effort_levels;
    Field<bool> supports_adaptive_thinking;
    Field<bool> supports_fast_mode;
    Field<bool> supports_auto_mode;
    Field<bool> supports_thinking_off;
  };
  struct Account {
    Text token_source;
    Text api_key_source;
    Text api_provider;
    Text email;
    Text organization;
    Text subscription_type;
  };

  Text claude_code_version;
  std::vector<std::string_view> capabilities;  // empty: this CLI does not say
  std::vector<Command> commands;
  std::vector<Agent> agents;
  std::vector<Model> models;
  Field<Account> account;
  Text output_style;
  std::vector<std::string_view> available_output_styles;
  Text user_output_styles_dir;
  Text current_permission_mode;
  Text session_state;
  Text fast_mode_state;
  Text fast_mode_disabled_reason;
  Field<std::int64_t> pid;
  Field<bool> hooks_applied;
  Field<bool> hook_on_failure_supported;
  Field<bool> other_hook_ask_outranks_host;
  Field<bool> analytics_disabled;
  std::vector<OtherField> other;
  RawJson raw;
  Keep keep;

  bool has(std::string_view capability) const;
};

// What an interrupt did.
struct InterruptReceipt {
  std::vector<std::string_view> still_queued;  // prompts that will still run
  std::vector<std::string_view> cancelled;     // prompts dropped by cancel_queued
  std::vector<OtherField> other;
  RawJson raw;
  Keep keep;
};

struct PermissionModeSet {
  Text mode;
  std::vector<OtherField> other;
  RawJson raw;
  Keep keep;
};

struct ModelSet {
  Text model;  // what the name resolved to
  std::vector<OtherField> other;
  RawJson raw;
  Keep keep;
};

struct RewindResult {
  bool can_rewind = false;
  Text error;
  std::vector<std::string_view> files_changed;
  Field<std::int64_t> insertions;
  Field<std::int64_t> deletions;
  Field<std::int64_t> skipped_links;
  std::vector<OtherField> other;
  RawJson raw;
  Keep keep;
};

struct McpStatus {
  struct Tool {
    std::string_view name;
    Text description;
    RawJson annotations;
  };
  struct ServerVersion {
    Text name;
    Text version;
  };
  struct Server {
    std::string_view name;
    std::string_view status;  // "connected", "failed", "needs-auth", "pending", "disabled"
    Field<ServerVersion> server_info;
    Text error;
    RawJson config;
    Text transport;
    Text scope;
    Text source;
    std::vector<Tool> tools;
  };
  std::vector<Server> servers;
  std::vector<OtherField> other;
  RawJson raw;
  Keep keep;
};

}  // namespace claude
