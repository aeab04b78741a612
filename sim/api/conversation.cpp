// Reads prompts out of requests as CLI 2.1.325 writes them.
#include "conversation.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace claude::sim_api {
namespace {

// Texts that the CLI writes in the user's name: they carry on with a prompt, they are none.
constexpr std::array<std::string_view, 6> kNotes = {
    "[Request interrupted by user", "Stop hook feedback:",
    "Output token limit hit.",      "Your response above was stopped by a safety classifier",
    "<task-notification>",          "<local-command-",
};

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

// The text blocks of a message that are the user's own words; "" when there are none.
std::string own_words(const json& message) {
  std::string words;
  auto add = [&](std::string text) {
    text = without_reminders(std::move(text));
    std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos || is_note(std::string_view(text).substr(begin))) return;
    if (!words.empty()) words += '\n';
    words += text.substr(begin);
  };
  const json& content = message["content"];
  if (content.is_string()) add(content);
  if (!content.is_array()) return words;
  for (const json& block : content) {
    if (block.value("type", "") == "text") add(block.value("text", ""));
  }
  return words;
}

}  // namespace

std::optional<Position> find_position(const json& request) {
  const json& messages = request.at("messages");
  Position position;
  for (std::size_t i = messages.size(); i-- > 0;) {
    if (messages[i]["role"] == "assistant") ++position.answered;
    if (messages[i]["role"] != "user") continue;
    position.prompt = own_words(messages[i]);
    position.prompt_index = i;
    if (!position.prompt.empty()) return position;
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
