// The pieces of an answer while the model writes it (Options::partial_messages).
#pragma once

#include <claude/content.h>

namespace claude {

struct TextDelta {
  std::string_view text;
};
struct ThinkingDelta {
  std::string_view thinking;
};
struct SignatureDelta {
  std::string_view signature;
};
struct InputJsonDelta {
  std::string_view partial_json;
};
struct CitationsDelta {
  RawJson citation;
};
struct UnknownDelta {
  std::string_view type;
  RawJson raw;
};
using Delta = std::variant<TextDelta, ThinkingDelta, SignatureDelta, InputJsonDelta, CitationsDelta,
                           UnknownDelta>;

struct MessageStart {
  ApiMessage message;
};
struct ContentBlockStart {
  std::int64_t index = 0;
  ContentBlock content_block;
};
struct ContentBlockDelta {
  std::int64_t index = 0;
  Delta delta;
};
struct ContentBlockStop {
  std::int64_t index = 0;
};
// How the message ended: the last word on its stop reason and usage.
struct MessageDelta {
  struct Change {
    Text stop_reason;
    Text stop_sequence;
    RawJson stop_details;
    RawJson container;
  };
  Change delta;
  Field<Usage> usage;
  RawJson context_management;
};
struct MessageStop {};
struct UnknownEvent {
  std::string_view type;
  RawJson raw;
};

using ApiEvent = std::variant<ContentBlockDelta, ContentBlockStart, ContentBlockStop, MessageStart,
                              MessageDelta, MessageStop, UnknownEvent>;

}  // namespace claude
