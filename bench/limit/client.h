// What a limit client does with a line. Three of them: raw, pingpong and parsing.
#pragma once

#include "figures.h"
#include "limit/lines.h"

#include <simdjson.h>

#include <string>
#include <string_view>

namespace limit {

// Lines are handed in as they come; what has to be told the CLI goes out by `send`.
class Client {
 public:
  Client(Lines& cli, bench::Tally& tally) : cli_(cli), tally_(tally) {}
  virtual ~Client() = default;
  virtual void on_line(char* line, std::size_t size) = 0;

  bool initialized = false;  // the first line is the answer to `initialize`
  bool done = false;         // the result was here
  long answers = 0;          // to requests of ours

 protected:
  // Answers a request of the CLI. `json` stands for what a callback gave.
  void answer(std::string_view request_id, std::string_view json);

  Lines& cli_;
  bench::Tally& tally_;
  std::string reply_;
};

// Counts lines. As `pingpong` it also answers requests, found by their fixed beginnings.
class RawClient : public Client {
 public:
  // Without parsing it knows the last line only by its number.
  RawClient(Lines& cli, bench::Tally& tally, unsigned long long wanted, bool answers_requests)
      : Client(cli, tally), wanted_(wanted), answers_requests_(answers_requests) {}
  void on_line(char* line, std::size_t size) override;

 private:
  bool on_control(std::string_view line);
  unsigned long long wanted_, seen_ = 0;
  bool answers_requests_;
};

// Parses each line with simdjson On-Demand and takes its type and text.
class ParsingClient : public Client {
 public:
  using Client::Client;
  void on_line(char* line, std::size_t size) override;

 private:
  void on_request(simdjson::ondemand::document& line);
  void add_text(std::string_view text);
  simdjson::ondemand::parser parser_;
};

// The answer of the MCP server `bench`. `text` goes back as it stood in the JSON.
std::string mcp_answer(std::string_view method, std::string_view id, std::string_view text);

}  // namespace limit
