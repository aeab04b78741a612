// Requests that only ask: what there is, what was used, what is set. Small but plausible answers.
#include <filesystem>
#include <map>

#include "catalog.h"
#include "dialogs.h"
#include "lines.h"
#include "reply.h"

namespace claude::sim {
namespace {

void get_binary_version(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["version"] = session.scenario.version;
  payload["buildTime"] = "2026-11-13T18:52:23Z";
  reply.success(payload);
}

void list_models(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["models"] = model_rows(session.model);
  reply.success(payload);
}

// One that somebody gave is not replaced; the model is never asked for another.
void generate_session_title(Session& session, const Json& request, Reply& reply) {
  const bool stays = flag_of(request, "persist") && !session.title.empty();
  Json payload = Json::object();
  payload["title"] = stays ? Json(session.title) : Json();
  reply.success(payload);
}

void get_session_cost(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["text"] = total_cost(session);
  reply.success(payload);
}

void get_usage(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  Json& usage = payload["session"];
  usage["total_cost_usd"] = session.ledger.total_cost();
  usage["total_api_duration_ms"] = session.ledger.api_ms();
  usage["total_duration_ms"] = session.ledger.api_ms();
  usage["total_lines_added"] = 0;
  usage["total_lines_removed"] = 0;
  usage["model_usage"] = session.ledger.model_usage();
  payload["subscription_type"] = nullptr;
  payload["rate_limits_available"] = false;
  payload["rate_limits"] = nullptr;
  payload["behaviors"] = nullptr;
  reply.success(payload);
}

void get_settings(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["effective"] = Json::object();
  payload["sources"] = Json::array();
  for (const auto& [source, values] : session.settings.sources) {
    payload["effective"].merge_patch(values);
    Json row = Json::object();
    row["source"] = source;
    row["settings"] = values;
    payload["sources"].push_back(row);
  }
  if (const Json& flags = session.settings.flags; !flags.empty()) {
    payload["effective"].merge_patch(flags);
    Json row = Json::object();
    row["source"] = "flagSettings";
    row["settings"] = flags;
    payload["sources"].push_back(row);
  }
  payload["applied"]["model"] = session.model;
  payload["applied"]["effort"] = session.args.value("--effort", "medium");
  payload["applied"]["advisor"] = nullptr;
  payload["applied"]["ultracode"] = false;
  payload["applied"]["ultracodeRequested"] = false;
  payload["applied"]["ultracodeAvailable"] = true;
  payload["applied"]["ultrathinkAvailable"] = false;
  payload["applied"]["outsideFileToolReadsBlocked"] = false;
  payload["applied"]["outsideFileToolWritesBlocked"] = false;
  payload["applied"]["outsideBlocksCountLaunchFoldersOnly"] = false;
  payload["applied"]["launchEnvLeftOwnFilesInPlace"] = true;
  reply.success(payload);
}

void list_permission_rules(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["state"]["rules"] = session.permissions.rules();
  Json& directories = payload["state"]["workspaceDirectories"] = Json::array();
  for (const auto& added : session.permissions.added) {
    Json row = Json::object();
    row["path"] = added.path;
    row["source"] = added.source;
    directories.push_back(row);
  }
  payload["state"]["originalCwd"] = session.permissions.root;
  payload["state"]["managedOnly"] = false;
  reply.success(payload);
}

void read_file(Session& session, const Json& request, Reply& reply) {
  const std::string path = text_of(request, "path");
  Json input = Json::object();
  input["file_path"] = path;
  const ToolOutcome outcome = session.files.read(input, session.cwd);
  if (outcome.is_error) return reply.error("read denied: " + path);
  Json payload = Json::object();
  payload["contents"] = outcome.result.at("file").at("content");
  payload["absPath"] = absolute(path, session.cwd);
  payload["lossy"] = false;
  payload["requested_path"] = path;
  reply.success(payload);
}

void get_task_output(Session& session, const Json& request, Reply& reply) {
  for (const auto& task : session.tasks) {
    if (task->id != text_of(request, "task_id")) continue;
    Json payload = Json::object();
    payload["output"] = task->output;
    payload["total_bytes"] = task->output.size();
    payload["truncated"] = false;
    return reply.success(payload);
  }
  reply.error("get_task_output: no shell or Monitor task with that task_id in this session");
}

void file_suggestions(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["suggestions"] = Json::array();
  payload["cwd"] = session.cwd;
  reply.success(payload);
}

void reload_skills(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["skills"] = session.settings.skills;
  for (const Json& command : session.settings.commands) payload["skills"].push_back(command);
  for (const Json& skill : catalog().at("answers").at("reload_skills").at("skills"))
    payload["skills"].push_back(skill);
  reply.success(payload);
}

void reload_output_styles(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["available_output_styles"] = style_names(session);
  reply.success(payload);
}

void reload_plugins(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["commands"] = command_rows(session.settings);
  payload["agents"] = agent_rows(session.agents);
  payload["plugins"] = plugin_rows(session);
  payload["mcpServers"] = session.mcp.status_rows();
  payload["error_count"] = 0;
  reply.success(payload);
}

Task<void> tell_of_directory(Session& session, std::string path) {
  HookCall hook{"DirectoryAdded", "", Json::object(), "", nullptr};
  hook.fields["directory"] = path;
  hook.fields["source"] = "register_repo_root";
  const Agent nobody;
  [[maybe_unused]] const std::vector<HookReply> replies =
      co_await session.hooks.call(session, nobody, hook);
}

void register_repo_root(Session& session, const Json& request, Reply& reply) {
  const std::string directory = text_of(request, "directory");
  if (directory == session.cwd)
    return reply.error("register_repo_root: " + directory +
                       " is the session's working directory, which is already registered; pass the "
                       "cloned repo's own directory instead");
  const std::string path = absolute(directory, session.cwd);
  if (!std::filesystem::is_directory(path))
    return reply.error("register_repo_root: target path could not be resolved");
  session.permissions.added.push_back({path, "session"});
  Json payload = Json::object();
  payload["directory"] = path;
  reply.success(payload);
  session.loop.spawn(tell_of_directory(session, path));
}

void set_cwd(Session&, const Json& request, Reply& reply) {
  const std::string path = text_of(request, "path");
  Json payload = Json::object();
  if (std::filesystem::is_directory(path)) {
    payload["status"] = "needs_trust";
    payload["directory"] = path;
  } else {
    payload["status"] = "rejected";
    payload["reason"] = "not_found";
    payload["message"] = "Couldn't find a directory at " + path + ".";
  }
  reply.success(payload);
}

// There is nobody to send it to.
void submit_feedback(Session&, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["feedback_id"] = nullptr;
  payload["unavailable_reason"] =
      "/feedback has been disabled via the CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC environment "
      "variable";
  reply.success(payload);
}

void message_rated(Session&, const Json& request, Reply& reply) {
  const std::string sentiment = text_of(request, "sentiment");
  const std::string surface = text_of(request, "surface");
  if (member(request, "messageUuid").is_string() && member(request, "cleared").is_boolean() &&
      (sentiment == "positive" || sentiment == "negative") &&
      (surface == "tool_use" || surface == "assistant_text"))
    return reply.success(Json::object());
  reply.error(
      "message_rated: messageUuid must be a string, sentiment \"positive\" or \"negative\", "
      "surface "
      "\"tool_use\" or \"assistant_text\", and cleared a boolean");
}

// Answers that are always the same.
void list_cloud_sessions(Session&, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["status"] = "unavailable";
  payload["reason"] = "nonessential_traffic";
  payload["message"] =
      "Cloud sessions are unavailable while CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC is set.";
  reply.success(payload);
}

void claim_session(Session&, const Json&, Reply& reply) {
  reply.error(
      "not_a_spare: claim_session is only accepted by a process started with --await-claim that "
      "has not been claimed yet");
}

void remote_control(Session&, const Json& request, Reply& reply) {
  if (!flag_of(request, "enabled")) return reply.ack();
  reply.error("Remote control needs an account, and claude-sim has none");
}

void refuse(Session&, const Json& request, Reply& reply) {
  reply.error(catalog().at("refusals").at(text_of(request, "subtype")).get<std::string>());
}

void canned(Session&, const Json& request, Reply& reply) {
  reply.success(catalog().at("answers").at(text_of(request, "subtype")));
}

}  // namespace

Handler inquiry(const std::string& subtype) {
  static const std::map<std::string, Handler, std::less<>> kInquiries{
      {"get_context_usage", get_context_usage},
      {"get_status", get_status},
      {"get_memory_dialog", get_memory_dialog},
      {"get_skills_dialog", get_skills_dialog},
      {"get_plan", get_plan},
      {"get_sandbox_dialog", get_sandbox_dialog},
      {"message_rated", message_rated},
      {"export_conversation", export_conversation},
      {"get_binary_version", get_binary_version},
      {"list_models", list_models},
      {"submit_feedback", submit_feedback},
      {"list_cloud_sessions", list_cloud_sessions},
      {"claim_session", claim_session},
      {"remote_control", remote_control},
      {"get_session_cost", get_session_cost},
      {"generate_session_title", generate_session_title},
      {"get_usage", get_usage},
      {"get_settings", get_settings},
      {"list_permission_rules", list_permission_rules},
      {"file_suggestions", file_suggestions},
      {"read_file", read_file},
      {"get_task_output", get_task_output},
      {"reload_plugins", reload_plugins},
      {"reload_skills", reload_skills},
      {"reload_output_styles", reload_output_styles},
      {"register_repo_root", register_repo_root},
      {"set_cwd", set_cwd},
  };
  if (const auto found = kInquiries.find(subtype); found != kInquiries.end()) return found->second;
  if (has(catalog().at("refusals"), subtype.c_str())) return refuse;
  return has(catalog().at("answers"), subtype.c_str()) ? canned : nullptr;
}

}  // namespace claude::sim
