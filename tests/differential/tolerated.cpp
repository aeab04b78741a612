// Each function blurs one thing only, and only where it may stand.
#include "tolerated.h"

#include <array>

namespace claude::differential {
namespace {

// catalogue-words: prose about commands, agents, models and skills is the CLI's own.
void blur_catalogue(json& value) {
  if (value.is_array())
    for (json& part : value) blur_catalogue(part);
  if (!value.is_object()) return;
  const bool is_row = value.contains("name") || value.contains("displayName");
  for (auto& [key, part] : value.items()) {
    if (is_row && (key == "description" || key == "argumentHint" || key == "summary"))
      part = "<words>";
    else
      blur_catalogue(part);
  }
}

void blur_catalogue_words(json& line) {
  if (line.value("type", "") == "control_response") blur_catalogue(line);
}

// stack-traces: the CLI prints its own source when a hook fails; which hook it was is compared.
void blur_stack_trace(json& line) {
  if (line.value("type", "") != "exit") return;
  static const std::string kMark = "Error in hook callback ";
  const std::string text = line["stderr"];
  const std::size_t begin = text.find(kMark);
  if (begin == text.npos) return;
  line["stderr"] = text.substr(0, text.find(':', begin + kMark.size()) + 1);
}

// long-prose: texts of many sentences are compared up to where they become prose.
constexpr std::array<std::string_view, 10> kOpenings{
    "Correction to the text above: this call was stopped while running",
    "Auto mode can't check actions in this session.",
    "is running in don't ask mode. IMPORTANT:",
    "that failed schema validation",
    "This tool's input schema was not in your prompt when you called it.",
    "In plan mode, you should:",
    "Async agent launched successfully.",
    "<task-notification>",
    "from a previous conversation that ran out of context.",
    "Permission for this tool use was denied. It requires approval, and this session has no",
};

// The frame of a subagent's report; the report itself is compared.
void blur_frame(std::string& text) {
  constexpr std::string_view kBegin = "[Subagent hand-back]", kEnd = "The report follows:";
  const std::size_t begin = text.find(kBegin), end = text.find(kEnd);
  if (begin < end && end != text.npos) text.replace(begin, end - begin, kBegin);
}

void blur_long_prose(json& value) {
  if (value.is_structured())
    for (json& part : value) blur_long_prose(part);
  if (value.is_object() && value.contains("harnessSectionHash"))
    value["harnessSectionHash"] = "<hash of prose>";
  if (!value.is_string()) return;
  std::string text = value;
  blur_frame(text);
  for (std::string_view opening : kOpenings)
    if (const std::size_t at = text.find(opening); at != text.npos)
      text = text.substr(0, at + opening.size()) + "<prose>";
  if (text.starts_with("Total cost:")) text = text.substr(0, text.find('\n'));
  value = text;
}

// plan-names: the CLI names a plan's file by two random words.
void blur_plan_name(json& value) {
  if (value.is_structured())
    for (json& part : value) blur_plan_name(part);
  if (!value.is_string()) return;
  constexpr std::string_view folder = "/.claude/plans/";
  std::string text = value;
  const std::size_t at = text.find(folder);
  if (at == text.npos) return;
  const std::size_t begin = at + folder.size();
  value = text.replace(begin, text.find(".md", begin) - begin, "<name>");
}

// token-estimates: the CLI guesses tokens from the lengths of its own prompt and of JSON texts.
void blur_context_usage(json& value) {
  if (value.is_structured())
    for (json& part : value) blur_context_usage(part);
  if (!value.is_object()) return;
  for (const char* key : {"tokens", "totalTokens", "percentage", "gridRows", "attachmentTokens",
                          "assistantMessageTokens", "userMessageTokens"})
    if (value.contains(key)) value[key] = "<tokens>";
}

void blur_token_estimate(json& line) {
  static const json::json_pointer kContext("/response/response/categories");
  if (line.contains(kContext)) blur_context_usage(line);
  static const json::json_pointer kSummary("/compact_metadata/post_tokens");
  static const json::json_pointer kProgress("/usage/total_tokens");
  if (line.contains(kSummary)) line[kSummary] = "<tokens>";
  if (line.value("subtype", "") == "task_progress") line[kProgress] = "<tokens>";
}

constexpr std::array kTolerated{
    Tolerated{"catalogue-words", blur_catalogue_words}, Tolerated{"stack-traces", blur_stack_trace},
    Tolerated{"long-prose", blur_long_prose},           Tolerated{"plan-names", blur_plan_name},
    Tolerated{"token-estimates", blur_token_estimate},
};

}  // namespace

std::span<const Tolerated> tolerated() {
  return kTolerated;
}

}  // namespace claude::differential
