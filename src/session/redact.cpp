// Plain searching, no regular expressions: a line may have megabytes.
#include "session/redact.h"

#include <algorithm>
#include <cctype>
#include <functional>

#include "json/writer.h"
#include "launch/mask.h"

extern "C" char** environ;

namespace claude {
namespace {

constexpr std::string_view kHome = "$HOME";
// Shorter values are words, and hiding them would spoil the text.
constexpr std::size_t kShortestSecret = 8;

bool is_alnum(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// Wherever `fits` says so, which is told what stands behind. Into a new text: each replacement in
// the old one would move all that follows, and a line may have a million of them.
template <class Fits>
void replace(std::string& text, std::string_view what, std::string_view by, Fits fits) {
  std::string replaced;
  std::size_t copied = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + what.size())) {
    const std::size_t end = at + what.size();
    if (!fits(std::string_view(text).substr(end))) continue;
    replaced.append(text, copied, at - copied).append(by);
    copied = end;
  }
  if (copied > 0) text = replaced.append(text, copied);
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  replace(text, what, by, [](std::string_view) { return true; });
}

// Only where the path ends or goes on below: /root is no part of /rootfs.
void replace_path(std::string& text, std::string_view path, std::string_view by) {
  replace(text, path, by, [](std::string_view behind) {
    return behind.empty() || (!is_alnum(behind[0]) && behind[0] != '-');
  });
}

std::string as_json(const std::string& text) {
  std::string quoted;
  json::Writer(quoted).string(text);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

Redactor::Redactor(std::string home, const std::vector<std::string>& secrets)
    : home_(std::move(home)) {
  while (home_.ends_with('/')) home_.pop_back();
  home_as_name_ = home_;
  for (char& c : home_as_name_)
    if (!is_alnum(c)) c = '-';
  for (const std::string& secret : secrets) {
    if (secret.size() < kShortestSecret) continue;
    secrets_.push_back(secret);
    if (std::string escaped = as_json(secret); escaped != secret) secrets_.push_back(escaped);
  }
  std::ranges::sort(secrets_, std::greater(),
                    [](const std::string& secret) { return secret.size(); });
}

std::string Redactor::operator()(std::string_view line) const {
  std::string text(line);
  for (const std::string& secret : secrets_) replace_all(text, secret, launch::kMask);
  if (!home_.empty()) {
    replace_path(text, home_, kHome);
    replace_all(text, "/" + home_as_name_ + "-", "/-HOME-");
  }
  return launch::masked(text);
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

}  // namespace claude
