// Reading as the CLI does: what it tolerates, what ends it, and what a signal does.
#include "input.h"

#include <signal.h>

#include <algorithm>

#include "lines.h"
#include "prompts.h"
#include "turn.h"

namespace claude::sim {
namespace {

[[noreturn]] void die(Session& session, const std::string& text) {
  complain(text + "\n");
  session.exit(1);
}

// The CLI guesses the type of a line that it cannot parse.
std::string guessed_type(std::string_view line) {
  const std::size_t at = line.find("\"type\":\"");
  if (at == line.npos) return "unknown";
  const std::size_t begin = at + 8;
  return std::string(line.substr(begin, line.find('"', begin) - begin));
}

std::size_t utf16_length(std::string_view text) {
  std::size_t length = 0;
  for (char each : text) {
    const auto c = static_cast<unsigned char>(each);
    length += (c & 0xC0) == 0x80 ? 0 : c >= 0xF0 ? 2 : 1;
  }
  return length;
}

std::string prompt_text(const Json& content) {
  if (content.is_string()) return content.get<std::string>();
  std::string text;
  for (const Json& block : content) text += (text.empty() ? "" : "\n") + text_of(block, "text");
  return text;
}

void handle(Session& session, const Json& line) {
  const std::string type = text_of(line, "type");
  if (type == "user") {
    queue_prompt(session, line);
  } else if (type == "control_request") {
    if (!member(line, "request").is_object())
      die(session, "Error: Missing request on control_request");
    take_control_request(session, line);
  } else if (type == "control_response") {
    if (session.replay) session.send(line);  // the CLI replays more than prompts
    session.asks.take_response(line);
  }
}

Task<void> end_by_signal(Session& session, int code) {
  if (session.hooks.any("SessionEnd")) {
    // The host has a moment to answer; the CLI goes either way.
    auto over = std::make_shared<Gate>();
    Json fields = Json::object();
    fields["reason"] = "other";
    HookCall hook{"SessionEnd", "other", fields, "", nullptr};
    const auto call = [](Session& s, HookCall h, std::shared_ptr<Gate> gate) -> Task<void> {
      const Agent nobody;
      [[maybe_unused]] const std::vector<HookReply> replies =
          co_await s.hooks.call(s, nobody, std::move(h));
      gate->open();
    };
    session.loop.spawn(call(session, hook, over));
    co_await Wait(session.loop, over.get(), nullptr,
                  Clock::now() + std::chrono::milliseconds(1500));
  }
  session.exit(code);
}

Task<void> end_after_turn(Session& session) {
  while (session.turn)
    co_await Wait(session.loop, nullptr, nullptr, Clock::now() + std::chrono::milliseconds(1));
  session.exit(0);
}

// The CLI hears a prompt once, by its uuid.
bool is_repeated(Session& session, const Prompt& prompt) {
  if (!prompt.named) return false;
  const bool is_new = session.named_prompts.insert(prompt.uuid).second;
  const bool is_past = session.past_prompts.contains(prompt.uuid);
  if (is_new && is_past) session.send(lifecycle_line(session, prompt.uuid, "completed"));
  return !is_new || is_past;
}

// Where a prompt belongs: those that cannot wait come first, those that can come last.
std::deque<Prompt>::iterator place_of(Session& session, const Prompt& prompt) {
  if (prompt.later) return session.queue.end();
  return std::ranges::find_if(session.queue, [&](const Prompt& other) {
    return other.later || (prompt.now && !other.now);
  });
}

}  // namespace

void queue_prompt(Session& session, const Json& line) {
  const Json& message = member(line, "message");
  const Json& role = member(message, "role");
  if (role != "user")
    die(session, "Error: Expected message role 'user', got '" +
                     (role.is_string() ? role.get<std::string>() : "undefined") + "'");
  const Json& content = member(message, "content");
  if (!content.is_string() && !content.is_array()) return;
  Prompt prompt;
  prompt.message = message;
  prompt.text = prompt_text(content);
  prompt.named = member(line, "uuid").is_string();
  prompt.uuid = prompt.named ? text_of(line, "uuid") : session.ids.uuid();
  prompt.query = flag_of(line, "shouldQuery", true);
  prompt.composed = flag_of(line, "client_composed");
  prompt.seen = session.seen.size();
  prompt.now = text_of(line, "priority") == "now";
  prompt.later = text_of(line, "priority") == "later";
  if (is_repeated(session, prompt)) return send_untimed_replay(session, prompt);
  const bool aborts = prompt.now && session.turn;
  if (aborts) {
    session.turn->send_now = true;
    interrupt(session);
  }
  if (session.queue.empty() && !session.turn) session.send_state("running");
  if (prompt.named) session.send(lifecycle_line(session, prompt.uuid, "queued"));
  session.queue.insert(place_of(session, prompt), prompt);
  start_configured_servers(session);
  session.work.open();
  if (!aborts) return;
  withdraw_hooks_of_done_tools(session);
  session.turn->abort.fire();
}

void take_line(Session& session, std::string_view line) {
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find_first_not_of(" \t") == line.npos) return;
  const Json value = parse_line(line);
  if (value.is_discarded())
    die(session, "Error parsing streaming input line (type=" + guessed_type(line) + ", " +
                     std::to_string(utf16_length(line)) + " chars): SyntaxError");
  if (value.is_null())
    die(session, "Error parsing streaming input line (type=unknown, 4 chars): TypeError");
  const bool first = !std::exchange(session.input_began, true);
  if (first && session.args.has("--await-initialize") &&
      member(member(value, "request"), "subtype") != "initialize")
    die(session,
        "Error: --await-initialize requires the initialize control request as the first stdin "
        "line, and the first line is a different message.");
  if (session.scenario.watches_input) {
    session.seen.push_back(value);
    session.line_came.open();
  }
  // An answer to what `startup` itself asked is not to wait for its end.
  if (session.holds_lines && text_of(value, "type") != "control_response")
    session.held.push_back(value);
  else
    handle(session, value);
}

void release_held_lines(Session& session) {
  for (const Json& line : std::exchange(session.held, {})) handle(session, line);
}

void take_end_of_input(Session& session) {
  session.input_ended = true;
  session.line_came.open();
  if (session.scenario.ignores_eof) return;
  session.asks.end_of_input();
  session.work.open();
}

void take_signal(Session& session, int number) {
  if (number == SIGTERM && session.scenario.ignores_sigterm) return;
  if (number != SIGINT) {
    session.loop.spawn(end_by_signal(session, 128 + number));
    return;
  }
  if (session.turn) {
    interrupt(session);
    session.turn->abort.fire();
  }
  session.loop.spawn(end_after_turn(session));
}

}  // namespace claude::sim
