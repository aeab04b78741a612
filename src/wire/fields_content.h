// Content blocks, API messages and stream events on the wire.
#pragma once

#include <claude/stream.h>

#include "wire/fields.h"

namespace claude::wire {

template <class V>
bool fields(V& v, Is<TextBlock> auto& b) {
  return v("text", b.text) || v("citations", b.citations);
}
template <class V>
bool fields(V& v, Is<ThinkingBlock> auto& b) {
  return v("thinking", b.thinking) || v("signature", b.signature);
}
template <class V>
bool fields(V& v, Is<RedactedThinkingBlock> auto& b) {
  return v("data", b.data);
}
template <class V>
bool fields(V& v, Is<ToolUseBlock> auto& b) {
  return v("id", b.id) || v("name", b.name) || v("input", b.input) || v("caller", b.caller) ||
         v("toolset_name", b.toolset_name);
}
template <class V>
bool fields(V& v, Is<ServerToolUseBlock> auto& b) {
  return v("id", b.id) || v("name", b.name) || v("input", b.input) || v("caller", b.caller);
}
template <class V>
bool fields(V& v, Is<ToolResultBlock> auto& b) {
  return v("tool_use_id", b.tool_use_id) || v("content", b.content) || v("is_error", b.is_error);
}
template <class V>
bool fields(V& v, Is<Source> auto& s) {
  return v("type", s.type) || v("media_type", s.media_type) || v("data", s.data) ||
         v("url", s.url) || v("file_id", s.file_id);
}
template <class V>
bool fields(V& v, Is<ImageBlock> auto& b) {
  return v("source", b.source);
}
template <class V>
bool fields(V& v, Is<DocumentBlock> auto& b) {
  return v("source", b.source) || v("title", b.title) || v("context", b.context) ||
         v("citations", b.citations);
}

template <class V>
bool fields(V& v, Is<ServerToolUse> auto& u) {
  return v("web_search_requests", u.web_search_requests) ||
         v("web_fetch_requests", u.web_fetch_requests);
}
template <class V>
bool fields(V& v, Is<CacheCreation> auto& u) {
  return v("ephemeral_5m_input_tokens", u.ephemeral_5m_input_tokens) ||
         v("ephemeral_1h_input_tokens", u.ephemeral_1h_input_tokens);
}
template <class V>
bool fields(V& v, Is<OutputTokensDetails> auto& u) {
  return v("thinking_tokens", u.thinking_tokens);
}
template <class V>
bool fields(V& v, Is<Usage> auto& u) {
  return v("input_tokens", u.input_tokens) ||
         v("cache_creation_input_tokens", u.cache_creation_input_tokens) ||
         v("cache_read_input_tokens", u.cache_read_input_tokens) ||
         v("output_tokens", u.output_tokens) || v("service_tier", u.service_tier) ||
         v("cache_creation", u.cache_creation) ||
         v("output_tokens_details", u.output_tokens_details) ||
         v("server_tool_use", u.server_tool_use) || v("inference_geo", u.inference_geo) ||
         v("iterations", u.iterations) || v("speed", u.speed) ||
         v("fallback_credit", u.fallback_credit);
}
template <class V>
bool fields(V& v, Is<ApiMessage> auto& m) {
  return v("id", m.id) || v("type", m.type) || v("role", m.role) || v("model", m.model) ||
         v("content", m.content) || v("stop_reason", m.stop_reason) ||
         v("stop_sequence", m.stop_sequence) || v("usage", m.usage) ||
         v("context_management", m.context_management) || v("stop_details", m.stop_details) ||
         v("container", m.container) || v("diagnostics", m.diagnostics);
}

template <class V>
bool fields(V& v, Is<TextDelta> auto& d) {
  return v("text", d.text);
}
template <class V>
bool fields(V& v, Is<ThinkingDelta> auto& d) {
  return v("thinking", d.thinking);
}
template <class V>
bool fields(V& v, Is<SignatureDelta> auto& d) {
  return v("signature", d.signature);
}
template <class V>
bool fields(V& v, Is<InputJsonDelta> auto& d) {
  return v("partial_json", d.partial_json);
}
template <class V>
bool fields(V& v, Is<CitationsDelta> auto& d) {
  return v("citation", d.citation);
}

template <class V>
bool fields(V& v, Is<MessageStart> auto& e) {
  return v("message", e.message);
}
template <class V>
bool fields(V& v, Is<ContentBlockStart> auto& e) {
  return v("index", e.index) || v("content_block", e.content_block);
}
template <class V>
bool fields(V& v, Is<ContentBlockDelta> auto& e) {
  return v("index", e.index) || v("delta", e.delta);
}
template <class V>
bool fields(V& v, Is<ContentBlockStop> auto& e) {
  return v("index", e.index);
}
template <class V>
bool fields(V& v, Is<MessageDelta::Change> auto& c) {
  return v("stop_reason", c.stop_reason) || v("stop_sequence", c.stop_sequence) ||
         v("stop_details", c.stop_details) || v("container", c.container);
}
template <class V>
bool fields(V& v, Is<MessageDelta> auto& e) {
  return v("delta", e.delta) || v("usage", e.usage) ||
         v("context_management", e.context_management);
}
template <class V>
bool fields(V&, Is<MessageStop> auto&) {
  return false;
}

template <>
struct Tags<ContentBlock> {
  using Unknown = UnknownBlock;
  static constexpr char key[] = "type";
  static constexpr auto all = std::tuple{Tag<TextBlock>{"text"},
                                         Tag<ToolUseBlock>{"tool_use"},
                                         Tag<ToolResultBlock>{"tool_result"},
                                         Tag<ThinkingBlock>{"thinking"},
                                         Tag<RedactedThinkingBlock>{"redacted_thinking"},
                                         Tag<ServerToolUseBlock>{"server_tool_use"},
                                         Tag<ImageBlock>{"image"},
                                         Tag<DocumentBlock>{"document"}};
};
template <>
struct Tags<Delta> {
  using Unknown = UnknownDelta;
  static constexpr char key[] = "type";
  static constexpr auto all = std::tuple{
      Tag<TextDelta>{"text_delta"},           Tag<InputJsonDelta>{"input_json_delta"},
      Tag<ThinkingDelta>{"thinking_delta"},   Tag<SignatureDelta>{"signature_delta"},
      Tag<CitationsDelta>{"citations_delta"},
  };
};
template <>
struct Tags<ApiEvent> {
  using Unknown = UnknownEvent;
  static constexpr char key[] = "type";
  static constexpr auto all = std::tuple{Tag<ContentBlockDelta>{"content_block_delta"},
                                         Tag<ContentBlockStart>{"content_block_start"},
                                         Tag<ContentBlockStop>{"content_block_stop"},
                                         Tag<MessageStart>{"message_start"},
                                         Tag<MessageDelta>{"message_delta"},
                                         Tag<MessageStop>{"message_stop"}};
};

}  // namespace claude::wire
