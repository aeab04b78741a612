// What the model calls cost: per model over the process, since the last result, and of this turn.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "json.h"

namespace claude::sim {

struct Usage {
  long long input = 0;
  long long output = 0;
  long long cache_creation = 0;
  long long cache_read = 0;
  double cost_usd = 0;

  Usage& operator+=(const Usage& more);
};

class Ledger {
 public:
  // A call of `step`: its own usage, else the scenario's, else 100 in and 20 out.
  Usage price(const Json& step, const Json& otherwise, const std::string& model) const;
  // The model begins to answer; an interrupt may leave it at that.
  void begin_call(const Usage& usage);
  // A subagent's calls count for the process, not for the turn.
  void add(const std::string& model, const Usage& usage, long long api_ms, bool of_subagent);

  void clear() { *this = Ledger(); }
  // Totals of an earlier process of this session.
  void restore(const Json& cost_state);
  void begin_turn() {
    turn_ = Usage{};
    calls_ = 0;
  }
  void end_turn() { since_result_.clear(); }
  // The turn did not make it; the process did.
  void forget_last_call() {
    turn_ = before_last_call_;
    --calls_;
  }

  double total_cost() const;
  long long api_ms() const { return api_ms_; }
  long long first_input() const { return first_input_; }
  long long last_tokens() const { return last_tokens_; }
  Json turn_usage() const;
  Json model_usage() const { return table(total_); }
  Json since_last_result() const { return table(since_result_); }

 private:
  using Table = std::vector<std::pair<std::string, Usage>>;  // in the order of first use
  static Usage& row(Table& table, const std::string& model);
  static Json table(const Table& rows);

  Table total_;
  Table since_result_;
  Usage turn_;
  Usage before_last_call_;  // the turn's
  int calls_ = 0;
  long long first_input_ = 0;
  long long last_tokens_ = 0;  // that the conversation had with its last call
  long long api_ms_ = 0;
};

// What it would cost to have this many tokens cached, in dollars to four places.
double cache_write_usd(const std::string& model, long long tokens);

// What a result says of the calls that it sums up.
Json usage_table(const Usage& usage);

// The usage of a message as its start carries it, with one token out, or as its end does.
Json message_usage(const Usage& usage, long long output);

}  // namespace claude::sim
