// Plain searching, no regular expressions: a line may have megabytes.
#include "session/redact.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

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
    secrets_.push_back(secret);
    if (std::string escaped = as_json(secret); escaped != secret) secrets_.push_back(escaped);
  }
  std::ranges::sort(secrets_, std::greater(), [](const std::string& secret) {
    return std::pair(secret.size(), std::string_view(secret));
  });
  // Sessions that share a recorder have the same ones.
  const auto twice = std::ranges::unique(secrets_);
  secrets_.erase(twice.begin(), twice.end());
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
