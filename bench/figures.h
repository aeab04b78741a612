// What every client of the benchmark measures of itself, and the line of JSON in which it says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bench {

double now_s();  // on CLOCK_MONOTONIC
double cpu_s();  // of this process so far, without its children
long from_status(const char* key);

// A variable of the environment; the fallback also when it is empty.
std::string env(const char* name, const char* fallback);
long env_number(const char* name, long fallback);

// What was delivered: counted, and the bytes of all texts added up.
struct Tally {
  unsigned long long messages = 0;
  unsigned long long checksum = 0;
  std::vector<double> latencies_us = {};

  // The text of a paced delta is the time at which it was written.
  void add_arrival(std::string_view written_ns);
};

// A stopwatch for the life of a client. Each function is called once, in this order.
class Figures {
 public:
  Figures();
  void connected();
  void prompt_sent();
  void first_result();
  void last_result();  // all sessions are still open
  void closed();
  // `unit` is what the checksum counts: "bytes", or "none" when no text was looked at.
  void print(Tally& tally, const char* unit) const;

 private:
  double launched_, begun_;
  double connected_ = 0, sent_ = 0, first_ = 0, last_ = 0, closed_ = 0;
  double cpu_ = 0;
  long rss_kb_ = 0, peak_kb_ = 0, threads_ = 0;
};

}  // namespace bench
