// Key after key in the CLI's order.
#include "offers.h"

namespace claude::sim {

Json permission_rule(const std::string& tool, const std::string& content) {
  Json rule = Json::object();
  rule["toolName"] = tool;
  if (!content.empty()) rule["ruleContent"] = content;
  return rule;
}

Json rule_offer(const std::string& tool, const std::string& content, const char* destination) {
  Json update = Json::object();
  update["type"] = "addRules";
  update["rules"] = Json::array({permission_rule(tool, content)});
  update["behavior"] = "allow";
  update["destination"] = destination;
  return update;
}

Json mode_offer(const char* mode) {
  Json update = Json::object();
  update["type"] = "setMode";
  update["mode"] = mode;
  update["destination"] = "session";
  return update;
}

Json directory_offer(const std::string& directory) {
  Json update = Json::object();
  update["type"] = "addDirectories";
  update["directories"] = Json::array({directory});
  update["destination"] = "session";
  return update;
}

Json reading_rule(const std::string& directory) {
  return permission_rule("Read", "/" + directory + "/**");
}

Decision allowed(const char* reason_type, const char* source) {
  Decision decision;
  decision.verdict = Decision::Verdict::allow;
  decision.source = source;
  decision.reason_type = reason_type;
  return decision;
}

Decision denied(const std::string& message, const char* reason_type) {
  Decision decision;
  decision.verdict = Decision::Verdict::deny;
  decision.firm = true;
  decision.reason_type = reason_type;
  decision.message = message;
  return decision;
}

std::string parent_of(const std::string& path) {
  return path.substr(0, path.find_last_of('/'));
}

}  // namespace claude::sim
