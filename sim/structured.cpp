// The words are those of CLI 2.1.325.
#include "structured.h"

#include <utility>

#include "answer_schema.h"

namespace claude::sim {
namespace {

constexpr int kTries = 5;

}  // namespace

Json StructuredOutput::in_schema_types(const Json& schema, Json answer) {
  for (const auto& [key, form] : member(schema, "properties").items()) {
    const std::string type = text_of(form, "type");
    if (!member(answer, key.c_str()).is_string()) continue;
    const Json value = parse(text_of(answer, key.c_str()));
    const bool fits = type == "number"    ? value.is_number()
                      : type == "integer" ? value.is_number_integer()
                      : type == "boolean" ? value.is_boolean()
                      : type == "array"   ? value.is_array()
                      : type == "object"  ? value.is_object()
                                          : false;
    if (fits) answer[key] = value;
  }
  return answer;
}

ToolOutcome StructuredOutput::take(const Json& schema, Json answer) {
  const std::string problems = schema_complaint(schema, answer);
  if (!problems.empty()) {
    ++refused_;
    complaint_ = "Output does not match required schema: " + problems;
    return tool_failure(complaint_);
  }
  value_ = std::move(answer);
  ToolOutcome outcome;
  outcome.content = "Structured output provided successfully";
  outcome.result = outcome.content;
  return outcome;
}

bool StructuredOutput::exhausted() const {
  return refused_ >= kTries;
}

std::string StructuredOutput::failure() const {
  return "Failed to provide valid structured output after " + std::to_string(kTries) +
         " attempts — last StructuredOutput error: " + complaint_;
}

std::string StructuredOutput::reminder() {
  if (given() || std::exchange(reminded_, true)) return {};
  return "[structured-output-enforce] You MUST call the StructuredOutput tool to complete this "
         "request. Call this tool now.";
}

}  // namespace claude::sim
