// Everything that the real CLI was seen to say and to be told, through the decoders and back.
#include "wire/recordings.h"
#include "wire/answers.h"
#include "wire/support.h"

#include "wire/decode_answers.h"
#include "wire/decode_hooks.h"
#include "wire/encode.h"
#include "wire/encode_control.h"

#include <map>
#include <set>

namespace claude {
namespace {

using test::Oracle;
using test::Recorded;

const std::vector<Recorded>& all() {
  static const std::vector<Recorded> lines = test::recordings();
  return lines;
}

// The words that have become the type of the struct are not in it.
Oracle without_words(const Recorded& line) {
  Oracle fields = line.json;
  fields.erase("type");
  if (line.type() == "system") fields.erase("subtype");
  return fields;
}

// S36 S47
TEST(Recordings, EveryValueOfAMessageIsInItsStruct) {
  std::size_t messages = 0;
  for (const Recorded& line : all()) {
    if (!line.json.is_object() || !line.from_cli || line.is_control()) continue;
    wire::Line decoded = test::decode(line.text);
    auto* message = std::get_if<Message>(&decoded);
    ASSERT_NE(message, nullptr) << line.place() << ": " << line.text;
    EXPECT_EQ(test::first_not_found(without_words(line), test::oracle(*message)), "")
        << line.place();
    EXPECT_EQ(message->raw(), line.text);
    ++messages;
  }
  EXPECT_GT(messages, 0u);
}

TEST(Recordings, NothingInAMessageIsUnknown) {
  if (!test::are_our_recordings()) GTEST_SKIP() << "a newer CLI may say more";
  for (const Recorded& line : all()) {
    if (!line.json.is_object() || !line.from_cli || line.is_control()) continue;
    Message message = std::get<Message>(test::decode(line.text));
    EXPECT_FALSE(std::holds_alternative<UnknownMessage>(message)) << line.place();
    // Whoever made the recordings shortened lists, and noted that in a field of its own.
    const std::string unknown = test::paths(message.base().other);
    EXPECT_TRUE(unknown.empty() || unknown == "_elided") << line.place() << ": " << unknown;
  }
}

// A line that no SDK may write, kept to see what the CLI does with it.
const std::map<std::string, std::string> kWrongOnPurpose = {
    {"10a_bad_input-14.ndjson", "a response without its body"},
};

std::string encode(const wire::Line& line) {
  if (auto* request = std::get_if<wire::ControlRequest>(&line)) return wire::encode(*request);
  if (auto* response = std::get_if<wire::ControlResponse>(&line)) return wire::encode(*response);
  if (auto* cancel = std::get_if<wire::ControlCancel>(&line)) return wire::encode(*cancel);
  return "null";
}

// S25 S176
TEST(Recordings, ControlLinesOfBothSidesComeBackEqual) {
  std::size_t lines = 0;
  for (const Recorded& line : all()) {
    if (!line.is_control() || (!line.from_cli && kWrongOnPurpose.contains(line.file))) continue;
    EXPECT_EQ(Oracle::parse(encode(test::decode(line.text))), line.json) << line.place();
    ++lines;
  }
  EXPECT_GT(lines, 0u);
}

template <class Event>
Oracle through(RawJson input, const std::string& place) {
  auto event = wire::decode_hook_input<Event>(input);
  if (!event) {
    ADD_FAILURE() << place << ": " << event.error().to_string();
    return {};
  }
  return test::oracle(*event);
}

Oracle through_event(const std::string& event, RawJson input, const std::string& place) {
  if (event == "PreToolUse") return through<PreToolUse>(input, place);
  if (event == "PostToolUse") return through<PostToolUse>(input, place);
  if (event == "UserPromptSubmit") return through<UserPromptSubmit>(input, place);
  if (event == "Stop") return through<Stop>(input, place);
  if (event == "SubagentStop") return through<SubagentStop>(input, place);
  if (event == "PreCompact") return through<PreCompact>(input, place);
  return through<HookInput>(input, place);
}

// S102 S110 S178
TEST(Recordings, HookInputsComeBackEqualFromTheirEvents) {
  std::set<std::string> seen;
  for (const Recorded& line : all()) {
    if (!line.from_cli || line.type() != "control_request") continue;
    auto request = test::decode_as<wire::ControlRequest>(line.text);
    auto* hook = std::get_if<wire::HookCallback>(&request.body);
    if (hook == nullptr) continue;
    const Oracle input = line.json["request"]["input"];
    const std::string event = input["hook_event_name"];
    EXPECT_EQ(through_event(event, hook->input, line.place()), input) << line.place();
    seen.insert(event);
  }
  EXPECT_GE(seen.size(), test::are_our_recordings() ? 6u : 0u);
}

// Requests by id, to know what an answer answers.
class Asked {
 public:
  void note(const Recorded& line) {
    if (line.type() != "control_request" || !line.json.contains("request")) return;
    requests_[id_of(line.json)] = line.json["request"];
  }
  // Null for an answer to nothing.
  Oracle request_of(const Recorded& line) const {
    if (line.type() != "control_response" || !line.json.contains("response")) return {};
    auto found = requests_.find(id_of(line.json["response"]));
    return found == requests_.end() ? Oracle() : found->second;
  }

 private:
  static std::string id_of(const Oracle& object) {
    return object.is_object() && object.contains("request_id") ? object["request_id"].dump() : "";
  }
  std::map<std::string, Oracle> requests_;
};

Oracle through_answer(const std::string& subtype, RawJson payload) {
  if (subtype == "initialize") return test::oracle(wire::decode_answer<ServerInfo>(payload));
  if (subtype == "interrupt") return test::oracle(wire::decode_answer<InterruptReceipt>(payload));
  if (subtype == "set_permission_mode") {
    return test::oracle(wire::decode_answer<PermissionModeSet>(payload));
  }
  if (subtype == "set_model") return test::oracle(wire::decode_answer<ModelSet>(payload));
  if (subtype == "rewind_files") return test::oracle(wire::decode_answer<RewindResult>(payload));
  if (subtype == "mcp_status") return test::oracle(wire::decode_answer<McpStatus>(payload));
  return Oracle::parse(payload.text());
}

// S42 S143 S144
TEST(Recordings, EveryValueOfAnAnswerIsInItsStruct) {
  Asked asked;
  for (const Recorded& line : all()) {
    if (!line.from_cli) asked.note(line);
    const Oracle request = line.from_cli ? asked.request_of(line) : Oracle();
    if (request.is_null()) continue;
    auto answer = test::decode_as<wire::ControlResponse>(line.text);
    if (!answer.payload) continue;
    const Oracle payload = line.json["response"]["response"];
    const Oracle typed = through_answer(request.value("subtype", ""), answer.payload);
    EXPECT_EQ(test::first_not_found(payload, typed), "") << line.place();
  }
}

// S121 S122
TEST(Recordings, EveryValidPermissionCanBeSaid) {
  Asked asked;
  std::size_t said = 0;
  for (const Recorded& line : all()) {
    if (line.from_cli) asked.note(line);
    const Oracle request = line.from_cli ? Oracle() : asked.request_of(line);
    if (request.is_null() || request["subtype"] != "can_use_tool") continue;
    Oracle answer = line.json["response"].value("response", Oracle());
    auto permission = test::as_permission(answer);
    if (!permission) continue;
    // We always send an input, and no empty list of changed rules.
    if (answer["behavior"] == "allow" && !answer.contains("updatedInput")) {
      answer["updatedInput"] = request["input"];
    }
    if (answer.value("updatedPermissions", Oracle::array()).empty()) {
      answer.erase("updatedPermissions");
    }
    const std::string input = request["input"].dump();
    EXPECT_EQ(Oracle::parse(wire::encode_permission(*permission, RawJson(input))), answer)
        << line.place();
    ++said;
  }
  EXPECT_GE(said, test::are_our_recordings() ? 60u : 0u);
}

// S103 S104 S105
TEST(Recordings, EveryValidAnswerOfAHookCanBeSaid) {
  Asked asked;
  std::size_t said = 0;
  for (const Recorded& line : all()) {
    if (line.from_cli) asked.note(line);
    const Oracle request = line.from_cli ? Oracle() : asked.request_of(line);
    if (request.is_null() || request["subtype"] != "hook_callback") continue;
    const Oracle answer = line.json["response"].value("response", Oracle());
    const std::string event = request["input"]["hook_event_name"];
    auto output = test::as_hook_output(answer, event);
    if (!output) continue;
    EXPECT_EQ(Oracle::parse(wire::encode_hook_output(*output, event)), answer) << line.place();
    ++said;
  }
  EXPECT_GE(said, test::are_our_recordings() ? 60u : 0u);
}

// S49 S50 S59
TEST(Recordings, EveryPromptCanBeSaid) {
  std::size_t said = 0;
  for (const Recorded& line : all()) {
    if (line.from_cli || line.type() != "user" || !line.json.contains("message")) continue;
    const Oracle& message = line.json["message"];
    if (!message.is_object() || message.size() != 2 || message.value("role", "") != "user")
      continue;
    Oracle expected = {{"type", "user"}, {"message", message}};
    // The CLI ignores these two; the official SDKs send them so.
    expected["session_id"] = "";
    expected["parent_tool_use_id"] = nullptr;
    for (const char* name : {"uuid", "priority"}) {
      if (line.json.contains(name)) expected[name] = line.json[name];
    }
    const Json content = Json::parse(message["content"].dump()).value();
    std::string written;
    wire::append_user(written, content, line.json.value("uuid", ""),
                      line.json.value("priority", ""));
    EXPECT_EQ(Oracle::parse(written), expected) << line.place();
    ++said;
  }
  EXPECT_GT(said, 0u);
}

}  // namespace
}  // namespace claude
