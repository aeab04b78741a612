// The short cut for the answers of a success against the general decoder: never a different one.
#include "wire/success_line.h"

#include <gmock/gmock.h>

#include "wire/changed.h"
#include "wire/decode_answers.h"

#include <string>
#include <vector>

namespace claude::wire {
namespace {

std::string answer_with(const std::string& behind_the_id) {
  return R"({"type":"control_response","response":{"subtype":"success","request_id":"req_2_ab")" +
         behind_the_id + "}}";
}
const std::string kEmpty = answer_with(R"(,"response":{})");
const std::string kTells = answer_with(R"(,"response":{"model":"claude-\u00e9","new":[1,"}}"]})");

// All that was read of a line, the id first; empty: nothing.
using Read = std::vector<std::string>;

Read read_from(const ControlResponse& response) {
  const auto answer = decode_answer<ModelSet>(response.payload, {response.keep, response.tokens});
  return {std::string(response.id.text),
          std::string(response.id.json.text()),
          std::string(response.inner_id.text),
          std::string(response.outer_id.json.text()),
          std::string(response.subtype.value_or("-")),
          std::string(response.payload.text()),
          std::string(response.error.value_or("-")),
          response.success ? "a success" : "no success",
          response.keep ? "kept" : "lost",
          std::string(answer.raw.text()),
          std::string(answer.model.value_or("-")),
          std::to_string(response.other.size() + answer.other.size())};
}

Read answer_by_the_short_cut(const std::string& line) {
  Block block(line);
  Line read = KeepAlive{};
  return decode_success_line(block, read) ? read_from(std::get<ControlResponse>(read)) : Read{};
}

// The same line, with a blank at its end: not for the short cut.
Read answer_in_the_general_way(const std::string& line) {
  Line decoded = decode_line(line + " ");
  auto* response = std::get_if<ControlResponse>(&decoded);
  return response ? read_from(*response) : Read{};
}

TEST(SuccessLine, IsReadAsTheGeneralDecoderReadsIt) {
  for (const std::string& line : {kEmpty, kTells, answer_with("")}) {
    const Read read = answer_by_the_short_cut(line);
    EXPECT_EQ(read, answer_in_the_general_way(line));
    EXPECT_THAT(read, testing::IsSupersetOf({"req_2_ab", "\"req_2_ab\"", "success", "a success"}));
  }
}

TEST(SuccessLine, MayTellWhatIsAsDeepAsTheGeneralDecoderTakesAndNoDeeper) {
  for (std::size_t depth = json::kMaxDepth - 4; depth <= json::kMaxDepth + 1; ++depth) {
    const std::string deep = std::string(depth, '[') + std::string(depth, ']');
    const std::string line = answer_with(R"(,"response":{"new":)" + deep + "}");
    EXPECT_EQ(answer_by_the_short_cut(line), answer_in_the_general_way(line)) << depth;
  }
}

TEST(SuccessLine, OfAnyOtherFormIsLeftAlone) {
  for (const char* behind_the_id :
       {R"(,"response":null)", R"(,"response":"done")", R"(,"response": {})",
        R"(,"response":{"a":1}x)", R"(,"response":{},"response":{})", R"(,"more":1)", "}", " "}) {
    EXPECT_EQ(answer_by_the_short_cut(answer_with(behind_the_id)), Read{}) << behind_the_id;
  }
  for (const auto& [what, instead] : {std::pair<std::string, std::string>{"success", "error"},
                                      {"req_2_ab", "\\u0061"},
                                      {"req_2_ab", "\xc3\xa9"},
                                      {"req_2_ab", "\x01"},
                                      {"\"req_2_ab\"", "7"},
                                      {"{}}}", "{}}"}}) {
    std::string line = kEmpty;
    line.replace(line.find(what), what.size(), instead);
    EXPECT_EQ(answer_by_the_short_cut(line), Read{}) << line;
  }
}

TEST(SuccessLine, IsNeverReadDifferentlyWhenItIsChanged) {
  for (const std::string& line : {kEmpty, kTells}) {
    test::expect_same_when_changed(line, &answer_by_the_short_cut, &answer_in_the_general_way);
  }
}

}  // namespace
}  // namespace claude::wire
