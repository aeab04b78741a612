// Identifiers: UUIDs and message numbers. With a seed in the scenario they are the same each run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace claude::sim {

class Ids {
 public:
  // Seed 0 asks the system for randomness.
  explicit Ids(std::uint64_t seed);

  std::string uuid();
  std::string message() { return numbered("msg_sim", ++messages_); }
  std::string tool_use() { return numbered("toolu_sim", ++tools_); }
  std::string task(char letter);
  // Numbers that an earlier process of the session has used are not used again.
  void begin_after(std::size_t used) { messages_ = tools_ = static_cast<int>(used); }

 private:
  static std::string numbered(const char* prefix, int number);
  std::uint64_t next();

  std::uint64_t state_;
  int messages_ = 0;
  int tools_ = 0;
};

bool is_uuid(const std::string& text);

// Now, as the CLI writes timestamps: 2026-11-15T20:04:27.325Z
std::string timestamp();
long long wall_ms();

}  // namespace claude::sim
