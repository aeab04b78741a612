// Works on the text of whole lines: an id or a path may stand in any string, and in keys.
#include "normal_form.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

#include "differential/tolerated.h"

namespace claude::differential {
namespace {

// The API's ids, and whether there may be an underscore behind the first one.
constexpr std::array<std::pair<std::string_view, bool>, 3> kIdPrefixes{
    {{"toolu_", true}, {"msg_", false}, {"req_", false}}};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool is_hex(char c) {
  return std::isxdigit(static_cast<unsigned char>(c));
}

bool is_uuid(std::string_view text) {
  if (text.size() < 36) return false;
  for (std::size_t i = 0; i < 36; ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return true;
}

// The length of the id that `text` begins with, or 0.
std::size_t id_length(std::string_view text) {
  if (is_uuid(text)) return 36;
  if (text.starts_with("cc-socks/")) return std::min(text.find('.'), text.size());
  if (text.starts_with("blob-")) return std::min(text.find('.'), text.size());  // a kept picture
  for (const auto& [prefix, may_have_more] : kIdPrefixes) {
    if (!text.starts_with(prefix)) continue;
    const auto end = std::ranges::find_if_not(text, is_word) - text.begin();
    const std::string_view id = text.substr(0, static_cast<std::size_t>(end));
    return may_have_more || id.find('_', prefix.size()) == id.npos ? id.size() : 0;
  }
  return 0;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  if (from.empty()) return;
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

// Ids whose form is that of any word are known by the keys that they stand under.
bool names_an_id(const std::string& key) {
  static const std::set<std::string> kKeys{"task_id",  "agent_id",         "run_id",
                                           "agentId",  "backgroundTaskId", "runId",
                                           "shell_id", "prompt_id",        "fork_id"};
  return kKeys.contains(key);
}

bool names_a_time(const std::string& key) {
  static const std::set<std::string> kKeys{"timestamp", "end_time", "mtime", "buildTime",
                                           "default_filename"};
  return kKeys.contains(key) || key.ends_with("_ms") || key.ends_with("Ms");
}

bool names_a_process(const std::string& key) {
  return key == "pid" || key == "messaging_socket_path";
}

class Ids {
 public:
  void collect(const json& value) {
    if (value.is_string()) collect_text(value.get<std::string>());
    if (value.is_array())
      for (const json& part : value) collect(part);
    if (!value.is_object()) return;
    for (const auto& [key, part] : value.items()) {
      if (names_an_id(key) && part.is_string()) note(part.get<std::string>());
      collect_text(key);
      collect(part);
    }
  }

  // An id that stands in one place only is nameless: a line too many does not change the rest.
  void rename(std::string& text) const {
    for (const auto& [id, name] : names_) replace_all(text, id, name);
  }

  void number() {
    int numbered = 0;
    for (const std::string& id : order_)
      names_[id] = counts_[id] == 1 ? "<id>" : "<id " + std::to_string(++numbered) + ">";
  }

 private:
  void collect_text(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const bool word_begins = at == 0 || !is_word(text[at - 1]);
      const std::size_t length = word_begins ? id_length(text.substr(at)) : 0;
      if (length > 0) note(std::string(text.substr(at, length)));
      at += std::max<std::size_t>(length, 1);
    }
  }

  void note(const std::string& id) {
    if (counts_[id]++ == 0) order_.push_back(id);
  }

  // An id may begin with another one.
  struct LongestFirst {
    bool operator()(const std::string& a, const std::string& b) const {
      return a.size() != b.size() ? a.size() > b.size() : a < b;
    }
  };

  std::map<std::string, int> counts_;
  std::map<std::string, std::string, LongestFirst> names_;
  std::vector<std::string> order_;
};

std::string folder_name(const std::filesystem::path& path) {
  std::string name = path.string();
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '-');
  return name;
}

// "duration_ms: 158" within a text for the model.
void without_duration(std::string& text) {
  constexpr std::string_view kKey = "duration_ms: ";
  const std::size_t at = text.find(kKey);
  if (at == text.npos) return;
  const std::size_t begin = at + kKey.size();
  text.replace(begin, text.find_first_not_of("0123456789", begin) - begin, "<time>");
}

void without_times(json& value) {
  if (value.is_string()) without_duration(value.get_ref<std::string&>());
  if (value.is_array())
    for (json& part : value) without_times(part);
  if (!value.is_object()) return;
  for (auto& [key, part] : value.items()) {
    if (names_a_time(key) && part.is_primitive() && !part.is_null())
      part = "<time>";
    else if (names_a_process(key))
      part = "<process>";
    else
      without_times(part);
  }
}

// Which of the numbered ids the line is the tool's result of; 0: it is none.
int result_of(const Entry& entry) {
  static const json::json_pointer kId("/message/content/0/tool_use_id");
  if (!entry.from_cli || !entry.line.contains(kId)) return 0;
  const std::string id = entry.line[kId];  // "<id 7>"
  return std::atoi(id.c_str() + std::min<std::size_t>(id.size(), 4));
}

// Tools that need no permission run side by side, and their results come as they end: which of
// two comes first is chance on the real CLI, too. Results that stand next to each other are put
// in the order of their calls; nothing else is ever moved.
void order_results(std::vector<Entry>& entries) {
  for (auto begin = entries.begin(); begin != entries.end(); ++begin) {
    const auto end = std::find_if(begin, entries.end(), [](auto& e) { return result_of(e) == 0; });
    if (end == begin) continue;
    std::stable_sort(begin, end, [](auto& a, auto& b) { return result_of(a) < result_of(b); });
    begin = std::prev(end);
  }
}

}  // namespace

Transcript normal_form(const Transcript& transcript, const Place& place) {
  Ids ids;
  for (const Entry& entry : transcript.entries) ids.collect(entry.line);
  ids.number();
  Transcript normal;
  normal.stuck = transcript.stuck;
  for (const Entry& entry : transcript.entries) {
    std::string text = entry.line.dump(-1, ' ', false, json::error_handler_t::replace);
    replace_all(text, place.project.string(), "<project>");
    replace_all(text, place.home.string(), "<home>");
    replace_all(text, folder_name(place.project), "<project-name>");
    replace_all(text, place.gateway, "<gateway>");
    ids.rename(text);
    json line = json::parse(text);
    if (!line.is_object()) line = json{{"text", line}};
    without_times(line);
    for (const Tolerated& difference : tolerated()) difference.blur(line);
    normal.entries.push_back({entry.from_cli, std::move(line)});
  }
  order_results(normal.entries);
  return normal;
}

}  // namespace claude::differential
