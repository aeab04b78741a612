// An answer belongs to the request it answers, whenever it comes: callbacks run side by side.
// Prompts and requests come in their order.
#include "cassette.h"

#include <algorithm>
#include <cctype>
#include <fstream>

#include "ids.h"

namespace claude::sim {
namespace {

using Kind = Cassette::Row::Kind;

// What a row may hold: any JSON, or text only.
struct Form {
  const char* key;
  Kind kind;
  bool is_text;
};
constexpr Form kForms[] = {{"to_cli", Kind::to_cli, false},
                           {"from_cli", Kind::from_cli, false},
                           {"to_cli_text", Kind::to_cli, true},
                           {"from_cli_text", Kind::from_cli, true},
                           {"end", Kind::end, true}};

constexpr std::string_view kHome = "$HOME";
constexpr std::string_view kHomeAsName = "/-HOME-";
constexpr std::string_view kMask = "***";  // stands for anything

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  if (what.empty()) return;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

// As it stands in the names of the CLI's folders.
std::string as_name(std::string path) {
  for (char& c : path)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  return path;
}

// As the recorder does it: where the path ends or goes on below, /root is no part of /rootfs.
void hide_home(std::string& text, const std::string& home) {
  std::string hidden;
  std::size_t copied = 0;
  for (std::size_t at = text.find(home); at != text.npos; at = text.find(home, at)) {
    const std::size_t end = at + home.size();
    const char behind = end < text.size() ? text[end] : '/';
    if (!std::isalnum(static_cast<unsigned char>(behind)) && behind != '-') {
      hidden.append(text, copied, at - copied).append(kHome);
      copied = end;
    }
    at = end;
  }
  text = hidden.append(text, copied);
  replace_all(text, "/" + as_name(home) + "-", kHomeAsName);
}

bool is_id(const std::string& path, const std::string& recorded, const std::string& actual) {
  return path.ends_with("/request_id") || path.ends_with("/session_id") ||
         (is_uuid(recorded) && is_uuid(actual));
}

// Is it the same text where the recorded one has a mask for what was hidden? Of a part between two
// masks the first place is as good as any other: whatever follows a later one also follows it.
bool same_but_hidden(std::string_view recorded, std::string_view actual) {
  std::size_t mask = recorded.find(kMask);
  if (mask == recorded.npos) return recorded == actual;
  if (!actual.starts_with(recorded.substr(0, mask))) return false;
  actual.remove_prefix(mask);
  while (true) {
    recorded.remove_prefix(mask + kMask.size());
    mask = recorded.find(kMask);
    if (mask == recorded.npos) return actual.ends_with(recorded);
    const std::string_view part = recorded.substr(0, mask);
    const std::size_t place = actual.find(part);
    if (place == actual.npos) return false;
    actual.remove_prefix(place + part.size());
  }
}

// The member that was recorded under a name of which a part may be hidden: none that stands in
// the record by its own name.
Json::const_iterator named(const Json& actual, const std::string& name, const Json& recorded) {
  const auto found = actual.find(name);
  if (found != actual.end() || !name.contains(kMask)) return found;
  auto each = actual.begin();
  while (each != actual.end() &&
         (recorded.contains(each.key()) || !same_but_hidden(name, each.key())))
    ++each;
  return each;
}

// Two names may have become the same when they were hidden.
bool has_name(const Json& recorded, const std::string& actual) {
  if (recorded.contains(actual)) return true;
  const auto& members = recorded.items();
  return std::any_of(members.begin(), members.end(),
                     [&](const auto& each) { return same_but_hidden(each.key(), actual); });
}

std::string shortened(const Json& value) {
  constexpr std::size_t kShown = 80;
  const std::string text = dump(value);
  return text.size() <= kShown ? text : text.substr(0, kShown) + "...";
}

const Json& answered(const Json& line) {
  return member(member(line, "response"), "request_id");
}

bool is_answer(const Json& line) {
  return member(line, "type") == "control_response";
}

std::string kind_of(const Json& line) {
  const std::string subtype = text_of(member(line, "request"), "subtype");
  return text_of(line, "type", "no message") + (subtype.empty() ? "" : " " + subtype);
}

}  // namespace

Cassette::Cassette(std::string path, Match match, std::string home)
    : path_(std::move(path)), match_(match), home_(std::move(home)) {
  std::ifstream file(path_);
  if (!file) throw CassetteError{path_ + ": cannot be read"};
  std::string text;
  std::getline(file, text);
  if (member(parse(text), "cassette") != 1) fail(1, "is no cassette of a known form");
  for (std::size_t line = 2; std::getline(file, text); ++line)
    rows_.push_back(read_row(parse(text), line));
}

Cassette::Row Cassette::read_row(const Json& row, std::size_t line) const {
  for (const Form& form : kForms) {
    if (!has(row, form.key)) continue;
    const Json& value = row[form.key];
    if (form.is_text && !value.is_string())
      fail(line, "/" + std::string(form.key) + ": is no text");
    return {form.kind, line, value, form.is_text};
  }
  fail(line, "is no row of a cassette");
}

void Cassette::fail(std::size_t line, const std::string& why) const {
  throw CassetteError{path_ + ":" + std::to_string(line) + ": " + why};
}

const Cassette::Row* Cassette::next() {
  while (at_ < rows_.size() && rows_[at_].seen) ++at_;
  return at_ < rows_.size() ? &rows_[at_] : nullptr;
}

std::string Cassette::text_of(const Row& row) const {
  std::string text = row.is_text ? row.value.get<std::string>() : dump(row.value);
  for (const auto& [recorded, actual] : ids_)
    replace_all(text, dump(Json(recorded)), dump(Json(actual)));
  replace_all(text, kHome, home_);
  return text;
}

Cassette::Row* Cassette::partner_of(const Json& line) {
  const auto found = std::ranges::find_if(rows_, [&](const Row& row) {
    if (row.kind != Kind::to_cli || row.seen) return false;
    return is_answer(line) ? is_answer(row.value) && answered(row.value) == answered(line)
                           : !is_answer(row.value);
  });
  return found == rows_.end() ? nullptr : &*found;
}

void Cassette::take(std::string_view text) {
  std::string hidden(text);
  if (home_.size() > 1) hide_home(hidden, home_);
  Json line = parse_line(hidden);
  if (line.is_discarded()) line = hidden;
  Row* row = partner_of(line);
  if (!row) {
    if (match_ == Match::loose && is_answer(line)) return;
    fail(rows_.empty() ? 1 : rows_.back().line,
         "nothing more is expected, but this came: " + shortened(line));
  }
  if (!same_kind(row->value, line))
    fail(row->line, "expected " + kind_of(row->value) + ", but this came: " + shortened(line));
  const std::string differs = difference(row->value, line, "");
  if (match_ == Match::strict && !differs.empty()) fail(row->line, differs);
  row->seen = true;
}

void Cassette::end_of_input() const {
  if (match_ == Match::loose) return;
  for (const Row& row : rows_)
    if (row.kind == Kind::to_cli && !row.seen)
      fail(row.line, "stdin was closed before this came: " + shortened(row.value));
}

bool Cassette::same_kind(const Json& recorded, const Json& actual) const {
  return kind_of(recorded) == kind_of(actual);
}

std::string Cassette::difference(const Json& recorded, const Json& actual,
                                 const std::string& path) {
  if (recorded.is_object() && actual.is_object()) {
    std::string first;
    for (const auto& [key, value] : recorded.items()) {
      const std::string below = path + "/" + key;
      const auto now = named(actual, key, recorded);
      std::string found =
          now == actual.end() ? below + ": is missing" : difference(value, *now, below);
      if (first.empty()) first = std::move(found);
    }
    for (const auto& [key, value] : actual.items())
      if (first.empty() && !has_name(recorded, key))
        first = path + "/" + key + ": was not there, now it is " + shortened(value);
    return first;
  }
  if (recorded.is_array() && actual.is_array() && recorded.size() == actual.size()) {
    std::string first;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
      std::string found = difference(recorded[i], actual[i], path + "/" + std::to_string(i));
      if (first.empty()) first = std::move(found);
    }
    return first;
  }
  if (recorded == actual || recorded == kMask) return {};
  if (recorded.is_string() && actual.is_string()) {
    const auto& was = recorded.get_ref<const std::string&>();
    const auto& is = actual.get_ref<const std::string&>();
    if (same_but_hidden(was, is)) return {};
    // Of a text that is JSON, the recorder keeps the form only where it has hidden nothing.
    if (was.contains(kMask)) {
      const Json was_json = parse(was);
      const Json is_json = parse(is);
      if (was_json.is_structured() && is_json.is_structured())
        return difference(was_json, is_json, path);
    }
    if (is_id(path, was, is) && ids_.emplace(was, is).first->second == is) return {};
  }
  return path + ": expected " + shortened(recorded) + ", got " + shortened(actual);
}

void Cassette::stands_for(const std::string& recorded, const std::string& actual) {
  if (!recorded.empty() && !actual.empty()) ids_[recorded] = actual;
}

std::string Cassette::session_id() const {
  for (const Row& row : rows_)
    if (row.kind == Kind::from_cli && has(row.value, "session_id"))
      return sim::text_of(row.value, "session_id");
  return {};
}

}  // namespace claude::sim
