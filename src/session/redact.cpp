// Plain searching, no regular expressions: a line may have megabytes.
#include "session/redact.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "base/utf8.h"
#include "json/parse.h"
#include "json/strings.h"
#include "launch/mask.h"

extern "C" char** environ;

namespace claude {
namespace {

// Shorter values are words, and hiding them would spoil the text.
constexpr std::size_t kShortestSecret = 8;

bool is_alnum(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// JSON in a text of JSON in a text: nobody escapes more often than this.
constexpr int kMostEscapes = 8;

// There are as many as the text has bytes. One that is too long for them is no JSON to us.
using Offset = std::uint32_t;

// A text of which parts are covered. It is searched as it is written, and with its escapes undone,
// once and again; a part that is found then is covered with all of its escapes.
class Cover {
 public:
  explicit Cover(std::string_view text)
      : text_(text), plain_(text), begins_(text.size() + 1), covers_(text.size(), kNone) {
    std::iota(begins_.begin(), begins_.end(), Offset{0});
  }

  // Undoes one more level of escapes; false if there is none.
  bool undo_escapes() {
    if (!plain_.contains('\\')) return false;
    json::Arena written{plain_.data()};
    std::size_t at = 0, to = 0;
    while (at < plain_.size()) {
      const Offset begin = begins_[at];
      const std::size_t escape = json::unescape_first(std::string_view(plain_).substr(at), written);
      if (escape == 0) *written.at++ = plain_[at];
      at += std::max<std::size_t>(escape, 1);
      while (plain_.data() + to < written.at) begins_[to++] = begin;
    }
    if (to == at) return false;
    begins_[to] = static_cast<Offset>(text_.size());
    plain_.resize(to);
    return true;
  }

  // Covers `what` wherever `fits` says so, which is told what stands behind.
  template <class Fits>
  void put(char cover, std::string_view what, Fits fits) {
    for (std::size_t at = plain_.find(what); at != plain_.npos; at = plain_.find(what, at)) {
      const std::size_t end = at + what.size();
      if (fits(std::string_view(plain_).substr(end))) put_on(cover, begins_[at], begins_[end]);
      at = end;
    }
  }
  void put(char cover, std::string_view what) {
    put(cover, what, [](std::string_view) { return true; });
  }

  std::string shown() const {
    std::string shown;
    for (std::size_t at = 0; at < text_.size(); ++at) {
      if (covers_[at] == kNone) shown += text_[at];
      if (covers_[at] == kSecret) shown += launch::kMask;
      if (covers_[at] == kHome) shown += "$HOME";
      if (covers_[at] == kHomeAsName) shown += "/-HOME-";
    }
    return shown;
  }

  // What stands for a part; its other bytes are kMore.
  static constexpr char kNone = 0, kMore = 1, kSecret = 2, kHome = 3, kHomeAsName = 4;

 private:
  // A part that overlaps another goes under the cover of that one.
  void put_on(char cover, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    if (covers_[begin] == kNone) covers_[begin] = cover;
    const std::size_t rest = end - begin - 1;
    covers_.replace(begin + 1, rest, rest, kMore);
  }

  std::string_view text_;
  std::string plain_;           // the text without escapes
  std::vector<Offset> begins_;  // where in the text each byte of that one begins, and its end
  std::string covers_;          // of each byte of the text
};

// The text as `cover` leaves it, which is called on each level of escapes.
template <class F>
std::string covered(std::string_view text, bool is_json, F cover) {
  Cover covered(text);
  // The n of \n is no letter, and without it the backslash would be no escape.
  if (is_json) covered.undo_escapes();
  for (int level = 0; level < kMostEscapes; ++level) {
    cover(covered);
    if (!covered.undo_escapes()) break;
  }
  return covered.shown();
}

// Where the path ends or goes on below: /root is no part of /rootfs.
bool ends_path(std::string_view behind) {
  return behind.empty() || (!is_alnum(behind[0]) && behind[0] != '-');
}

bool may_be_number(std::string_view text) {
  return text.find_first_not_of("0123456789+-.eE") == text.npos;
}

// The variables and headers of a server or of settings, by their names.
void add_named(const Json& config, std::vector<std::string>& secrets) {
  for (const char* part : {"env", "headers"}) {
    const Json* values = config.find(part);
    if (!values || !values->is_object()) continue;
    for (const auto& [name, value] : values->members()) {
      if (!launch::is_secret_name(name)) continue;
      const std::string_view text = value.text();
      secrets.emplace_back(text);
      // Of "Bearer abc" the token may come alone.
      secrets.emplace_back(text.substr(text.find(' ') + 1));
    }
  }
}

}  // namespace

Redactor::Redactor(std::string home, const std::vector<std::string>& secrets)
    : home_(std::move(home)) {
  while (home_.ends_with('/')) home_.pop_back();
  home_as_name_ = home_;
  for (char& c : home_as_name_)
    if (!is_alnum(c)) c = '-';
  hide(secrets);
}

void Redactor::hide(const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    if (secret.size() < kShortestSecret) continue;
    auto& place = may_be_number(secret) ? numbers_ : secrets_;
    place.push_back(secret);
    if (!utf8::is_valid(secret)) place.push_back(utf8::repair(secret));  // as JSON has it
  }
  for (auto* kind : {&secrets_, &numbers_}) {
    std::ranges::sort(*kind, std::greater(), [](const std::string& secret) {
      return std::pair(secret.size(), std::string_view(secret));
    });
    // Sessions that share a recorder have the same ones.
    const auto twice = std::ranges::unique(*kind);
    kind->erase(twice.begin(), twice.end());
  }
}

std::string Redactor::operator()(std::string_view line) const {
  if (line.size() > std::numeric_limits<Offset>::max()) return std::string(launch::kMask);
  const std::string text = covered(line, json::is_json(line), [&](Cover& cover) {
    for (const std::string& secret : secrets_) cover.put(Cover::kSecret, secret);
    if (home_.empty()) return;
    cover.put(Cover::kHome, home_, ends_path);
    cover.put(Cover::kHomeAsName, "/" + home_as_name_ + "-");
  });
  // In JSON, even in a text, a mask in place of a number has to be in quotes.
  return launch::masked(text, [&](std::string_view part) {
    if (numbers_.empty()) return std::string(part);
    return covered(part, false, [&](Cover& cover) {
      for (const std::string& number : numbers_) cover.put(Cover::kSecret, number);
    });
  });
}

std::vector<std::string> secrets_of_environment() {
  std::vector<std::string> secrets;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view variable(*entry);
    const std::size_t equals = variable.find('=');
    if (equals != variable.npos && launch::is_secret_name(variable.substr(0, equals)))
      secrets.emplace_back(variable.substr(equals + 1));
  }
  return secrets;
}

std::vector<std::string> secrets_of(const Options& options) {
  std::vector<std::string> secrets;
  for (const auto& [name, value] : options.environment.set)
    if (launch::is_secret_name(name)) secrets.push_back(value);
  for (const auto& [name, config] : options.mcp_servers.external()) add_named(config, secrets);
  if (const auto settings = Json::parse(options.settings.value_or(""))) {
    add_named(*settings, secrets);
  }
  return secrets;
}

}  // namespace claude
