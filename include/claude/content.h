// What the model says and what tools answer: content blocks, and the API message around them.
#pragma once

#include <claude/field.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace claude {

struct TextBlock {
  std::string_view text;
  RawJson citations;
};

struct ThinkingBlock {
  std::string_view thinking;
  Text signature;
};

struct RedactedThinkingBlock {
  std::string_view data;
};

struct ToolUseBlock {
  std::string_view id;
  std::string_view name;
  RawJson input;
  RawJson caller;
  Text toolset_name;
};

// The same, run by the API itself.
struct ServerToolUseBlock {
  std::string_view id;
  std::string_view name;
  RawJson input;
  RawJson caller;
};

// An image or a document: base64 data, a URL or a file.
struct Source {
  std::string_view type;
  Text media_type;
  Text data;
  Text url;
  Text file_id;
};

struct ImageBlock {
  Source source;
};

struct DocumentBlock {
  Source source;
  Text title;
  Text context;
  RawJson citations;
};

struct ToolResultBlock;

// A block of a type that this version does not know.
struct UnknownBlock {
  std::string_view type;
  RawJson raw;
};

using ContentBlock =
    std::variant<TextBlock, ThinkingBlock, RedactedThinkingBlock, ToolUseBlock, ToolResultBlock,
                 ServerToolUseBlock, ImageBlock, DocumentBlock, UnknownBlock>;

// Content as a plain string or as blocks: the CLI sends either.
class Content {
 public:
  Text plain;                        // set when it came as a string
  std::vector<ContentBlock> blocks;  // filled when it came as a list

  // All its text, of plain content or of the text blocks, one after the other.
  std::string text() const;
};

struct ToolResultBlock {
  std::string_view tool_use_id;
  Field<Content> content;
  Field<bool> is_error;
};

struct ServerToolUse {
  Field<std::int64_t> web_search_requests;
  Field<std::int64_t> web_fetch_requests;
};

struct CacheCreation {
  Field<std::int64_t> ephemeral_5m_input_tokens;
  Field<std::int64_t> ephemeral_1h_input_tokens;
};

struct OutputTokensDetails {
  Field<std::int64_t> thinking_tokens;
};

// Tokens of one model call or of one turn.
struct Usage {
  Field<std::int64_t> input_tokens;
  Field<std::int64_t> output_tokens;
  Field<std::int64_t> cache_creation_input_tokens;
  Field<std::int64_t> cache_read_input_tokens;
  Field<CacheCreation> cache_creation;
  Field<OutputTokensDetails> output_tokens_details;
  Field<ServerToolUse> server_tool_use;
  Text service_tier;
  Text inference_geo;
  Text speed;
  RawJson iterations;
  RawJson fallback_credit;
};

// A message as the Messages API has it.
struct ApiMessage {
  std::string_view id;
  std::string_view type;
  std::string_view role;
  std::string_view model;
  Content content;
  Text stop_reason;
  Text stop_sequence;
  RawJson stop_details;
  Field<Usage> usage;
  RawJson context_management;
  RawJson container;
  RawJson diagnostics;
};

}  // namespace claude
