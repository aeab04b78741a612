// Applies the table of rooms.h to one source at a time. The rules themselves are there.
#include "rooms/rooms.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <utility>

namespace rooms {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::string_view kSourceRooms = "base json wire launch core mcp io session history";

std::vector<std::string> words(std::string_view list) {
  std::istringstream in{std::string(list)};
  std::vector<std::string> found;
  for (std::string word; in >> word;) found.push_back(word);
  return found;
}

bool has(std::string_view list, std::string_view word) {
  return list == "*" || std::ranges::count(words(list), word) > 0;
}

std::string first_part(std::string_view path) {
  return std::string(path.substr(0, path.find('/')));
}

std::string without_blanks(std::string_view code) {
  std::string packed;
  std::ranges::copy_if(code, std::back_inserter(packed), [](char c) { return c != ' '; });
  return packed;
}

// Whether the text has this, and not only as a part of a longer name.
bool says(std::string_view text, std::string_view what) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) {
    const std::size_t end = at + what.size();
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const bool ends = what.back() == '(' || end == text.size() || !is_word(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

std::size_t columns(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::ranges::count_if(utf8, [](char c) { return (c & '\xC0') != '\x80'; }));
}

class Judge {
 public:
  explicit Judge(const Source& source) : source_(source) {}

  std::vector<std::string> judge(const std::vector<std::string>& protocol_words) {
    check_text();
    const auto* room = std::ranges::find_if(
        kRooms, [&](const Room& row) { return source_.path.starts_with(row.folder); });
    if (room == std::end(kRooms)) {
      broken(1, "no room of the table has this folder");
      return std::move(found_);
    }
    for (const Include& include : source_.includes) check_include(*room, include);
    for (const Group& group : kGroups)
      if (has(room->never, group.name)) check_group(group);
    if (has(room->never, "words")) check_literals(protocol_words);
    return std::move(found_);
  }

 private:
  void broken(std::size_t line, const std::string& what) {
    found_.push_back(source_.path + ":" + std::to_string(line) + ": " + what);
  }

  void check_text() {
    const std::string first = source_.lines.empty() ? "" : source_.lines.front().text;
    if (!first.starts_with("//") && !first.starts_with("/*"))
      broken(1, "a file opens with a comment that says what it is for");
    for (std::size_t i = 0; i < source_.lines.size(); ++i) {
      const Line& line = source_.lines[i];
      // A line of the wire is shown in tests as it is.
      const bool as_it_is = line.raw_string && source_.path.starts_with("tests/");
      if (columns(line.text) > kColumns && !as_it_is) broken(i + 1, "more than 100 columns");
      for (const char* later : {"TO"
                                "DO",
                                "FIX"
                                "ME",
                                "X"
                                "XX",
                                "HA"
                                "CK"})
        if (says(line.text, later)) broken(i + 1, std::string("work left for later: ") + later);
    }
  }

  void check_include(const Room& room, const Include& include) {
    const std::string what = "may not include " + include.name;
    if (include.name.find("..") != std::string::npos) {
      broken(include.line, what + ": name it from its root");
    } else if (include.quoted) {
      if (!may_include_room(room, include.name)) broken(include.line, what);
    } else if (include.name.starts_with("claude/")) {
      if (!may_include_public(room, include.name)) broken(include.line, what);
    } else if (!may_include_other(room, include.name)) {
      broken(include.line, what);
    }
  }

  bool may_include_room(const Room& room, const std::string& name) const {
    const std::string target = first_part(name);
    // Outside of src/ a name that is no room is a file of the same folder.
    if (!has(kSourceRooms, target)) return !source_.path.starts_with("src/");
    if (source_.path.starts_with("src/" + target + "/")) return true;
    return has(room.rooms, target) || has(room.rooms, name);
  }

  static bool may_include_public(const Room& room, std::string_view name) {
    name.remove_prefix(std::string_view("claude/").size());
    if (room.headers == "*") return !name.starts_with("adapt/");
    const std::string_view header = name.substr(0, name.rfind(".h"));
    const bool plain = !has(kNotPlain, header) && !name.starts_with("adapt/");
    return has(room.headers, header) || (plain && has(room.headers, "plain"));
  }

  // <vector> is the standard's, <poll.h> the system's, the rest other people's.
  static bool may_include_other(const Room& room, std::string_view name) {
    if (name.find_first_of("./") == name.npos || room.others == "*") return true;
    for (const std::string& other : words(room.others))
      if (other.ends_with('/') ? name.starts_with(other) : name == other) return true;
    const bool of_a_library = name == "simdjson.h" || name == "httplib.h" || !name.ends_with(".h");
    return !of_a_library && has(room.others, "os");
  }

  void check_group(const Group& group) {
    const std::string room = "forbidden in this room (" + std::string(group.name) + "): ";
    for (const Include& include : source_.includes)
      if (has(group.headers, include.name)) broken(include.line, room + include.name);
    const std::vector<std::string> never = words(group.code);
    for (std::size_t i = 0; i < source_.lines.size(); ++i) {
      const std::string code = without_blanks(source_.lines[i].code);
      for (const std::string& said : never)
        if (says(code, said)) broken(i + 1, room + said);
    }
  }

  void check_literals(const std::vector<std::string>& protocol_words) {
    for (const Literal& literal : source_.literals)
      for (const std::string& word : protocol_words)
        if (literal.text == word || literal.text.find('"' + word) != std::string::npos)
          broken(literal.line, "a word of the protocol outside of src/wire: " + word);
  }

  const Source& source_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> broken_rules(const Source& source,
                                      const std::vector<std::string>& protocol_words) {
  return Judge(source).judge(protocol_words);
}

std::vector<std::string> distinctive_words(const Source& names) {
  std::vector<std::string> found;
  for (const Literal& literal : names.literals) {
    const std::string& word = literal.text;
    const bool two_words = word.find('_') != word.npos ||
                           std::any_of(word.begin() + !word.empty(), word.end(), [](char c) {
                             return std::isupper(static_cast<unsigned char>(c)) != 0;
                           });
    if (two_words) found.push_back(word);
  }
  return found;
}

}  // namespace rooms
