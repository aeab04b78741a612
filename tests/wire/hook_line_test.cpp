// The short cut for lines that ask a hook against the general decoder: never a different request.
#include "wire/hook_line.h"

#include <gmock/gmock.h>

#include "wire/block.h"

#include <random>
#include <string>

namespace claude::wire {
namespace {

const std::string kInput =
    R"({"session_id":"0b6f","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash",)"
    R"("tool_input":{"command":"ls -la","list":[1,{"a":null}]}})";
const std::string kLine =
    R"({"type":"control_request","request_id":"6ab1-1","request":{"subtype":"hook_callback",)"
    R"("callback_id":"hook_0","input":)" +
    kInput + R"(,"tool_use_id":"toolu_01"}})";

struct Asked {
  bool taken = false;  // by the short cut
  std::string id;
  std::string id_json;
  std::string callback;
  std::string input;
  std::string tool_use;
  bool operator==(const Asked&) const = default;
};

Asked asked_by(const ControlRequest& request) {
  auto* hook = std::get_if<HookCallback>(&request.body);
  if (hook == nullptr) return {};
  return {.id = std::string(request.id.text),
          .id_json = std::string(request.id.json.text()),
          .callback = std::string(hook->callback_id),
          .input = std::string(hook->input.text()),
          .tool_use = std::string(hook->tool_use_id.value_or("none"))};
}

Asked by_the_short_cut(const std::string& line) {
  Block block(line);
  const json::Tokens tokens(block.text);
  if (block.escaped || !tokens.first()) return {};
  json::Reader reader(block.text, tokens);
  ControlRequest request;
  if (!decode_hook_line(block.text, reader, request) || !reader.finished()) return {};
  Asked asked = asked_by(request);
  asked.taken = true;
  return asked;
}

// The same line, with a blank at its end: not for the short cut.
Asked in_the_general_way(const std::string& line) {
  Line decoded = decode_line(line + " ");
  auto* request = std::get_if<ControlRequest>(&decoded);
  Asked asked = request ? asked_by(*request) : Asked{};
  asked.taken = true;
  return asked;
}

TEST(HookLine, IsReadAsTheGeneralDecoderReadsIt) {
  const Asked asked = by_the_short_cut(kLine);
  ASSERT_TRUE(asked.taken);
  EXPECT_EQ(asked.id, "6ab1-1");
  EXPECT_EQ(asked.id_json, "\"6ab1-1\"");
  EXPECT_EQ(asked.callback, "hook_0");
  EXPECT_EQ(asked.input, kInput);
  EXPECT_EQ(asked.tool_use, "toolu_01");
  EXPECT_EQ(asked, in_the_general_way(kLine));
}

TEST(HookLine, MayNameNoTool) {
  std::string line = kLine;
  line.erase(line.find(R"(,"tool_use_id":"toolu_01")"), 25);
  const Asked asked = by_the_short_cut(line);
  ASSERT_TRUE(asked.taken);
  EXPECT_EQ(asked.tool_use, "none");
  EXPECT_EQ(asked, in_the_general_way(line));
}

TEST(HookLine, OfAnyOtherFormIsLeftAlone) {
  for (const auto& [what, instead] :
       {std::pair<std::string, std::string>{R"(,"request")", R"(, "request")"},
        {R"("callback_id":"hook_0")", R"("callback_id":"")"},
        {R"("subtype":"hook_callback")", R"("subtype":"mcp_message")"},
        {"toolu_01\"", "toolu_01\",\"more\":1"},
        {R"("tool_use_id":"toolu_01")", R"("tool_use_id":null)"},
        {R"("request_id":"6ab1-1")", R"("request_id":7)"}}) {
    std::string line = kLine;
    line.replace(line.find(what), what.size(), instead);
    EXPECT_FALSE(by_the_short_cut(line).taken) << line;
  }
}

// Whatever a line has been turned into: the short cut either leaves it alone or reads the same.
TEST(HookLine, IsNeverReadDifferentlyWhenItIsChanged) {
  std::mt19937 random(7);
  constexpr std::string_view kBytes = "\"\\{}[],:0123456789abcdefnu \t\x01\x7f\xc3\xa9";
  int taken = 0;
  for (int round = 0; round < 50'000; ++round) {
    std::string line = kLine;
    for (auto changes = 1 + random() % 3; changes > 0; --changes) {
      const std::size_t at = random() % line.size();
      const char byte = kBytes[random() % kBytes.size()];
      switch (random() % 3) {
        case 0:
          line[at] = byte;
          break;
        case 1:
          line.insert(at, 1, byte);
          break;
        default:
          line.erase(at, 1);
      }
    }
    const Asked asked = by_the_short_cut(line);
    if (!asked.taken) continue;
    ++taken;
    ASSERT_EQ(asked, in_the_general_way(line)) << line;
  }
  EXPECT_GT(taken, 1'000);
}

// As a line of a session: what is broken inside of the input breaks the line.
TEST(HookLine, IsCheckedToItsLastByte) {
  EXPECT_TRUE(std::holds_alternative<ControlRequest>(decode_line(kLine)));
  for (const char* broken : {"nul", "[1{", "null}"}) {
    std::string line = kLine;
    line.replace(line.find("null"), 4, broken);
    EXPECT_TRUE(std::holds_alternative<BadLine>(decode_line(line))) << line;
  }
}

}  // namespace
}  // namespace claude::wire
