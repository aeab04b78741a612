// Masking is a scan over text and a walk over JSON: no patterns that could be slow or fail.
#include "launch/mask.h"

#include <claude/json.h>

#include <algorithm>
#include <array>

namespace claude::launch {
namespace {

constexpr std::array<std::string_view, 14> kSecretWords = {
    "key",        "token",       "secret", "secrets",       "password", "passwd", "passphrase",
    "credential", "credentials", "auth",   "authorization", "cookie",   "pat",    "headers"};

// Beginnings by which well-known tokens are recognised wherever they stand.
constexpr std::array<std::string_view, 9> kTokenStarts = {
    "sk-", "ghp_", "gho_", "github_pat_", "xoxb-", "glpat-", "Bearer ", "bearer ", "Basic "};

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_alnum(char c) {
  return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
bool in_name(char c) {
  return is_alnum(c) || c == '_' || c == '-';
}
char lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

bool ends_in_secret(std::string_view word) {
  for (const std::string_view secret : kSecretWords) {
    if (word.ends_with(secret)) return true;
  }
  return false;
}

// Where the text from `at` on stops being one unbroken value.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  return std::min(text.size(), text.find_first_of(" \t\r\n&;,'\"", at));
}

// The length of what may be shown of a secret that is known by its look; 0 when none starts here.
std::size_t shown_of_token(std::string_view text, std::size_t at) {
  if (at > 0 && in_name(text[at - 1])) return 0;
  for (const std::string_view start : kTokenStarts) {
    if (text.substr(at).starts_with(start)) return start.size();
  }
  return 0;
}

// The name before the sign at `at`: api_key in `&api_key=`, token in `"token":`.
std::string_view name_before(std::string_view text, std::size_t at) {
  if (at > 0 && text[at - 1] == '"') --at;
  std::size_t begin = at;
  while (begin > 0 && in_name(text[begin - 1])) --begin;
  return text.substr(begin, at - begin);
}

// Behind the sign of a secret name: blanks, a quote, and the value up to the next quote, or to the
// end of the line if it stands in none. Gives the end of what is hidden.
std::size_t hide_named(std::string& out, std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '"' || text[at] == '\'')) {
    out += text[at++];
  }
  out += kMask;
  return std::min(text.size(), text.find_first_of("\r\n&'\"", at));
}

// What stands between "://" and the '@' of a URL; 0 when there is nothing.
std::size_t user_info(std::string_view text, std::size_t at) {
  const std::string_view authority = text.substr(at, text.find_first_of("/ ?#'\"", at) - at);
  const std::size_t length = authority.rfind('@');
  return length == std::string_view::npos ? 0 : length;
}

std::string masked_text(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t shown = shown_of_token(text, i);
    if (shown > 0) {
      out.append(text.substr(i, shown)).append(kMask);
      i = end_of_value(text, i + shown);
      continue;
    }
    const char sign = text[i];
    out += sign;
    ++i;
    if ((sign == '=' || sign == ':') && is_secret_name(name_before(text, i - 1))) {
      i = hide_named(out, text, i);
    } else if (out.ends_with("://") && user_info(text, i) > 0) {
      out += kMask;
      i += user_info(text, i);
    }
  }
  return out;
}

// The object with what `change` makes of each member. Not by Json::set, which looks for the name
// each time: a line may have a million members. What is no object stays as it is.
template <class Change>
Json with_members(const Json& object, Change change) {
  if (!object.is_object()) return object;
  Json::Object members;
  members.reserve(object.size());
  for (const auto& [name, member] : object.members()) {
    members.push_back({name, change(name, member)});
  }
  return Json::object(std::move(members));
}

// Below a secret name every text is one.
Json hidden(const Json& value) {
  if (value.is_string()) return kMask;
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value.items()) out.push_back(hidden(item));
    return out;
  }
  return with_members(value, [](std::string_view, const Json& member) { return hidden(member); });
}

Json masked_json(const Json& value);

// The arguments of a server: after `--token` the next word is the secret.
Json masked_array(const Json& array) {
  Json out = Json::array();
  bool hide_next = false;
  for (const Json& item : array.items()) {
    const std::string_view text = item.text();
    if (hide_next) {
      out.push_back(hidden(item));
    } else {
      out.push_back(item.is_string() ? Json(masked_word(text)) : masked_json(item));
    }
    hide_next = text.starts_with('-') && !text.contains('=') && is_secret_name(text);
  }
  return out;
}

Json masked_json(const Json& value) {
  if (value.is_string()) return masked(value.text());
  if (value.is_array()) return masked_array(value);
  return with_members(value, [](std::string_view name, const Json& member) {
    return is_secret_name(name) ? hidden(member) : masked_json(member);
  });
}

}  // namespace

bool is_secret_name(std::string_view name) {
  std::string word;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool hump = i > 0 && is_upper(name[i]) && !is_upper(name[i - 1]);  // apiKey
    if (!is_alnum(name[i]) || hump) {
      if (ends_in_secret(word)) return true;
      word.clear();
    }
    if (is_alnum(name[i])) word += lower(name[i]);
  }
  return ends_in_secret(word);
}

std::string masked(std::string_view value) {
  if (value.starts_with('{') || value.starts_with('[')) {
    if (const auto json = Json::parse(value)) return masked_json(*json).dump();
  }
  return masked_text(value);
}

std::string masked_word(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (!word.starts_with("--") || equals == std::string_view::npos) return masked(word);
  const std::string_view flag = word.substr(0, equals);
  std::string out(word.substr(0, equals + 1));
  return out += is_secret_name(flag) ? std::string(kMask) : masked(word.substr(equals + 1));
}

}  // namespace claude::launch
