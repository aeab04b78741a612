// The conversation on disk, row by row, as the CLI writes it in essentials: what SDKs list and
// read, and what --resume goes on from.
//
// It watches the lines that leave for stdout and keeps those of the main conversation; prompts,
// titles and file backups are told to it. Files that cannot be written are no error of a session.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "history.h"
#include "json.h"
#include "readable.h"

namespace claude::sim {

struct Session;
struct Prompt;

class Transcript {
 public:
  explicit Transcript(Session& session) : session_(session) {}

  // Goes on from `past`, or begins anew.
  void open(const Past& past);
  std::string path() const;
  // For what does not stand in the transcript itself.
  std::string folder() const;
  std::string path_of_agent(const std::string& agent_id) const;

  void add_prompt(const Prompt& prompt);
  void add_line(const Json& line);
  // The model's message is complete: its rows get the final reason and usage.
  void end_message(const std::string& stop_reason, const Json& usage);
  void add_title(const std::string& title);
  // A file is about to be changed for the first time since this prompt.
  void add_backup(const std::string& prompt_uuid, const std::string& path,
                  const std::optional<std::string>& content);
  void end_turn();
  const Readable& readable() const { return readable_; }
  // The program ends.
  void end();

 private:
  Json message_row() const;
  void add_message(Json row);
  void add_note(Json row);
  void flush();

  Session& session_;
  bool kept_ = true;  // not with --no-session-persistence
  std::string folder_;
  std::string id_;  // whose conversation `leaf_` is of
  std::string leaf_;
  std::string last_prompt_;
  std::vector<Json> waiting_;  // rows that are not on disk yet
  int backups_ = 0;
  Readable readable_;
};

// What a resumed session knows again: its costs, its title and the checkpoints of its files.
void recall(Session& session, const Past& past);

}  // namespace claude::sim
