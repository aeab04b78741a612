// The rules of permissions as a list: where they come from, and how a host may read them.
#include "permissions.h"

#include <algorithm>
#include <array>

namespace claude::sim {
namespace {

// What a rule is about, in words; null where the rule says it best.
Json description_of(const std::string& tool, const std::string& content) {
  Json words = Json::object();
  const bool whole = content.empty() || content == "*";
  if (tool == "Bash" && whole) {
    words["prefix"] = "Any Bash command";
  } else if (whole) {
    words["prefix"] = "Any use of the ";
    words["emphasis"] = tool;
    words["suffix"] = " tool";
  } else if (tool == "Bash") {
    const bool open = content.ends_with(":*") || content.ends_with(" *");
    words["prefix"] = open ? "Any Bash command starting with " : "The Bash command ";
    words["emphasis"] = open ? content.substr(0, content.size() - 2) : content;
  } else {
    return nullptr;
  }
  return words;
}

// The user's own come first, what was said in the session last.
auto rank(const std::string& source) {
  static constexpr std::array kSources{"userSettings", "projectSettings", "localSettings",
                                       "flagSettings", "cliArg",          "session"};
  return std::ranges::find(kSources, source) - kSources.begin();
}

}  // namespace

void Permissions::replace_rules(const Json& permissions, const std::string& source) {
  std::erase_if(rules_, [&](const Rule& rule) { return rule.source == source; });
  for (const char* behavior : {"allow", "deny", "ask"})
    for (const Json& rule : member(permissions, behavior))
      if (rule.is_string()) add_rule(behavior, rule, source);
}

Json Permissions::rules() const {
  Json rows = Json::array();
  std::vector<Rule> rules = rules_;
  std::ranges::stable_sort(rules, {}, [](const Rule& rule) { return rank(rule.source); });
  for (const char* behavior : {"allow", "ask", "deny"}) {
    for (const Rule& rule : rules) {
      if (rule.behavior != behavior) continue;
      Json row = Json::object();
      row["behavior"] = behavior;
      row["source"] = rule.source;
      row["rule"] = rule.text;
      if (Json words = description_of(rule.tool, rule.content); !words.is_null())
        row["description"] = std::move(words);
      row["editability"] = rule.source == "flagSettings"       ? "readonly"
                           : rule.source.ends_with("Settings") ? "persistent"
                                                               : "session";
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace claude::sim
