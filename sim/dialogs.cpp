// The forms are the CLI's. How many tokens its own prompt takes, the simulator only pretends.
#include "dialogs.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "catalog.h"
#include "files.h"
#include "prompts.h"
#include "world.h"

namespace claude::sim {
namespace {

constexpr long long kWindow = 1'000'000;
constexpr long long kBuffer = 33'000;
constexpr int kGridRows = 10;
constexpr int kGridColumns = 20;

Json row(const char* label, const std::string& value) {
  Json made = Json::object();
  made["label"] = label;
  made["value"] = value;
  return made;
}

Json section(const char* title, Json rows) {
  Json made = Json::object();
  made["title"] = title;
  made["rows"] = std::move(rows);
  return made;
}

bool is_on_path(const char* program) {
  std::string folders = variable("PATH");
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    if (access((folders.substr(0, end) + "/" + program).c_str(), X_OK) == 0) return true;
    folders.erase(0, end + 1);
  }
  return false;
}

Json memory_file(const char* kind, const std::string& path, const char* label, const char* where) {
  Json file = Json::object();
  file["kind"] = kind;
  file["path"] = path;
  file["label"] = label;
  file["description"] = std::string("Saved in ") + where;
  file["exists"] = std::filesystem::exists(path);
  return file;
}

Json category(const char* id, const char* name, long long tokens, const char* color,
              const char* kind) {
  Json made = Json::object();
  made["id"] = id;
  made["name"] = name;
  made["tokens"] = tokens;
  made["color"] = color;
  if (std::string_view(kind) == "deferred") made["isDeferred"] = true;
  made["kind"] = kind;
  return made;
}

Json square(const Json& of) {
  const auto tokens = of["tokens"].get<long long>();
  Json made = Json::object();
  made["color"] = of["color"];
  made["isFilled"] = true;
  made["categoryName"] = of["name"];
  made["tokens"] = tokens;
  made["percentage"] = tokens * 100 / kWindow;
  made["squareFullness"] = 1;
  return made;
}

// A square for each part that is used; the rest is free, and at the end the buffer.
Json grid(const Json& categories) {
  constexpr int kSquares = kGridRows * kGridColumns;
  constexpr int kBufferSquares = kBuffer * kSquares / kWindow + 1;
  std::vector<Json> squares;
  for (const Json& part : categories)
    if (part["kind"] == "used") squares.push_back(square(part));
  const Json& buffer = categories[categories.size() - 2];
  const Json& free = categories.back();
  while (squares.size() < kSquares)
    squares.push_back(square(squares.size() < kSquares - kBufferSquares ? free : buffer));
  Json rows = Json::array();
  for (int i = 0; i < kGridRows; ++i)
    rows.push_back(std::vector<Json>(squares.begin() + i * kGridColumns,
                                     squares.begin() + (i + 1) * kGridColumns));
  return rows;
}

Json skill_rows() {
  Json rows = Json::array();
  for (const Json& skill : catalog().at("answers").at("reload_skills").at("skills")) {
    Json made = Json::object();
    made["name"] = skill.at("name");
    made["source"] = "built-in";
    made["tokens"] = 100;
    rows.push_back(made);
  }
  return rows;
}

// "Fix it, now!" as a part of a file's name.
std::string slug(const std::string& text) {
  std::string name;
  for (char each : text) {
    const auto c = static_cast<unsigned char>(each);
    if (std::isalnum(c))
      name += static_cast<char>(std::tolower(c));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  if (name.ends_with('-')) name.pop_back();
  return name;
}

}  // namespace

std::string total_cost(const Session& session) {
  const double cost = session.ledger.total_cost();
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%.*f", cost > 0.5 ? 2 : 4, cost);
  return "Total cost:            $" + std::string(digits.data());
}

std::string plan_file(const Session& session) {
  return session.home + "/.claude/plans/plan-" + session.id.substr(0, 8) + ".md";
}

void get_plan(Session& session, const Json&, Reply& reply) {
  const auto plan = content_of(plan_file(session));
  Json payload = Json::object();
  payload["exists"] = plan.has_value();
  if (plan) {
    payload["content"] = *plan;
    payload["path"] = plan_file(session);
  }
  reply.success(payload);
}

void get_status(Session& session, const Json&, Reply& reply) {
  Json about = Json::array();
  about.push_back(row("Version", session.scenario.version));
  if (!session.title.empty()) about.push_back(row("Session name", session.title));
  about.push_back(row("Session ID", session.id));
  about.push_back(row("Session kind", "interactive"));
  about.push_back(row("Peer address", "uds:/tmp/cc-socks/" + std::to_string(getpid()) + ".sock"));
  about.push_back(row("cwd", session.cwd));
  about.push_back(row("API key", "ANTHROPIC_API_KEY"));
  const std::string url = variable("ANTHROPIC_BASE_URL");
  if (!url.empty()) about.push_back(row("Anthropic base URL", url));
  Json environment = Json::array({row("Model", session.model)});
  std::string sources;
  for (const auto& [source, values] : session.settings.sources)
    sources += (sources.empty() ? "" : ", ") +
               std::string(source == "userSettings"      ? "User settings"
                           : source == "projectSettings" ? "Project settings"
                                                         : "Project local settings");
  if (!sources.empty()) environment.push_back(row("Setting sources", sources));
  if (!url.empty()) {
    environment.push_back(row("Managed settings (remote)",
                              "not fetched — not available with a custom ANTHROPIC_BASE_URL"));
    environment.push_back(
        row("Organization policy", "not fetched with a custom ANTHROPIC_BASE_URL"));
  }
  environment.push_back(row("Auto mode server", "Disabled"));
  Json payload = Json::object();
  payload["sections"] =
      Json::array({section("Session", about), section("Environment", environment)});
  reply.success(payload);
}

// What the session has read comes first.
// Skills and commands of files, by name. Three letters are a token.
void get_skills_dialog(Session& session, const Json&, Reply& reply) {
  std::map<std::string, Json> rows;
  for (const Json* list : {&session.settings.skills, &session.settings.commands})
    for (const Json& skill : *list) {
      const std::string name = text_of(skill, "name");
      std::string source = session.settings.command_sources.at(name);
      source = source.substr(0, source.find("Settings"));
      std::string about = text_of(skill, "description");
      if (const std::string from = " (" + source + ")"; about.ends_with(from))
        about.resize(about.size() - from.size());
      Json row = Json::object();
      row["name"] = name;
      row["display_name"] = name;
      row["description"] = about;
      row["source"] = source;
      row["tokens"] = (name.size() + about.size() + 2) / 3;
      row["state"] = "on";
      row["advertised"] = true;
      row["handles"] = Json::object();
      rows[name] = row;
    }
  Json payload = Json::object();
  payload["skills"] = Json::array();
  for (const auto& [name, row] : rows) payload["skills"].push_back(row);
  reply.success(payload);
}

void get_memory_dialog(Session& session, const Json&, Reply& reply) {
  Json user = memory_file("user", session.home + "/.claude/CLAUDE.md", "User instructions",
                          "~/.claude/CLAUDE.md");
  Json project =
      memory_file("project", session.cwd + "/CLAUDE.md", "Project instructions", "./CLAUDE.md");
  const bool reads_project = std::ranges::any_of(
      session.settings.instructions, [](const auto& file) { return file.first == "Project"; });
  const bool project_first =
      reads_project && flag_of(project, "exists") && !flag_of(user, "exists");
  Json payload = Json::object();
  payload["files"] = project_first ? Json::array({project, user}) : Json::array({user, project});
  Json folder = Json::object();
  folder["kind"] = "auto";
  const std::string transcript = session.transcript.path();
  folder["path"] = transcript.substr(0, transcript.rfind('/')) + "/memory/";
  folder["label"] = "Open auto-memory folder";
  folder["description"] = "";
  payload["folders"] = Json::array({folder});
  payload["memories"] = Json::array();
  payload["auto_memory"] = Json::parse(R"({"enabled": true, "toggleable": true, "status": "on"})");
  payload["auto_dream"] = Json::parse(
      R"({"shown": false, "enabled": false, "toggleable": true, "status": "off", "detail": ""})");
  reply.success(payload);
}

// There is never a sandbox; what it would need on this machine is told.
void get_sandbox_dialog(Session&, const Json&, Reply& reply) {
  Json payload = catalog().at("sandbox");
  Json& errors = payload["dependencies"]["errors"] = Json::array();
  if (!is_on_path("bwrap")) errors.push_back("bubblewrap (bwrap) not installed");
  if (!is_on_path("socat")) errors.push_back("socat not installed");
  reply.success(payload);
}

void get_context_usage(Session& session, const Json&, Reply& reply) {
  Json categories = Json::array();
  categories.push_back(category("system_prompt", "System prompt", 1600, "promptBorder", "used"));
  categories.push_back(category("system_tools", "System tools", 6400, "inactive", "used"));
  categories.push_back(
      category("system_tools_deferred", "System tools (deferred)", 4400, "inactive", "deferred"));
  categories.push_back(category("skills", "Skills", 2000, "warning", "used"));
  categories.push_back(
      category("autocompact_buffer", "Autocompact buffer", kBuffer, "inactive", "buffer"));
  long long used = 0;
  for (const Json& part : categories)
    if (part["kind"] == "used") used += part["tokens"].get<long long>();
  categories.push_back(
      category("free_space", "Free space", kWindow - kBuffer - used, "promptBorder", "free"));
  const Json skills = skill_rows();
  Json payload = Json::object();
  payload["categories"] = categories;
  payload["totalTokens"] = used;
  payload["maxTokens"] = payload["rawMaxTokens"] = kWindow;
  payload["autocompactSource"] = "model-default";
  payload["percentage"] = 1;
  payload["gridRows"] = grid(categories);
  payload["model"] = session.model;
  for (const char* list : {"memoryFiles", "mcpTools", "mcpInstructions", "agents"})
    payload[list] = Json::array();
  payload["slashCommands"]["totalCommands"] = skills.size();
  payload["slashCommands"]["includedCommands"] = skills.size();
  payload["slashCommands"]["tokens"] = 500;
  payload["skills"]["totalSkills"] = skills.size();
  payload["skills"]["includedSkills"] = skills.size();
  payload["skills"]["tokens"] = 2000;
  payload["skills"]["skillFrontmatter"] = skills;
  payload["autoCompactThreshold"] = kWindow - kBuffer;
  payload["isAutoCompactEnabled"] = true;
  payload["messageBreakdown"] = catalog().at("message_breakdown");
  const Usage& last = kMain.tally->usage;
  payload["apiUsage"]["input_tokens"] = last.input;
  payload["apiUsage"]["output_tokens"] = last.output;
  payload["apiUsage"]["cache_creation_input_tokens"] = last.cache_creation;
  payload["apiUsage"]["cache_read_input_tokens"] = last.cache_read;
  reply.success(payload);
}

void export_conversation(Session& session, const Json&, Reply& reply) {
  std::string stamp = timestamp().substr(0, 19);
  std::erase(stamp, ':');
  std::ranges::replace(stamp, 'T', '-');
  const std::string topic = slug(session.transcript.readable().first_prompt());
  Json payload = Json::object();
  payload["text"] = session.transcript.readable().text();
  payload["default_filename"] =
      (topic.empty() ? "conversation-" + stamp : stamp + "-" + topic) + ".txt";
  reply.success(payload);
}

}  // namespace claude::sim
