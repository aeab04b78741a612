// Later files win: user, project, local. Commands and agents are Markdown files with a head.
#include "settings.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "catalog.h"
#include "files.h"
#include "history.h"

namespace claude::sim {
namespace {

namespace fs = std::filesystem;

std::string text_in(const fs::path& file) {
  return content_of(file.string()).value_or("");
}

// {"description": "...", ...} of the lines between two "---", and "body" for what follows.
Json parts_of(const std::string& markdown) {
  Json parts = Json::object();
  std::istringstream lines(markdown);
  std::string line;
  const bool has_head = markdown.starts_with("---");
  if (has_head) std::getline(lines, line);
  while (has_head && std::getline(lines, line) && line != "---") {
    const std::size_t colon = line.find(':');
    if (colon == line.npos) continue;
    std::string value = line.substr(std::min(line.find_first_not_of(' ', colon + 1), line.size()));
    if (value.size() > 1 && (value[0] == '[' || value[0] == '"'))
      value = value.substr(1, value.size() - 2);
    parts[line.substr(0, colon)] = value;
  }
  parts["body"] = std::string(std::istreambuf_iterator<char>(lines), {});
  return parts;
}

std::vector<fs::path> markdown_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (const auto& entry : fs::recursive_directory_iterator(folder, failed))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

void add_commands(Settings& settings, const fs::path& folder, const std::string& source) {
  for (const fs::path& file : markdown_below(folder)) {
    const Json parts = parts_of(text_in(file));
    std::string name = fs::relative(file, folder).replace_extension().string();
    std::ranges::replace(name, '/', ':');
    const std::string body = text_of(parts, "body");
    const std::string first_line = body.substr(0, body.find('\n'));
    Json row = Json::object();
    row["name"] = name;
    row["description"] = text_of(parts, "description", first_line) + " (" + source + ")";
    row["argumentHint"] = text_of(parts, "argument-hint");
    settings.commands.push_back(std::move(row));
    settings.command_sources[name] = source + "Settings";
  }
}

void add_agents(Settings& settings, const fs::path& folder, const std::string& prefix = {}) {
  for (const fs::path& file : markdown_below(folder)) {
    const Json parts = parts_of(text_in(file));
    Json agent = Json::object();
    agent["description"] = text_of(parts, "description");
    agent["prompt"] = text_of(parts, "body");
    if (has(parts, "model")) agent["model"] = parts["model"];
    if (has(parts, "tools")) agent["tools"] = split_list(text_of(parts, "tools"));
    settings.agents[prefix + text_of(parts, "name", file.stem().string())] = std::move(agent);
  }
}

void add_skills(Settings& settings, const fs::path& folder, const std::string& source) {
  for (const fs::path& file : markdown_below(folder)) {
    if (file.filename() != "SKILL.md") continue;
    const Json parts = parts_of(text_in(file));
    const std::string name = text_of(parts, "name", file.parent_path().filename().string());
    Json row = Json::object();
    row["name"] = name;
    row["description"] = text_of(parts, "description") + " (" + source + ")";
    row["argumentHint"] = text_of(parts, "argument-hint");
    settings.skills.push_back(std::move(row));
    settings.skill_folders[name] = file.parent_path();
    settings.command_sources[name] = source + "Settings";
  }
}

void add_styles(Settings& settings, const fs::path& folder) {
  for (const fs::path& file : markdown_below(folder))
    settings.output_styles.push_back(
        text_of(parts_of(text_in(file)), "name", file.stem().string()));
}

// A folder with a manifest, and commands, skills and agents that bear its name.
void add_plugin(Settings& settings, const fs::path& folder) {
  const Json manifest = parse(text_in(folder / ".claude-plugin" / "plugin.json"));
  const std::string name = text_of(manifest, "name", folder.filename().string());
  Json row = Json::object();
  row["name"] = name;
  row["path"] = folder;
  row["source"] = name + "@inline";
  if (has(manifest, "version")) row["version"] = manifest["version"];
  settings.plugins.push_back(std::move(row));
  Settings own;
  add_commands(own, folder / "commands", "plugin");
  add_skills(own, folder / "skills", "plugin");
  for (Json command : own.commands) {
    command["name"] = name + ":" + text_of(command, "name");
    settings.plugin_commands.push_back(std::move(command));
  }
  for (Json skill : own.skills) {
    skill["aliases"] = Json::array({skill["name"]});
    skill["name"] = name + ":" + text_of(skill, "name");
    settings.plugin_skills.push_back(skill["name"]);
    settings.plugin_commands.push_back(std::move(skill));
  }
  add_agents(settings, folder / "agents", name + ":");
}

void add_values(Settings& settings, const Json& values) {
  settings.mode = text_of(member(values, "permissions"), "defaultMode", settings.mode);
  settings.model = text_of(values, "model", settings.model);
  settings.output_style = text_of(values, "outputStyle", settings.output_style);
}

void add_file(Settings& settings, const fs::path& file, const char* source) {
  const Json values = parse(text_in(file));
  if (values.is_object() && !values.empty()) settings.sources.emplace_back(source, values);
  add_values(settings, values);
  for (const Json& rule : member(member(values, "permissions"), "deny"))
    settings.denied.push_back(rule);
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

Json flag_settings(const Args& args) {
  const std::string value = args.value("--settings");
  const bool is_json = value.starts_with('{');
  const Json values = parse(is_json ? value : text_in(value));
  return values.is_object() ? values : Json();
}

Settings read_settings(const Args& args, const std::string& cwd) {
  Settings settings;
  const std::vector<std::string> named = args.list("--setting-sources");
  const auto wanted = [&](const char* source) {
    return !args.has("--setting-sources") || std::ranges::find(named, source) != named.end();
  };
  settings.takes_project = wanted("project");
  const fs::path project = fs::path(cwd) / ".claude";
  const fs::path user = config_folder();
  if (wanted("project")) {
    add_skills(settings, project / "skills", "project");
    add_commands(settings, project / "commands", "project");
  }
  if (wanted("user")) {
    add_skills(settings, user / "skills", "user");
    add_styles(settings, user / "output-styles");
    add_file(settings, user / "settings.json", "userSettings");
    settings.files.emplace_back("user_settings", user / "settings.json");
    settings.instructions.emplace_back("User", user / "CLAUDE.md");
    add_commands(settings, user / "commands", "user");
    add_agents(settings, user / "agents");
  }
  if (wanted("project")) {
    add_file(settings, project / "settings.json", "projectSettings");
    settings.files.emplace_back("project_settings", project / "settings.json");
    settings.instructions.emplace_back("Project", fs::path(cwd) / "CLAUDE.md");
    add_agents(settings, project / "agents");
    add_styles(settings, project / "output-styles");
  }
  if (wanted("local")) {
    add_file(settings, project / "settings.local.json", "localSettings");
    settings.files.emplace_back("local_settings", project / "settings.local.json");
  }
  if (const Json given = flag_settings(args); given.is_object()) settings.flags = given;
  add_values(settings, settings.flags);
  if (const auto plugins = args.flags.find("--plugin-dir"); plugins != args.flags.end())
    for (const std::string& folder : plugins->second)
      add_plugin(settings, (fs::path(cwd) / folder).lexically_normal());
  return settings;
}

std::string skill_text(const std::string& folder) {
  return text_of(parts_of(text_in(fs::path(folder) / "SKILL.md")), "body");
}

Json command_rows(const Settings& settings) {
  Json rows = settings.skills;
  for (const Json& command : settings.commands) rows.push_back(command);
  bool first = true;
  for (const Json& command : catalog().at("commands")) {
    rows.push_back(command);
    if (std::exchange(first, false))
      for (const Json& more : settings.plugin_commands) rows.push_back(more);
  }
  return rows;
}

void write_settings(Settings& settings, const std::string& cwd, const std::string& source,
                    const Json& values) {
  const bool user = source == "userSettings";
  const fs::path file = user ? fs::path(config_folder()) / "settings.json"
                             : fs::path(cwd) / ".claude" / "settings.local.json";
  auto known = std::ranges::find(settings.sources, source, &std::pair<std::string, Json>::first);
  if (known == settings.sources.end())
    known = settings.sources.emplace(user ? settings.sources.begin() : settings.sources.end(),
                                     source, Json::object());
  known->second.merge_patch(values);
  add_values(settings, values);
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  std::ofstream(file) << known->second.dump(2) << "\n";
}

std::vector<std::string> tools_of(const Json& agent, std::vector<std::string> all) {
  const auto named_by = [](const Json& list) {
    return [&list](const std::string& tool) {
      return std::ranges::find(list, Json(tool == "Task" ? "Agent" : tool)) != list.end() ||
             std::ranges::find(list, Json(tool)) != list.end();
    };
  };
  std::erase_if(all, named_by(member(agent, "disallowedTools")));
  const Json& own = member(agent, "tools");
  if (!own.is_array() || std::ranges::find(own, Json("*")) != own.end()) return all;
  std::erase_if(all, [&](const std::string& tool) { return !named_by(own)(tool); });
  std::ranges::stable_sort(all, {}, [&](const std::string& tool) {
    return std::ranges::find(own, Json(tool == "Task" ? "Agent" : tool)) - own.begin();
  });
  return all;
}

Json agent_rows(const Json& agents) {
  std::vector<Json> rows(catalog().at("agents").begin(), catalog().at("agents").end());
  for (const auto& [name, agent] : agents.items()) {
    std::erase_if(rows, [&](const Json& row) { return row["name"] == name; });
    Json row = Json::object();
    row["name"] = name;
    row["description"] = text_of(agent, "description");
    if (has(agent, "model")) row["model"] = agent["model"];
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, {}, [](const Json& row) { return lower(text_of(row, "name")); });
  return rows;
}

}  // namespace claude::sim
