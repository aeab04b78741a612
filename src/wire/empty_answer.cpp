// One form of line, compared piece by piece.
#include "wire/empty_answer.h"

#include "wire/names.h"
#include "wire/walk.h"

namespace claude::wire {
namespace {

constexpr std::string_view kDone =
    R"({"type":"control_response","response":{"subtype":"success","request_id":")";
static_assert(kDone.size() >= kBlockBytes);

}  // namespace

bool decode_empty_answer(const Block& block, Line& out) {
  Walk walk(block.text);
  std::string_view id;
  if (block.escaped || !walk.skip(kDone) || !walk.string(id)) return false;
  RawJson payload;  // some have none
  if (walk.skip(R"(,"response":)")) {
    payload = RawJson(walk.rest().substr(0, 2));
    if (!walk.skip("{}")) return false;
  }
  if (!walk.skip("}}") || !walk.ended() || !is_plain(block.text)) return false;

  auto& response = out.emplace<ControlResponse>();
  response.inner_id = {id, RawJson({id.data() - 1, id.size() + 2})};
  response.id = response.inner_id;
  response.subtype = std::string_view(kSuccess);
  response.success = true;
  response.payload = payload;
  response.keep = block.keep;
  return true;
}

}  // namespace claude::wire
