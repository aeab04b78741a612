// Each event on a line that begins with its kind: "turn 2 ended ...", "note warning long_line:
// ...".
#include "core/describe.h"

#include <string_view>
#include <type_traits>

namespace claude::core {
namespace {

template <class... Parts>
std::string words(const Parts&... parts) {
  std::string text;
  auto add = [&](const auto& part) {
    if (!text.empty()) text += ' ';
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(part)>>) {
      text += std::to_string(part);
    } else {
      text += part;
    }
  };
  (add(parts), ...);
  return text;
}

std::string_view name(LogLevel level) {
  constexpr std::string_view names[] = {"debug", "info", "warning", "error"};
  return names[static_cast<std::size_t>(level)];
}

std::string_view name(SessionState state) {
  constexpr std::string_view names[] = {"starting", "initializing", "running", "stopped", "failed"};
  return names[static_cast<std::size_t>(state)];
}

std::string_view name(SessionEnded::How how) {
  constexpr std::string_view names[] = {"completed", "stopped", "failed"};
  return names[static_cast<std::size_t>(how)];
}

struct Describe {
  std::string operator()(Nothing) const { return "nothing"; }
  std::string operator()(const MessageArrived& e) const {
    return words("message", "turn", e.turn, e.message.raw());
  }
  std::string operator()(const TurnEnded& e) const {
    std::string text = words("turn", e.turn, "ended");
    if (e.folded) text += " folded";
    if (e.cost_usd) text += words(" cost", *e.cost_usd);
    if (e.result) text += words(" result", e.result->raw);
    if (e.error) text += words(" error", describe(*e.error));
    return text;
  }
  std::string operator()(const ResultLost&) const { return "a result lost"; }
  std::string operator()(const CallEnded& e) const {
    return words("call", e.call,
                 e.result ? std::string(e.result->payload.text())
                          : words("error", describe(e.result.error())));
  }
  std::string operator()(const Asked& e) const {
    return words("asked", e.ask, e.request.id.json.text(), e.request.subtype, "hook", e.hook);
  }
  std::string operator()(const AskWithdrawn& e) const { return words("withdrawn", e.ask); }
  std::string operator()(const StateChanged& e) const {
    return words("state", name(e.from), name(e.to));
  }
  std::string operator()(const Diagnostic& e) const {
    return words("note", name(e.level), e.kind, e.text);
  }
  std::string operator()(const SessionEnded& e) const {
    std::string text = words("end", name(e.how));
    if (e.exit.code) text += words(" code", *e.exit.code);
    if (e.exit.signal) text += words(" signal", *e.exit.signal);
    if (e.error) text += words(" error", describe(*e.error));
    return text;
  }
};

}  // namespace

std::string describe(const Event& event) {
  return std::visit(Describe{}, event);
}

std::string describe(const Error& error) {
  return words(to_string(error.code), error.to_string());
}

}  // namespace claude::core
