// claude-sim against recordings of the real CLI: the same input gives the same lines, in the same
// order, with the same keys in the same order. Values that depend on time and chance are not looked
// at here; the other tests of this folder look at values.
#include <gtest/gtest.h>

#include <fstream>

#include "host.h"

namespace claude::test {
namespace {

constexpr const char* kFolder = PROJECT_SOURCE_DIR "/tests/data/transcripts/";

struct Step {
  bool from_cli;
  json line;
};

std::vector<Step> read_recording(const std::string& name) {
  std::vector<Step> steps;
  std::ifstream file(kFolder + name + ".ndjson");
  for (std::string text; std::getline(file, text);) {
    const json row = json::parse(text);
    steps.push_back({row["dir"] == "out", row["line"]});
  }
  return steps;
}

const json& index_of(const std::string& name) {
  static const json kIndex = json::parse(std::ifstream(std::string(kFolder) + "index.json"));
  for (const auto& scenario : kIndex)
    for (const json& run : scenario["runs"])
      if (run["transcript"] == name + ".ndjson") return run;
  static const json kNone;
  return kNone;
}

// Lists that the simulator keeps short, and what the model was given, whose keys say nothing of us.
bool is_opaque(const std::string& key) {
  static const std::vector<std::string> kOpaque{
      "commands",   "agents",   "models",       "plugins",    "slash_commands",
      "skills",     "tools",    "input",        "tool_input", "structuredPatch",
      "categories", "gridRows", "eventCatalog", "applied"};
  return std::ranges::find(kOpaque, key) != kOpaque.end();
}

void collect_keys(const json& value, const std::string& path, std::vector<std::string>& keys) {
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      collect_keys(value[i], path + "[" + std::to_string(i) + "]", keys);
  if (!value.is_object()) return;
  for (const auto& [key, part] : value.items()) {
    if (key == "_elided") continue;  // a mark of the recorder
    keys.push_back(path + "." + key);
    if (!is_opaque(key)) collect_keys(part, path + "." + key, keys);
  }
}

std::vector<std::string> keys_of(const json& line) {
  std::vector<std::string> keys;
  collect_keys(line, "", keys);
  return keys;
}

std::string with_folder(std::string text, const std::string& folder) {
  static const std::string kRecorded = "/workspace/demo";
  for (std::size_t at; (at = text.find(kRecorded)) != text.npos;)
    text.replace(at, kRecorded.size(), folder);
  return text;
}

class Recording : public testing::TestWithParam<const char*> {};

TEST_P(Recording, IsPlayedLineByLineAsTheCliPlayedIt) {
  const std::string name = GetParam();
  const std::vector<Step> steps = read_recording(name);
  const json& run = index_of(name);
  ASSERT_FALSE(steps.empty());
  Start start;
  start.streams = false;
  for (std::size_t i = 1; i < run["argv"].size(); ++i) start.flags.push_back(run["argv"][i]);
  for (const auto& [key, value] : run["env"].items()) start.environment[key] = value;
  Host host(start);
  host.folder().write("a.txt", "one\n");
  const std::string folder = host.folder().path().string();
  std::map<std::string, std::string> ids;  // of the recorded requests, and ours
  std::string unsent;  // lines in a row are written at once: how they are read is no accident
  for (const Step& step : steps) {
    if (!step.from_cli) {
      std::string text = step.line.is_string() ? step.line.get<std::string>() : step.line.dump();
      for (const auto& [recorded, ours] : ids)
        if (const std::size_t at = text.find(recorded); at != text.npos)
          text.replace(at, recorded.size(), ours);
      unsent += (unsent.empty() ? "" : "\n") + with_folder(text, folder);
      continue;
    }
    if (!unsent.empty()) host.send_text(std::exchange(unsent, ""));
    const json line = host.next();
    ASSERT_EQ(kind(line), kind(step.line)) << "in place of " << step.line << "\ngot " << line;
    if (line["type"] == "control_request") ids[step.line["request_id"]] = line["request_id"];
    EXPECT_EQ(keys_of(line), keys_of(step.line)) << line;
  }
  if (!unsent.empty()) host.send_text(unsent);
  EXPECT_EQ(host.end(), run["exit_code"].get<int>());
}

// Left out: what a recording shows only by waiting, and what docs/simulator.md says is not played.
INSTANTIATE_TEST_SUITE_P(
    OfTheCli, Recording,
    testing::Values(
        "01a_init_minimal", "01d_no_init", "01f_init_malformed-01", "01f_init_malformed-03",
        "01f_init_malformed-06", "01f_init_malformed-09", "02a_plain_turn",
        "02c_two_prompts_at_once", "02e_input_variants-2", "04a_perm_allow",
        "04b_perm_allow_no_input", "04d_perm_deny-nomsg", "04f_perm_error_response-0",
        "04f_perm_error_response-1", "04g_perm_updated_permissions-1",
        "04g_perm_updated_permissions-3", "04g_perm_updated_permissions-5",
        "04h_perm_requests_by_tool-1", "04h_perm_requests_by_tool-2", "04h_perm_requests_by_tool-3",
        "04h_perm_requests_by_tool-4", "04h_perm_requests_by_tool-5", "04h_perm_requests_by_tool-6",
        "04h_perm_requests_by_tool-7", "04j_perm_modes-auto", "04j_perm_modes-dontAsk",
        "04j_perm_modes-plan", "04k_perm_cancel", "05b_hook_pretooluse_outputs-00",
        "05b_hook_pretooluse_outputs-01", "05b_hook_pretooluse_outputs-02",
        "05b_hook_pretooluse_outputs-04", "05b_hook_pretooluse_outputs-06",
        "05b_hook_pretooluse_outputs-08", "05b_hook_pretooluse_outputs-10",
        "05b_hook_pretooluse_outputs-11", "05b_hook_pretooluse_outputs-14",
        "05b_hook_pretooluse_outputs-15", "05b_hook_pretooluse_outputs-17", "05c_hook_failures-1",
        "05c_hook_failures-4", "05d_hook_async-post", "05d_hook_async-pre", "05f_hook_multiple-0",
        "05f_hook_multiple-2", "05g_hook_posttooluse_outputs-1", "05g_hook_posttooluse_outputs-2",
        "05g_hook_posttooluse_outputs-3", "05g_hook_posttooluse_outputs-4",
        "05g_hook_posttooluse_outputs-5", "05h_hook_prompt_outputs-1", "05h_hook_prompt_outputs-2",
        "05i_hook_stop_outputs-0", "05i_hook_stop_outputs-2", "05i_hook_stop_outputs-3",
        "05j_hook_permission_request-1", "05j_hook_permission_request-2",
        "05j_hook_permission_request-3", "06a_mcp_declare-initialize", "06a_mcp_declare-mcp-config",
        "06c_mcp_errors-notification_control-error", "06c_mcp_errors-notification_empty-payload",
        "06f_mcp_list_changed", "06g_mcp_elicitation", "06h_mcp_manifests",
        "07c_interrupt_idle_and_queue", "07d_set_permission_mode",
        "07d_set_permission_mode-allowflag", "07e_set_permission_mode_midturn",
        "08b_api_retry_and_errors-403", "08b_api_retry_and_errors-429",
        "08b_api_retry_and_errors-529", "08b_api_retry_and_errors-max_tokens",
        "08b_api_retry_and_errors-refusal", "08k_max_turns_budget-max-turns", "09b_exit_plan_mode",
        "10a_bad_input-00", "10a_bad_input-01", "10a_bad_input-02", "10a_bad_input-06",
        "10a_bad_input-11", "10a_bad_input-13", "10a_bad_input-18", "10a_bad_input-20",
        "10a_bad_input-21", "10a_bad_input-23", "11a_exit_codes-API_error_is_the_last_result",
        "11a_exit_codes-end_session", "11a_exit_codes-end_session_in_a_turn",
        "11a_exit_codes-interrupted_is_the_last_result", "12a_structured_output-bad-then-good",
        "12a_structured_output-initialize-good", "12b_resume_continue_fork-no_persistence",
        "16a_hook_timeout_units-0.5", "16b_response_shapes-2",
        "16d_permission_prompts_none-settings_deny_rule",
        "16d_permission_prompts_none-settings_ask_rule"),
    [](const testing::TestParamInfo<const char*>& recorded) {
      std::string name = recorded.param;
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

}  // namespace
}  // namespace claude::test
