// Reads prompts out of requests as CLI 2.1.325 writes them.
#include "conversation.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace claude::sim_api {
namespace {

// Texts that the CLI writes in the user's name: they carry on with a prompt, they are none.
constexpr std::array<std::string_view, 9> kNotes = {
    "[Request interrupted by user",
    "Stop hook feedback:",
    "[structured-output-enforce]",
    "Output token limit hit.",
    "Your response above was stopped by a safety classifier",
    "<local-command-",
    "<command-name>",
    "Base directory for this skill:",
    "Tool loaded.",
};

// How the CLI's own requests begin, and an answer that satisfies it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSideRequests = {{
    {"<session>", R"({"title": "A scripted session"})"},
    {"CRITICAL: Respond with TEXT ONLY", "<summary>A scripted summary.</summary>"},
    {"[SUGGESTION MODE:", "go on"},
}};

std::string without_reminders(std::string text) {
  constexpr std::string_view kOpen = "<system-reminder>", kClose = "</system-reminder>";
  for (std::size_t begin; (begin = text.find(kOpen)) != std::string::npos;) {
    std::size_t end = text.find(kClose, begin);
    text.erase(begin, end == std::string::npos ? end : end + kClose.size() - begin);
  }
  return text;
}

bool is_note(std::string_view text) {
  return std::ranges::any_of(kNotes, [&](std::string_view note) { return text.starts_with(note); });
}

constexpr const char* kBlank = " \t\r\n";

// "" when the text is not the user's own words.
std::string own_words(const std::string& text) {
  std::string words = without_reminders(text);
  words.erase(0, words.find_first_not_of(kBlank));
  words.erase(words.find_last_not_of(kBlank) + 1);
  return is_note(words) ? "" : words;
}

std::string last_words(const json& message) {
  const json& content = message["content"];
  if (content.is_string()) return own_words(content);
  for (std::size_t i = content.size(); i-- > 0;) {
    if (content[i].value("type", "") != "text") continue;
    std::string words = own_words(content[i].value("text", ""));
    if (!words.empty()) return words;
  }
  return "";
}

// The id of the tool call whose end the message tells, or "".
std::string ended_call_id(const json& message) {
  constexpr std::string_view kOpen = "<tool-use-id>";
  const std::string text = message["content"].dump();
  if (text.find("<task-notification>") == text.npos) return "";
  const std::size_t begin = text.find(kOpen);
  if (begin == text.npos) return "";
  return text.substr(begin + kOpen.size(), text.find('<', begin + 1) - begin - kOpen.size());
}

json find_call(const json& messages, const std::string& id) {
  for (const json& message : messages) {
    if (!message["content"].is_array()) continue;
    for (const json& block : message["content"])
      if (block.value("type", "") == "tool_use" && block.value("id", "") == id) return block;
  }
  return nullptr;
}

}  // namespace

std::optional<Position> find_position(const json& request) {
  const json& messages = request.at("messages");
  Position position;
  for (std::size_t i = messages.size(); i-- > 0;) {
    if (messages[i]["role"] == "assistant") ++position.answered;
    if (messages[i]["role"] != "user") continue;
    if (const std::string id = ended_call_id(messages[i]); !id.empty()) {
      position.prompt_index = i;
      position.ended_call = find_call(messages, id);
      return position;
    }
    position.prompt = last_words(messages[i]);
    position.prompt_index = i;
    if (!position.prompt.empty()) return position;
  }
  return std::nullopt;
}

std::optional<std::string> answer_to_side_request(std::string_view prompt) {
  for (const auto& [opening, answer] : kSideRequests) {
    if (prompt.starts_with(opening)) return std::string(answer);
  }
  return std::nullopt;
}

std::optional<json> find_script(std::string_view prompt) {
  std::size_t begin = prompt.find("@@[");
  if (begin == std::string_view::npos) return std::nullopt;
  // A stream, because it reads one value and stops: a script may hold another one in a string.
  std::istringstream text{std::string(prompt.substr(begin + 2))};
  json script;
  text >> script;
  return script;
}

}  // namespace claude::sim_api
