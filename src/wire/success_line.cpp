// One form of line, compared piece by piece; what it tells, which may be anything, is read.
#include "wire/success_line.h"

#include "wire/names.h"
#include "wire/walk.h"

namespace claude::wire {
namespace {

constexpr std::string_view kDone =
    R"({"type":"control_response","response":{"subtype":"success","request_id":")";
static_assert(kDone.size() >= json::kBlockBytes);

struct Payload {
  RawJson text;
  std::uint64_t tokens = 0;
};

// The object at which the walk stands; none: there is no whole one.
Payload read_object(Walk& walk, bool may_escape) {
  const std::string_view rest = walk.rest();
  if (walk.skip("{}")) return {RawJson(rest.substr(0, 2))};
  if (!rest.starts_with('{')) return {};
  const json::Tokens tokens(rest);
  if (!tokens.first()) return {};
  const RawJson object = json::Reader(rest, tokens, may_escape).raw();
  if (object) walk.go_to(object.text().data() + object.text().size());
  return {object, tokens.number()};
}

}  // namespace

bool decode_success_line(const Block& block, Line& out) {
  Walk walk(block.text);
  std::string_view id;
  if (!walk.skip(kDone) || !walk.string(id)) return false;
  const bool tells = walk.skip(R"(,"response":)");  // some have none
  const std::string_view head = walk.since(block.text.data());
  if (!json::is_printable_ascii(head) || (block.escaped && head.find('\\') != head.npos))
    return false;
  const Payload payload = tells ? read_object(walk, block.escaped) : Payload{};
  if (tells && !payload.text) return false;
  if (!walk.skip("}}") || !walk.ended()) return false;

  auto& response = out.emplace<ControlResponse>();
  response.inner_id = {id, RawJson({id.data() - 1, id.size() + 2})};
  response.id = response.inner_id;
  response.subtype = std::string_view(kSuccess);
  response.success = true;
  response.payload = payload.text;
  response.tokens = payload.tokens;
  response.keep = block.keep;
  return true;
}

}  // namespace claude::wire
