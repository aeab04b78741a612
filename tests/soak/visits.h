// What a host does with one session, from its start to its end: a visit.
//
// Most go as they should; in the others the CLI or the host fails. Each knows what has to come of
// it and throws when something else does.
#pragma once

#include <claude/claude.h>

#include <span>
#include <stdexcept>
#include <string_view>

namespace claude::soak {

struct Visit {
  std::string_view name;
  const char* scenario;  // what claude-sim plays: docs/simulator.md
  void (*play)(Options options);
};

extern const Visit kTalk;
extern const Visit kInterrupt;
std::span<const Visit> faulty_visits();

// Whether the turn ended with this text.
bool said(Turn turn, std::string_view text);

inline void must(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(std::string("not so: ") + what);
}
template <class T>
T must(Result<T> result, const char* what) {
  if (!result) throw std::runtime_error(std::string(what) + ": " + result.error().to_string());
  return std::move(*result);
}
// The operation has to fail, in this way.
template <class T>
void must_fail(const Result<T>& result, Errc code, const char* what) {
  if (result) throw std::runtime_error(std::string(what) + ": went well");
  if (result.error().code != code) {
    throw std::runtime_error(std::string(what) + ": " + result.error().to_string());
  }
}

}  // namespace claude::soak
