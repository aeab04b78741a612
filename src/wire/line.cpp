// What a line is, then what it says.
#include "wire/line.h"

#include "base/utf8.h"
#include "wire/ask_line.h"
#include "wire/block.h"
#include "wire/decode_control.h"
#include "wire/decode_message.h"
#include "wire/names.h"
#include "wire/success_line.h"
#include "wire/text_delta.h"

namespace claude::wire {
namespace {

// As the CLI writes it: then it need not be looked for.
constexpr std::string_view kAskBegins = R"({"type":"control_request",)";

// What a line is. The type is mostly the first member, but `result` has it near its end.
struct Head {
  bool has_type = false;  // an empty one is one too
  std::string_view type;
  std::string_view subtype;
};

Head read_head(Decoder& decoder) {
  Head head;
  auto start = decoder.in.mark();
  decoder.in.each_member([&](json::Key key) {
    if (key.is("type") && decoder.read(head.type)) {
      head.has_type = true;
      return head.type == kSystem && head.subtype.empty();
    }
    if (key.is("subtype") && decoder.read(head.subtype)) return !head.has_type;
    return static_cast<bool>(decoder.in.raw());
  });
  decoder.in.back_to(start);
  return head;
}

std::string beginning(std::string_view line) {
  constexpr std::size_t kShownBytes = 200;
  std::string shown = utf8::repair(line.substr(0, kShownBytes));
  if (line.size() > kShownBytes) shown += "...";
  return shown;
}

[[gnu::cold]] BadLine bad_line(std::string problem, std::string_view line) {
  Skim skim;
  skim.read(line);
  return {std::move(problem), beginning(line), skim.frame()};
}

template <class Control>
Control& finish(Control& line, Decoder& decoder, Block& block) {
  line.other = std::move(decoder.other);
  line.keep = std::move(block.keep);
  return line;
}

// A line of the protocol, in a function of its own for each kind: what a kind of line does not need
// stays out of the cache.
[[gnu::noinline]] void decode_ask(Line& out, Decoder& decoder, Block& block, std::uint64_t tokens) {
  auto& request = out.emplace<ControlRequest>();
  decode_request(decoder, request);
  if (auto* ask = std::get_if<ToolRequest>(&request.body)) ask->keep = block.keep;
  finish(request, decoder, block).tokens = tokens;
  request.line = block.text;
  request.may_escape = block.escaped;
}

[[gnu::noinline]] void decode_answer_line(Line& out, Decoder& decoder, Block& block,
                                          std::uint64_t tokens) {
  auto& response = out.emplace<ControlResponse>();
  decode_response(decoder, response);
  finish(response, decoder, block).tokens = tokens;
}

// Any other. What is wrong with it; empty if nothing is.
[[gnu::noinline]] std::string_view decode_rest(Line& out, const Head& head, Decoder& decoder,
                                               Block& block) {
  if (head.type == kControlCancel) {
    auto& cancel = out.emplace<ControlCancel>();
    decode_cancel(decoder, cancel);
    finish(cancel, decoder, block);
  } else if (head.type == kKeepAlive) {
    decoder.in.raw();
    out = KeepAlive{};
  } else if (!head.has_type) {
    if (decoder.in.raw()) return "the line has no type";
  } else {
    auto* made = std::get_if<Message>(&out);
    Message& message = made ? *made : out.emplace<Message>();
    decode_message(decoder, head.type, head.subtype, message);
    std::visit(
        [&](MessageBase& base) {
          base.list_bytes = decoder.list_bytes();
          finish(base, decoder, block).raw = block.text;
        },
        static_cast<MessageVariant&>(message));
  }
  return {};
}

bool is_text_delta(Line& out, Block& block) {
  auto* message = std::get_if<Message>(&out);
  if (message == nullptr) return false;
  auto& event = std::get<StreamEvent>(*message);
  if (!decode_text_delta(block.text, block.arena, event)) return false;
  event.raw = block.text;
  event.keep = std::move(block.keep);
  return true;
}

// Any line, by a parser.
[[gnu::noinline]] std::string decode_parsed(Line& out, Block& block, bool asks) {
  const json::Tokens tokens(block.text);
  if (!tokens.first()) return tokens.problem();
  json::Reader reader(block.text, tokens, block.escaped);
  if (reader.kind() != json::Kind::object) return "the line is no JSON object";
  Decoder decoder(reader, block.arena);
  const Head head = asks ? Head{true, kControlRequest, {}} : read_head(decoder);
  if (head.type == kControlRequest) {
    decode_ask(out, decoder, block, tokens.number());
  } else if (head.type == kControlResponse) {
    decode_answer_line(out, decoder, block, tokens.number());
  } else if (auto wrong = decode_rest(out, head, decoder, block); !wrong.empty()) {
    return std::string(wrong);
  }
  reader.finished();
  return reader.problem();
}

// Into what fresh_line() made. What is wrong with the line; empty if nothing is.
std::string decode_into(Line& out, Block& block) {
  if (is_text_delta(out, block) || decode_success_line(block, out)) return {};
  const bool asks = block.text.starts_with(kAskBegins);
  if (asks && decode_ask_line(block, out)) return {};
  return decode_parsed(out, block, asks);
}

// A message is large, and made for nothing where the line is none. In most lines the type stands
// first, so mostly that is known.
Line fresh_line(std::string_view text) {
  if (text.starts_with(R"({"type":"control_)")) return KeepAlive{};
  return Line(std::in_place_type<Message>);  // `{}` would fill it with zeros before
}

}  // namespace

Line decode_line(std::string_view text, Memory memory) {
  Block block = memory ? Block(std::move(memory), text) : Block(text);
  Line line = fresh_line(text);
  std::string problem = decode_into(line, block);
  if (!problem.empty()) line = bad_line(std::move(problem), block.text);
  return line;
}

}  // namespace claude::wire
