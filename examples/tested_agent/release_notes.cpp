// The policy of the agent, and its one prompt.
#include "release_notes.h"

#include <utility>

namespace {

claude::Permission only_notes(const claude::ToolRequest& request) {
  const claude::Json input = request.input.json();
  if (request.tool_name == "Write" && input["file_path"].text().ends_with("NOTES.md"))
    return claude::allow();
  if (request.tool_name == "Bash" && input["command"].text().starts_with("git log"))
    return claude::allow();
  return claude::deny("Only git log and NOTES.md.");
}

}  // namespace

ReleaseNotes::ReleaseNotes(claude::Options options) : options_(std::move(options)) {
  options_.can_use_tool = only_notes;
}

claude::Result<std::string> ReleaseNotes::write_for(const std::string& version) {
  claude::Query asked = claude::query("Write NOTES.md for version " + version, options_);
  claude::Result<claude::TurnResult> result = asked.result();
  if (!result) return std::unexpected(result.error());
  if (auto error = result->error()) return std::unexpected(*error);
  return std::string(result->message.result.value_or(""));
}
