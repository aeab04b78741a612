// The conversation on disk, row by row, as the CLI writes it in essentials: what SDKs list and
// read, and what --resume goes on from.
//
// It watches the lines that leave for stdout and keeps the messages: those of a subagent in a file
// of its own. Prompts, words that stay inside a subagent, titles and file backups are told to it.
// Files that cannot be written are no error of a session.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "history.h"
#include "json.h"
#include "readable.h"
#include "rounds.h"

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
  // Nothing was said in this session yet.
  bool is_empty() const;
  std::string path_of_agent(const std::string& agent_id) const;

  void add_prompt(const Prompt& prompt);
  // It joined a turn that was at work.
  void add_folded_prompt(const Prompt& prompt);
  // What the model is given beside a prompt.
  void add_attachment(const Json& attachment);
  void add_prompt_of_agent(const std::string& agent_id, const std::string& prompt,
                           const std::string& uuid);
  void add_line(const Json& line);
  // The message of the model, or of a subagent's, is complete: its rows get the final reason and
  // usage.
  void end_message(const std::string& agent_id, const std::string& stop_reason, const Json& usage);
  void add_title(const std::string& title);
  // A hook put a call off: --resume takes it up.
  void add_deferred(const Json& call);
  // A file is about to be changed for the first time since this prompt.
  void add_backup(const std::string& prompt_uuid, const std::string& path,
                  const std::optional<std::string>& content);
  void end_turn();
  const Readable& readable() const { return readable_; }
  const Rounds& rounds() const { return rounds_; }
  // The program ends.
  void end();

 private:
  // One conversation: a file.
  struct Thread {
    std::string agent_id;  // empty: the main one
    std::string id;        // of the session that `leaf` is of
    std::string leaf;
    std::vector<Json> waiting;                 // rows that are not on disk yet
    std::map<std::string, std::string> calls;  // the row that says each, by the call
  };

  Thread& thread_of(const std::string& agent_id);
  Json message_row(const Thread& thread, const char* type) const;
  void add_message(Thread& thread, Json row);
  void add_reminder(const std::string& text);
  // What an earlier process left open is closed before the conversation goes on.
  void close_past();
  void add_note(Json row);
  // As far as messages are complete, or to the end.
  void flush(Thread& thread, bool to_the_end = false);

  Session& session_;
  bool kept_ = true;  // not with --no-session-persistence
  std::string folder_;
  std::map<std::string, Thread> threads_;  // by the agent
  std::string last_prompt_;
  int backups_ = 0;
  std::vector<std::string> unanswered_;  // calls of an earlier process,
  bool breaks_off_ = false;              // and whether that said something last
  Readable readable_;
  Rounds rounds_;
};

// What a resumed session knows again: its costs, its title and the checkpoints of its files.
void recall(Session& session, const Past& past);

}  // namespace claude::sim
