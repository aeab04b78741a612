// Files of the session's folders: what Read, Write and Edit do to them, and the checkpoints that
// rewind_files goes back to.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "json.h"

namespace claude::sim {

// Nothing when it cannot be read.
std::optional<std::string> content_of(const std::string& path);

// What a tool did: what the model is told, and what the SDK finds in tool_use_result.
struct ToolOutcome {
  bool is_error = false;
  Json content;                                // a string or a list of blocks
  Json result;                                 // tool_use_result; for an error its text
  bool says_ok = false;                        // writes is_error:false, as Bash does
  bool id_at_end = false;                      // tool_use_id is the block's last key
  std::function<void()> afterwards = nullptr;  // done when the result is out
  std::string non_execution_kind = {};         // why it came to nothing, where that is known
};

ToolOutcome tool_failure(const std::string& text);
// The tool was never started.
ToolOutcome tool_refusal(const std::string& text, const std::string& shown);

// Lines as Read shows them.
std::string numbered(const std::string& text, long long first);

class Files {
 public:
  // Told of each file before it is changed for the first time since a prompt.
  std::function<void(const std::string& prompt_uuid, const std::string& path,
                     const std::optional<std::string>& content)>
      on_change;

  // Which files may be touched at all.
  std::function<bool(const std::string& path)> covers;

  // Starts a checkpoint for a prompt; its uuid is what rewind_files names.
  void begin_prompt(const std::string& uuid);

  ToolOutcome read(const Json& input, const std::string& cwd);
  ToolOutcome write(const Json& input, const std::string& cwd);
  ToolOutcome edit(const Json& input, const std::string& cwd);
  // Has the model seen its content?
  bool knows(const std::string& path) const { return read_.contains(path); }
  // Why an edit cannot be made: the CLI sees that before it asks anybody.
  std::optional<ToolOutcome> edit_problem(const Json& input, const std::string& cwd) const;

  bool has_checkpoint(const std::string& uuid) const;
  // {canRewind, filesChanged, insertions, deletions}
  Json preview(const std::string& uuid) const;
  void rewind(const std::string& uuid);
  // The model knows the file's content from an earlier process.
  void recall_known(const std::string& path) { read_.insert(path); }
  // What a file was like before the last prompt changed it, from an earlier process.
  void recall(const std::string& path, const std::optional<std::string>& content);

 private:
  using Content = std::optional<std::string>;  // nothing: the file was not there
  struct Checkpoint {
    std::string uuid;
    std::map<std::string, Content> before;  // of each file that was ever changed,
    std::set<std::string> changed = {};     // and which of them were, since the prompt
  };
  void keep(const std::string& path);
  // What each file changed since this prompt was like before it.
  std::map<std::string, Content> target(const std::string& uuid) const;

  std::vector<Checkpoint> checkpoints_;
  std::set<std::string> read_;  // paths whose content the model knows
};

}  // namespace claude::sim
