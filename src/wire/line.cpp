// What a line is, then what it says.
#include "wire/line.h"

#include "base/utf8.h"
#include "wire/block.h"
#include "wire/decode_control.h"
#include "wire/decode_message.h"
#include "wire/names.h"
#include "wire/text_delta.h"

namespace claude::wire {
namespace {

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

template <class Control>
Control& finish(Control& line, Decoder& decoder, Block& block) {
  line.other = std::move(decoder.other);
  line.keep = std::move(block.keep);
  return line;
}

// Into a fresh `out`. What is wrong with the line; empty if nothing is.
std::string decode_into(Line& out, Block& block) {
  auto& event = std::get<StreamEvent>(std::get<Message>(out));
  if (decode_text_delta(block.text, block.arena, event)) {
    event.raw = block.text;
    event.keep = std::move(block.keep);
    return {};
  }
  const json::Tokens tokens(block.text);
  if (!tokens.first()) return tokens.problem();
  json::Reader reader(block.text, tokens, block.escaped);
  if (reader.kind() != json::Kind::object) return "the line is no JSON object";
  Decoder decoder(reader, block.arena);
  const Head head = read_head(decoder);

  if (head.type == kControlRequest) {
    auto& request = out.emplace<ControlRequest>();
    decode_request(decoder, request);
    if (auto* ask = std::get_if<ToolRequest>(&request.body)) ask->keep = block.keep;
    finish(request, decoder, block).tokens = tokens.number();
    request.may_escape = block.escaped;
  } else if (head.type == kControlResponse) {
    auto& response = out.emplace<ControlResponse>();
    decode_response(decoder, response);
    finish(response, decoder, block).tokens = tokens.number();
  } else if (head.type == kControlCancel) {
    auto& cancel = out.emplace<ControlCancel>();
    decode_cancel(decoder, cancel);
    finish(cancel, decoder, block);
  } else if (head.type == kKeepAlive) {
    reader.raw();
    out = KeepAlive{};
  } else if (!head.has_type) {
    if (reader.raw()) return "the line has no type";
  } else {
    auto& message = std::get<Message>(out);
    decode_message(decoder, head.type, head.subtype, message);
    std::visit([&](MessageBase& base) { finish(base, decoder, block).raw = block.text; },
               static_cast<MessageVariant&>(message));
  }
  reader.finished();
  return reader.problem();
}

}  // namespace

Line decode_line(std::string_view text, Memory memory) {
  Block block = memory ? Block(std::move(memory), text) : Block(text);
  Line line;
  std::string problem = decode_into(line, block);
  if (!problem.empty()) line = BadLine{std::move(problem), beginning(block.text)};
  return line;
}

}  // namespace claude::wire
