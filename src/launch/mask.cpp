// Masking is a scan over text and a walk over JSON: no patterns that could be slow or fail.
#include "launch/mask.h"

#include "json/reader.h"
#include "json/writer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

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

// Behind the sign of a secret name: blanks, a quote, and the value up to the next quote that is not
// escaped, or to the end of the line if it stands in none. Gives the end of what is hidden.
std::size_t hide_named(std::string& out, std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '"' || text[at] == '\'')) {
    out += text[at++];
  }
  out += kMask;
  constexpr std::string_view kEnds = "\r\n&'\"";
  while (at < text.size() && !kEnds.contains(text[at])) at += text[at] == '\\' ? 2 : 1;
  return std::min(text.size(), at);
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

// A line that holds JSON that holds JSON that holds JSON: each takes time and memory for its text
// again, and stack for what is nested in it.
constexpr int kMostTexts = 4;

// Masks a value that stands in so many texts.
std::string masked_in(int texts, std::string_view value, const HideMore& hide_more);
std::string masked_word_in(int texts, std::string_view word, const HideMore& hide_more);

std::string shown(std::string_view text, const HideMore& hide_more) {
  return hide_more ? hide_more(text) : std::string(text);
}

// Writes JSON again, without its secrets. Piece by piece, because as a value a line may take a
// hundred times its text.
class JsonMask {
 public:
  JsonMask(int texts, std::string_view text, const json::Tokens& tokens, const HideMore& hide_more,
           std::string& out)
      : texts_(texts), hide_more_(hide_more), in_(text, tokens), out_(out) {
    if (text.contains('\\')) plain_.resize(text.size() + json::kPaddingBytes);
  }

  // Whether what was written differs from the text by more than blanks and escapes.
  bool has_hidden() const { return has_hidden_; }

  // False, and nothing is written, where the text is no JSON.
  bool write_all() {
    const json::Reader::Mark start = in_.mark();
    if (!in_.raw() || !in_.finished()) return false;
    in_.back_to(start);
    write(false);
    return true;
  }

 private:
  // `hide`: below a secret name every text is one.
  void write(bool hide) {
    switch (in_.kind()) {
      case json::Kind::object:
        return write_object(hide);
      case json::Kind::array:
        return write_array(hide);
      case json::Kind::string: {
        const std::string_view text = read_string();
        return write_text(text, hide ? kMask : masked_in(texts_ + 1, text, hide_more_));
      }
      case json::Kind::number: {
        const std::string_view number = in_.raw().text();
        if (hide || shown(number, hide_more_) != number) return write_text(number, kMask);
        out_.raw(number);
        return;
      }
      default:
        out_.raw(in_.raw().text());
    }
  }

  void write_object(bool hide) {
    out_.begin_object();
    in_.each_member([&](json::Key key) {
      const std::string name = plain(key.raw());
      const std::string shown_name = shown(name, hide_more_);
      has_hidden_ |= shown_name != name;
      out_.key(shown_name);
      write(hide || is_secret_name(name));
      return true;
    });
    out_.end_object();
  }

  // The arguments of a server: after `--token` the next word is the secret.
  void write_array(bool hide) {
    bool hide_next = false;
    out_.begin_array();
    in_.each_item([&] {
      if (in_.kind() != json::Kind::string) {
        write(hide || std::exchange(hide_next, false));
        return;
      }
      const std::string_view word = read_string();
      write_text(word, hide || hide_next ? kMask : masked_word_in(texts_ + 1, word, hide_more_));
      hide_next = word.starts_with('-') && !word.contains('=') && is_secret_name(word);
    });
    out_.end_array();
  }

  void write_text(std::string_view text, std::string_view shown) {
    has_hidden_ |= shown != text;
    out_.string(shown);
  }

  std::string plain(std::string_view name) {
    json::Arena arena{plain_.data()};
    if (name.contains('\\')) name = json::unescape(name, arena).value_or(name);
    return std::string(name);
  }

  // Good until the next is read.
  std::string_view read_string() {
    json::Arena arena{plain_.data()};
    return in_.string(arena).value_or(std::string_view());
  }

  int texts_;  // in which this one stands
  const HideMore& hide_more_;
  json::Reader in_;
  json::Writer out_;
  std::string plain_;  // room for what has escapes
  bool has_hidden_ = false;
};

std::optional<std::string> masked_json(int texts, std::string_view text,
                                       const HideMore& hide_more) {
  std::string padded(text);
  padded.append(json::kPaddingBytes, '\0');
  text = std::string_view(padded).substr(0, text.size());
  const json::Tokens tokens(text);
  if (!tokens.first()) return std::nullopt;
  std::string out;
  JsonMask mask(texts, text, tokens, hide_more, out);
  if (!mask.write_all()) return std::nullopt;
  // A text keeps its form. A line does not: half of a surrogate pair may be escaped in it.
  return texts == 0 || mask.has_hidden() ? out : std::string(text);
}

std::string masked_in(int texts, std::string_view value, const HideMore& hide_more) {
  const std::size_t begin = value.find_first_not_of(" \t\r\n");
  if (begin != value.npos && (value[begin] == '{' || value[begin] == '[')) {
    if (texts == kMostTexts) return std::string(kMask);
    if (auto json = masked_json(texts, value, hide_more)) return *std::move(json);
  }
  return masked_text(shown(value, hide_more));
}

std::string masked_word_in(int texts, std::string_view word, const HideMore& hide_more) {
  const std::size_t equals = word.find('=');
  if (!word.starts_with("--") || equals == std::string_view::npos)
    return masked_in(texts, word, hide_more);
  const std::string_view flag = word.substr(0, equals);
  // Not each such word is a flag: a line of a patch may be one.
  std::string out = masked_text(shown(flag, hide_more)) + '=';
  return out += is_secret_name(flag) ? std::string(kMask)
                                     : masked_in(texts, word.substr(equals + 1), hide_more);
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

std::string masked(std::string_view value, const HideMore& hide_more) {
  return masked_in(0, value, hide_more);
}

std::string masked_word(std::string_view word) {
  return masked_word_in(0, word, {});
}

}  // namespace claude::launch
