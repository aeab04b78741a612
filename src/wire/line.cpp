#include "wire/line.h"

#include "wire/block.h"
#include "wire/decode_control.h"
#include "wire/decode_message.h"
#include "wire/names.h"
#include "wire/text_delta.h"

namespace claude::wire {
namespace {

// What a line is. The type is mostly the first member, but `result` has it near its end.
struct Head {
  std::string_view type;
  std::string_view subtype;
};

Head read_head(Decoder& decoder) {
  Head head;
  auto start = decoder.in.mark();
  decoder.in.each_member([&](json::Key key) {
    if (key.is("type") && decoder.read(head.type))
      return head.type == kSystem && head.subtype.empty();
    if (key.is("subtype") && decoder.read(head.subtype)) return head.type.empty();
    return static_cast<bool>(decoder.in.raw());
  });
  decoder.in.back_to(start);
  return head;
}

template <class Control>
Line finish(Control&& line, Decoder& decoder, const Block& block) {
  line.keep = block.keep;
  line.other = std::move(decoder.other);
  return std::forward<Control>(line);
}

}  // namespace

Line LineDecoder::decode(std::string_view text) {
  Block block(text);
  Line line;
  auto& event = std::get<StreamEvent>(std::get<Message>(line));
  if (decode_text_delta(block.text, block.arena, event)) {
    event.raw = block.text;
    event.keep = std::move(block.keep);
    return line;
  }
  std::string problem;
  const std::uint32_t* tokens = tokenizer_.tokens(block.text, problem);
  if (tokens == nullptr) return BadLine{std::move(problem)};
  json::Reader reader(block.text, tokens);
  if (reader.kind() != json::Kind::object) return BadLine{"the line is no JSON object"};
  Decoder decoder(reader, block.arena);
  Head head = read_head(decoder);
  if (head.type == kControlRequest) {
    ControlRequest request;
    decode_request(decoder, request);
    if (auto* ask = std::get_if<ToolRequest>(&request.body)) ask->keep = block.keep;
    line = finish(std::move(request), decoder, block);
  } else if (head.type == kControlResponse) {
    ControlResponse response;
    decode_response(decoder, response);
    line = finish(std::move(response), decoder, block);
  } else if (head.type == kControlCancel) {
    ControlCancel cancel;
    decode_cancel(decoder, cancel);
    line = finish(std::move(cancel), decoder, block);
  } else if (head.type == kKeepAlive) {
    reader.raw();
    line = KeepAlive{};
  } else if (head.type.empty()) {
    if (reader.raw()) return BadLine{"the line has no type"};
  } else {
    Message& message = std::get<Message>(line);
    decode_message(decoder, head.type, head.subtype, message);
    std::visit(
        [&](MessageBase& base) {
          base.raw = block.text;
          base.other = std::move(decoder.other);
          base.keep = std::move(block.keep);
        },
        static_cast<MessageVariant&>(message));
  }
  if (!reader.finished()) return BadLine{reader.problem()};
  return line;
}

}  // namespace claude::wire
