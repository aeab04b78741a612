// The schemas of the CLI's tools, as far as a call can fail them, and the words it then uses.
#include "tool_input.h"

namespace claude::sim {
namespace {

// Parameters by name: their type, with '!' where the tool needs them.
const Json& schemas() {
  static const Json kSchemas = Json::parse(R"json({
    "Agent": {"description": "string!", "prompt": "string!", "subagent_type": "string",
              "model": "string", "effort": "string", "run_in_background": "boolean",
              "isolation": "string"},
    "AskUserQuestion": {"questions": "array!", "answers": "object", "annotations": "object",
                        "metadata": "object"},
    "Bash": {"command": "string!", "timeout": "number", "description": "string",
             "run_in_background": "boolean", "dangerouslyDisableSandbox": "boolean"},
    "Edit": {"file_path": "string!", "old_string": "string!", "new_string": "string!",
             "replace_all": "boolean"},
    "Read": {"file_path": "string!", "offset": "number", "limit": "number", "pages": "string",
             "allow_large": "boolean"},
    "Skill": {"skill": "string!", "args": "string"},
    "Write": {"file_path": "string!", "content": "string!"}
  })json");
  return kSchemas;
}

std::string type_name(const Json& value) {
  return value.is_number() ? "number" : value.type_name();
}

Json type_issue(const std::string& key, const std::string& type, const std::string& given) {
  Json issue = Json::object();
  issue["expected"] = type;
  issue["code"] = "invalid_type";
  issue["path"] = Json::array({key});
  issue["message"] = "Invalid input: expected " + type + ", received " + given;
  return issue;
}

Json unknown_issue(const Json& keys) {
  Json issue = Json::object();
  issue["code"] = "unrecognized_keys";
  issue["keys"] = keys;
  issue["path"] = Json::array();
  std::string names;
  for (const Json& key : keys) names += (names.empty() ? "" : ", ") + key.dump();
  issue["message"] = (keys.size() == 1 ? "Unrecognized key: " : "Unrecognized keys: ") + names;
  return issue;
}

// What is wrong, in the CLI's words and as its validator reports it.
struct Complaint {
  std::vector<std::string> words;
  Json issues = Json::array();
};

Complaint complaint_of(const Json& schema, const Json& input) {
  Complaint complaint;
  for (const auto& [key, form] : schema.items()) {
    std::string type = form;
    const bool needed = type.ends_with('!');
    if (needed) type.pop_back();
    const bool given = input.contains(key);
    if (given ? type_name(input[key]) == type : !needed) continue;
    complaint.words.push_back(given ? "The parameter `" + key + "` type is expected as `" + type +
                                          "` but provided as `" + type_name(input[key]) + "`"
                                    : "The required parameter `" + key + "` is missing");
    complaint.issues.push_back(
        type_issue(key, type, given ? type_name(input[key]) : std::string("undefined")));
  }
  Json unknown = Json::array();
  for (const auto& [key, value] : input.items()) {
    if (schema.contains(key)) continue;
    unknown.push_back(key);
    complaint.words.push_back("An unexpected parameter `" + key + "` was provided");
  }
  if (!unknown.empty()) complaint.issues.push_back(unknown_issue(unknown));
  return complaint;
}

}  // namespace

Json in_own_types(const std::string& tool, Json input) {
  for (const auto& [key, form] : member(schemas(), tool.c_str()).items()) {
    const std::string type = form;
    if (!member(input, key.c_str()).is_string()) continue;
    const Json value = parse(text_of(input, key.c_str()));
    if ((type.starts_with("number") && value.is_number()) ||
        (type.starts_with("boolean") && value.is_boolean()))
      input[key] = value;
  }
  return input;
}

std::optional<ToolOutcome> input_problem(const std::string& tool, const Json& input) {
  const Json& schema = member(schemas(), tool.c_str());
  if (schema.is_null() || !input.is_object()) return std::nullopt;
  const Complaint complaint = complaint_of(schema, input);
  if (complaint.words.empty()) return std::nullopt;
  std::string text = "InputValidationError: " + tool + " failed due to the following " +
                     (complaint.words.size() == 1 ? "issue:" : "issues:");
  for (const std::string& words : complaint.words) text += "\n" + words;
  ToolOutcome outcome = tool_refusal(text, text);
  outcome.result = "InputValidationError: " + complaint.issues.dump(2);
  return outcome;
}

}  // namespace claude::sim
