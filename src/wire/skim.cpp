// A walk over brackets, commas and strings; values that matter are checked when they are whole.
#include "wire/skim.h"

#include "json/parse.h"
#include "json/strings.h"

namespace claude::wire {
namespace {

using Room = std::array<char, Skim::kMaxValueBytes + json::kPaddingBytes>;

// What a string with its quotes says; nothing if an escape is broken. The text has padding behind.
std::optional<std::string_view> plain(std::string_view quoted, Room& room) {
  json::Arena arena{room.data()};
  return json::unescape(quoted.substr(1, quoted.size() - 2), arena);
}

}  // namespace

void Skim::read(std::string_view bytes) {
  while (!bytes.empty() && !over_) {
    std::size_t done = 1;
    if (in_string_) {
      done = read_string(bytes);
    } else {
      read_structure(bytes.front());
    }
    bytes.remove_prefix(done);
  }
}

// Up to its end, as far as it has come.
std::size_t Skim::read_string(std::string_view rest) {
  std::size_t size = 0;
  bool ended = false, escaped = escaped_;
  while (size < rest.size() && !ended) {
    const char c = rest[size++];
    ended = c == '"' && !escaped;
    escaped = c == '\\' && !escaped;
  }
  escaped_ = escaped;
  in_string_ = !ended;
  keep(rest.substr(0, size));
  if (ended && keeping_ == Keeping::name) keeping_ = Keeping::nothing;
  return size;
}

void Skim::read_structure(char c) {
  const bool is_blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
  if (depth_ == 0 && c != '{') {
    over_ = !is_blank;
    return;
  }
  switch (c) {
    case '"':
      in_string_ = true;
      if (at_members() && at_name_) begin_keeping(Keeping::name);
      return keep({&c, 1});
    case '{':
    case '[':
      return open(c);
    case '}':
    case ']':
      return close(c);
    case ':':
      if (at_members() && at_name_) return begin_value();
      break;
    case ',':
      if (!at_members()) break;
      end_value();
      begin_keeping(Keeping::nothing);
      at_name_ = true;
      return;
    default:
      break;
  }
  if (keeping_ != Keeping::value) return;
  // However many stand there, they say no more than one.
  if (is_blank && (kept().empty() || kept().ends_with(' '))) return;
  keep(is_blank ? std::string_view(" ") : std::string_view(&c, 1));
}

void Skim::open(char bracket) {
  const bool is_body = member_ == Member::request || member_ == Member::response;
  if (depth_ == 1 && bracket == '{' && is_body && !at_name_) {
    body_ = member_;
    if (body_ == Member::response) {
      frame_.answered_id = {};
    } else {
      has_subtype_ = false;
      frame_.subtype.clear();
      frame_.callback_id.clear();
    }
  }
  if (keeping_ == Keeping::value) {
    keep({&bracket, 1});
  } else {
    begin_keeping(Keeping::nothing);
  }
  at_name_ = true;
  ++depth_;
}

void Skim::close(char bracket) {
  if (at_members()) {
    end_value();
  } else if (keeping_ == Keeping::value) {
    keep({&bracket, 1});
  }
  at_name_ = false;
  over_ = --depth_ == 0;
  if (depth_ == 1) body_ = Member::other;
}

void Skim::begin_value() {
  at_name_ = false;
  member_ = named();
  const bool is_wanted =
      member_ != Member::other && member_ != Member::request && member_ != Member::response;
  begin_keeping(is_wanted ? Keeping::value : Keeping::nothing);
}

void Skim::end_value() {
  if (keeping_ != Keeping::value) return;
  if (kept().ends_with(' ')) --kept_bytes_;
  switch (member_) {
    case Member::type:
      if (has_type_ || !kept().starts_with('"')) break;
      has_type_ = true;
      frame_.type = kept_text().value_or("");
      break;
    case Member::subtype:
      if (has_subtype_) break;
      has_subtype_ = true;
      frame_.subtype = kept_text().value_or("");
      break;
    case Member::callback_id:
      if (kept().starts_with('"')) frame_.callback_id = kept_text().value_or("");
      break;
    case Member::id:
      frame_.id = kept_id();
      break;
    case Member::answered_id:
      frame_.answered_id = kept_id();
      break;
    default:
      break;
  }
  begin_keeping(Keeping::nothing);
}

void Skim::begin_keeping(Keeping what) {
  keeping_ = what;
  kept_bytes_ = 0;
  too_long_ = false;
}

void Skim::keep(std::string_view piece) {
  if (keeping_ == Keeping::nothing || too_long_) return;
  too_long_ = piece.size() > kMaxValueBytes - kept_bytes_;
  if (!too_long_) kept_bytes_ += piece.copy(kept_.data() + kept_bytes_, piece.size());
}

Skim::Member Skim::named() const {
  if (too_long_ || kept_bytes_ < 2) return Member::other;
  Room room;
  const auto name = plain(kept(), room);
  if (!name) return Member::other;
  if (body_ == Member::response) {
    return *name == "request_id" ? Member::answered_id : Member::other;
  }
  if (body_ == Member::request) {
    if (*name == "subtype") return Member::subtype;
    return *name == "callback_id" ? Member::callback_id : Member::other;
  }
  if (*name == "type") return Member::type;
  if (*name == "request_id") return Member::id;
  if (*name == "request") return Member::request;
  return *name == "response" ? Member::response : Member::other;
}

std::optional<std::string> Skim::kept_text() const {
  if (too_long_ || !kept().starts_with('"') || !json::is_json(kept())) return std::nullopt;
  Room room;
  const auto text = plain(kept(), room);
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

Frame::Id Skim::kept_id() const {
  if (too_long_ || !json::is_json(kept())) return {};
  return {std::string(kept()), kept_text()};
}

}  // namespace claude::wire
