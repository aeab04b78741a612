// What a line that cannot be read says of itself.
//
// A line that is broken, nested too deeply or too long is lost, but somebody may wait for it: for
// the result of his turn, for the answer to what he asked, or the CLI for ours. What is needed to
// tell him stands in the outermost members. A skim takes the bytes in any pieces, needs no good
// JSON, and keeps a few short values. In a line that can be read it sees what the decoder sees.
#pragma once

#include "json/limits.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace claude::wire {

struct Frame {
  struct Id {
    std::string json;                 // to be sent back; good JSON, or empty: none can be seen
    std::optional<std::string> text;  // where it is one
  };
  std::string type;         // empty: none can be seen; so are the others
  Id id;                    // beside the body
  std::string subtype;      // of a request
  std::string callback_id;  // of a request to a hook
  Id answered_id;           // in the body of a response
};

class Skim {
 public:
  // A longer type, subtype or id counts as none.
  static constexpr std::size_t kMaxValueBytes = 256;

  // The next bytes of the line.
  void read(std::string_view bytes);
  const Frame& frame() const { return frame_; }

 private:
  enum class Member : std::uint8_t {
    other,
    type,
    id,
    request,
    response,
    subtype,
    callback_id,
    answered_id
  };
  enum class Keeping : std::uint8_t { nothing, name, value };

  std::size_t read_string(std::string_view rest);
  void read_structure(char c);
  void open(char bracket);
  void close(char bracket);
  void begin_value();
  void end_value();
  void keep(std::string_view piece);
  void begin_keeping(Keeping what);

  // Whether the members of the innermost open thing are looked at.
  bool at_members() const { return depth_ == 1 || (depth_ == 2 && body_ != Member::other); }
  Member named() const;
  std::string_view kept() const { return {kept_.data(), kept_bytes_}; }
  std::optional<std::string> kept_text() const;
  Frame::Id kept_id() const;

  Frame frame_;
  bool has_type_ = false;     // of members with one name the first is the type
  bool has_subtype_ = false;  // and the subtype; of others the last counts

  std::size_t depth_ = 0;
  bool over_ = false;  // what follows the object is not looked at
  bool in_string_ = false;
  bool escaped_ = false;           // the next byte, in a string
  bool at_name_ = false;           // a string is a name here, and no value
  Member member_ = Member::other;  // whose value comes
  Member body_ = Member::other;    // that is open: `request` or `response`

  Keeping keeping_ = Keeping::nothing;
  bool too_long_ = false;
  std::size_t kept_bytes_ = 0;
  std::array<char, kMaxValueBytes + json::kPaddingBytes> kept_{};
};

}  // namespace claude::wire
