// A recorded session: the lines of both sides in their order, and whether a line that comes now is
// the one that came then.
//
// Ids are new in every run, so they are no difference: which one stands for which is remembered.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "json.h"

namespace claude::sim {

// What is wrong with a cassette, or between it and what comes: "file:12: why".
struct CassetteError {
  std::string text;
};

class Cassette {
 public:
  enum class Match { strict, loose };

  struct Row {
    enum class Kind { to_cli, from_cli, end };
    Kind kind;
    std::size_t line;  // in the file, from 1
    Json value;        // a JSON line, or the text of one that is none; of an end, how it was
    bool is_text = false;
    bool seen = false;  // of a line to the CLI: it has come
  };

  // Throws CassetteError.
  Cassette(std::string path, Match match, std::string home);

  // What is to be done next; null when all is played. Lines to the CLI that have come are passed.
  const Row* next();
  void pass() { ++at_; }
  // The line as it is to be written now.
  std::string text_of(const Row& row) const;

  // A line has come from the SDK. Throws CassetteError when it is not the recorded one.
  void take(std::string_view line);
  // Nothing more will come. Throws when strict and lines are missing.
  void end_of_input() const;

  void stands_for(const std::string& recorded, const std::string& actual);
  // The first session id in it; empty: none.
  std::string session_id() const;

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& why) const;
  Row read_row(const Json& row, std::size_t line) const;
  Row* partner_of(const Json& line);
  bool same_kind(const Json& recorded, const Json& actual) const;
  // Where and how the two differ; empty: not at all.
  std::string difference(const Json& recorded, const Json& actual, const std::string& path);

  std::string path_;
  Match match_;
  std::string home_;
  std::vector<Row> rows_;
  std::size_t at_ = 0;
  std::map<std::string, std::string> ids_;  // recorded to actual
};

}  // namespace claude::sim
