// Nothing broken may pass, nothing good may be refused, and what passes must have arrived whole.
#include "wire/second_opinion.h"

#include "wire/recordings.h"
#include "wire/support.h"

#include <map>
#include <set>

namespace claude::test {
namespace {

bool reads_as_json(std::string_view text) {
  std::string padded(text);
  padded.resize(text.size() + json::kPaddingBytes);
  const std::string_view line(padded.data(), text.size());
  const json::Tokens tokens(line);
  if (!tokens.first()) return false;
  json::Reader reader(line, tokens);
  reader.raw();
  return reader.finished();
}

// What only one of them reads: half an emoji, a byte order mark, anything behind a NUL; and what is
// nested deeper than our limit.
bool is_a_matter_of_taste(const std::string& line) {
  return line.contains('\0') || line.contains("\\ud") || line.contains("\\uD") ||
         line.starts_with("\xEF\xBB\xBF") ||
         static_cast<std::size_t>(std::ranges::count_if(
             line, [](char c) { return c == '[' || c == '{'; })) >= json::kMaxDepth;
}

// Of a good line. An id may be longer than a skim keeps.
std::string disagreement_of_skim(const std::string& line, const wire::Line& decoded,
                                 const Oracle& json) {
  wire::Skim skim;
  skim.read(line);
  const wire::Frame& frame = skim.frame();
  const auto same = [](const wire::Frame::Id& seen, const wire::RequestId& id) {
    const std::string_view text = id.json.text();
    if (text.size() > wire::Skim::kMaxValueBytes) return true;
    if (seen.json.empty() != text.empty() || seen.text.value_or("") != id.text) return false;
    return text.empty() || Oracle::parse(seen.json) == Oracle::parse(text);
  };
  const std::string type = json["type"];
  if (type.size() < wire::Skim::kMaxValueBytes / 6 && frame.type != type) return "its type";
  if (auto* request = std::get_if<wire::ControlRequest>(&decoded)) {
    if (!json.contains("request") || !json["request"].is_object()) return {};  // wrapped, or none
    auto* hook = std::get_if<wire::HookCallback>(&request->body);
    if (!same(frame.id, request->id)) return "the id of the request";
    if (request->subtype.size() < wire::Skim::kMaxValueBytes / 6 &&
        frame.subtype != request->subtype)
      return "what it asks";
    if (hook && hook->callback_id.size() < wire::Skim::kMaxValueBytes / 6 &&
        frame.callback_id != hook->callback_id)
      return "whom it asks";
  } else if (auto* response = std::get_if<wire::ControlResponse>(&decoded)) {
    if (!same(frame.id, response->outer_id)) return "the id beside the response";
    if (!same(frame.answered_id, response->inner_id)) return "the id of the response";
  }
  return {};
}

}  // namespace

std::string disagreement(const std::string& line) {
  const wire::Line decoded = decode(line);
  if (is_a_matter_of_taste(line)) return {};
  // Of two members with one name the oracle takes the last; what a line or a block of content is,
  // the first type decides.
  std::map<int, std::set<std::string>> names;  // of the object that is open at each depth
  bool has_twins = false;
  auto look = [&](int depth, Oracle::parse_event_t event, const Oracle& parsed) {
    if (event == Oracle::parse_event_t::object_start) names[depth + 1].clear();
    if (event == Oracle::parse_event_t::key) {
      has_twins |= !names[depth].insert(parsed.get<std::string>()).second;
    }
    return true;
  };
  const Oracle json = Oracle::parse(line, look, false);
  if (has_twins) return {};
  if (reads_as_json(line) == json.is_discarded()) return "whether it is JSON";
  const bool good =
      !json.is_discarded() && json.is_object() && json.contains("type") && json["type"].is_string();
  const bool refused = std::holds_alternative<wire::BadLine>(decoded);
  if (good && refused) return "it is good, and was refused";
  if (json.is_discarded() && !refused) return "it is broken, and was taken";

  if (!good) return {};
  if (auto about = disagreement_of_skim(line, decoded, json); !about.empty()) return about;

  auto* message = std::get_if<Message>(&decoded);
  if (message == nullptr) return {};
  Oracle fields = json;
  fields.erase("type");
  if (json["type"] == "system") fields.erase("subtype");
  return first_not_found(fields, oracle(*message));
}

}  // namespace claude::test
