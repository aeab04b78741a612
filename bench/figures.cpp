// The figures of a client; see figures.h.
#include "figures.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace bench {

double now_s() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double cpu_s() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

long from_status(const char* key) {
  long value = 0;
  if (FILE* file = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, file)) {
      if (!std::strncmp(line, key, std::strlen(key)))
        value = std::atol(line + std::strlen(key) + 1);
    }
    std::fclose(file);
  }
  return value;
}

std::string env(const char* name, const char* fallback) {
  const char* value = std::getenv(name);
  return value && *value ? value : fallback;
}

long env_number(const char* name, long fallback) {
  std::string value = env(name, "");
  return value.empty() ? fallback : std::atol(value.c_str());
}

void Tally::add_arrival(std::string_view written_ns) {
  unsigned long long ns = 0;
  if (written_ns.size() != 20) return;
  std::from_chars(written_ns.data(), written_ns.data() + written_ns.size(), ns);
  latencies_us.push_back(now_s() * 1e6 - static_cast<double>(ns) / 1e3);
}

Figures::Figures()
    : launched_(std::strtod(env("BENCH_T0_NS", "0").c_str(), nullptr) / 1e9), begun_(now_s()) {
  if (launched_ == 0) launched_ = begun_;
  alarm(static_cast<unsigned>(env_number("BENCH_TIMEOUT_S", 120)));
}

void Figures::connected() {
  connected_ = now_s();
}

void Figures::prompt_sent() {
  sent_ = now_s();
  cpu_ = cpu_s();
}

void Figures::first_result() {
  first_ = now_s();
}

void Figures::last_result() {
  last_ = now_s();
  cpu_ = cpu_s() - cpu_;
  rss_kb_ = from_status("VmRSS");
  peak_kb_ = from_status("VmHWM");
  threads_ = from_status("Threads");
  closed_ = now_s();
}

void Figures::closed() {
  closed_ = now_s() - closed_;
}

void Figures::print(Tally& tally, const char* unit) const {
  std::printf(
      "{\"wall_s\":%.6f,\"cpu_s\":%.6f,\"cpu_total_s\":%.6f,\"rss_kb\":%ld,"
      "\"peak_rss_kb\":%ld,\"threads\":%ld,\"messages\":%llu,\"checksum\":%llu,"
      "\"unit\":\"%s\",\"first_result_ms\":%.3f,\"connect_ms\":%.3f,\"close_ms\":%.3f",
      last_ - sent_, cpu_, cpu_s(), rss_kb_, peak_kb_, threads_, tally.messages, tally.checksum,
      unit, (first_ - launched_) * 1e3, (connected_ - begun_) * 1e3, closed_ * 1e3);
  auto& us = tally.latencies_us;
  if (!us.empty()) {
    std::ranges::sort(us);
    auto at = [&](double part) {
      return us[static_cast<std::size_t>(static_cast<double>(us.size() - 1) * part + 0.5)];
    };
    std::printf(
        ",\"latency\":{\"n\":%zu,\"p50_us\":%.2f,\"p90_us\":%.2f,\"p99_us\":%.2f,\"max_us\":%.2f}",
        us.size(), at(.5), at(.9), at(.99), us.back());
  }
  std::printf("}\n");
}

}  // namespace bench
