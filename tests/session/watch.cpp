// What a session did, as its observer saw it.
#include "session/watch.h"

#include <gtest/gtest.h>

#include "support/child_process.h"

namespace claude::test {
namespace {

std::string name_of(const WireJson& line) {
  const std::string type = line.value("type", "?");
  if (type == "control_request") return line["request"].value("subtype", "?");
  return type == "control_response" ? "answer" : type;
}

}  // namespace

void Watch::on_line(Direction direction, std::string_view line, Clock::time_point) {
  std::lock_guard lock(mutex_);
  lines_.emplace_back(direction, line);
}

void Watch::on_state(SessionState from, SessionState to, Clock::time_point) {
  std::lock_guard lock(mutex_);
  states_.push_back(std::string(to_string(from)) + " -> " + std::string(to_string(to)));
}

void Watch::on_callback(std::string_view name, std::chrono::nanoseconds, bool failed) {
  std::lock_guard lock(mutex_);
  callbacks_.push_back({std::string(name), failed});
}

void Watch::on_diagnostic(std::string_view kind, std::string_view) {
  std::lock_guard lock(mutex_);
  diagnostics_.emplace_back(kind);
}

std::vector<WireJson> Watch::lines(Direction direction) const {
  std::lock_guard lock(mutex_);
  std::vector<WireJson> found;
  for (const auto& [way, line] : lines_) {
    if (way == direction) found.push_back(WireJson::parse(line, nullptr, false));
  }
  return found;
}

std::vector<std::string> Watch::order() const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [way, line] : lines_) {
    names.push_back((way == Direction::to_cli ? "> " : "< ") + name_of(WireJson::parse(line)));
  }
  return names;
}

namespace {

std::vector<WireJson> requests_of(const std::vector<WireJson>& lines, const std::string& subtype) {
  std::vector<WireJson> found;
  for (const WireJson& line : lines) {
    if (line["type"] == "control_request" && line["request"]["subtype"] == subtype) {
      found.push_back(line);
    }
  }
  return found;
}

}  // namespace

std::vector<WireJson> Watch::our_requests(const std::string& subtype) const {
  return requests_of(written(), subtype);
}

std::vector<WireJson> Watch::their_requests(const std::string& subtype) const {
  return requests_of(read(), subtype);
}

WireJson Watch::answer_to(const WireJson& request) const {
  for (const WireJson& line : written()) {
    if (line["type"] == "control_response" &&
        line["response"]["request_id"] == request["request_id"]) {
      return line["response"];
    }
  }
  return nullptr;
}

std::vector<std::string> Watch::states() const {
  std::lock_guard lock(mutex_);
  return states_;
}

std::vector<std::string> Watch::diagnostics() const {
  std::lock_guard lock(mutex_);
  return diagnostics_;
}

std::vector<Watch::Callback> Watch::callbacks() const {
  std::lock_guard lock(mutex_);
  return callbacks_;
}

LogHandler Log::handler() {
  return [this](LogLevel level, std::string_view text) {
    std::lock_guard lock(mutex_);
    entries_.emplace_back(level, text);
  };
}

std::vector<std::string> Log::at(LogLevel level) const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> texts;
  for (const auto& [of, text] : entries_) {
    if (of == level) texts.push_back(text);
  }
  return texts;
}

void Gate::open() {
  auto state = state_;
  std::lock_guard lock(state->mutex);
  state->open = true;
  state->opened.notify_all();
}

bool Gate::wait() {
  auto state = state_;
  std::unique_lock lock(state->mutex);
  const bool opened = state->opened.wait_for(lock, kPatience, [&] { return state->open; });
  EXPECT_TRUE(opened) << "nobody opened the gate";
  return opened;
}

}  // namespace claude::test
