// Steps that are no message of the model: raw lines, pauses, faults, and looking at the SDK's
// lines. One function a step; the table at the end names them.
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "turn.h"
#include "world.h"

namespace claude::sim {
namespace {

struct Action {
  Session& session;
  Abort* abort;
  Json step;
  std::string path;
};

// A raw line may name what it cannot know beforehand.
Json filled_in(Session& session, Json value) {
  if (value == "$session_id") return session.id;
  if (value == "$uuid") return session.ids.uuid();
  if (value.is_structured())
    for (Json& part : value) part = filled_in(session, part);
  return value;
}

long long times(const Json& step) {
  return number_of(step, "times", 1);
}

Task<void> emit(Action& action) {
  for (long long i = 0; i < times(action.step); ++i)
    action.session.send(filled_in(action.session, action.step["emit"]));
  co_return;
}

Task<void> emit_text(Action& action) {
  for (long long i = 0; i < times(action.step); ++i)
    action.session.output.put(action.step["emit_text"].get_ref<const std::string&>());
  co_return;
}

Task<void> emit_hex(Action& action) {
  const std::string digits = text_of(action.step, "emit_hex");
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::strtol(digits.substr(i, 2).c_str(), nullptr, 16));
  action.session.output.put(bytes);
  co_return;
}

Json delta_line(Session& session, const std::string& text) {
  Json line = Json::object();
  line["type"] = "stream_event";
  line["event"]["type"] = "content_block_delta";
  line["event"]["index"] = 0;
  line["event"]["delta"]["type"] = "text_delta";
  line["event"]["delta"]["text"] = text;
  line["session_id"] = session.id;
  line["parent_tool_use_id"] = nullptr;
  line["uuid"] = session.ids.uuid();
  return line;
}

// Numbered deltas: who lost one can say which.
Task<void> flood(Action& action) {
  const long long count = number_of(action.step, "flood");
  for (long long i = 0; i < count; ++i)
    action.session.send(delta_line(action.session, std::to_string(i)));
  co_return;
}

Task<void> huge(Action& action) {
  const auto size = static_cast<std::size_t>(number_of(action.step, "huge"));
  const Json block = text_block(std::string(size, 'x'));
  Turn nobody;
  nobody.prompts.emplace_back();
  const std::string id = action.session.ids.message();
  action.session.send(
      assistant_line(action.session, nobody, Agent{}, id, block, Usage{.input = 100}));
  co_return;
}

Task<void> to_stderr(Action& action) {
  for (long long i = 0; i < times(action.step); ++i) complain(text_of(action.step, "stderr"));
  co_return;
}

Task<void> leave(Action& action) {
  action.session.exit(static_cast<int>(number_of(action.step, "exit")));
  co_return;
}

Task<void> kill_self(Action& action) {
  const std::string name = text_of(action.step, "kill");
  const int number = name == "TERM"   ? SIGTERM
                     : name == "SEGV" ? SIGSEGV
                     : name == "ABRT" ? SIGABRT
                     : name == "INT"  ? SIGINT
                                      : SIGKILL;
  action.session.output.die_of(number);
  co_return;
}

Task<void> pause(Action& action) {
  const long long ms = number_of(action.step, "sleep_ms");
  co_await Wait(action.session.loop, nullptr, action.abort,
                Clock::now() + std::chrono::milliseconds(ms));
}

Task<void> hang(Action& action) {
  co_await Wait(action.session.loop, nullptr, action.abort, std::nullopt);
}

Task<void> close_stdout(Action& action) {
  action.session.output.close();
  co_return;
}

Task<void> close_stdin(Action& action) {
  action.session.loop.set_reading(false);
  close(world().in);
  co_return;
}

Task<void> close_stderr(Action&) {
  close(world().err);
  co_return;
}

Task<void> set_reading(Action& action) {
  action.session.loop.set_reading(flag_of(action.step, "reading", true));
  co_return;
}

// Goes on when the SDK's pipe has taken everything.
Task<void> flush(Action& action) {
  action.session.output.flush();
  if (action.session.output.waiting())
    co_await Wait(action.session.loop, &action.session.output.drained(), action.abort,
                  std::nullopt);
}

Task<void> send_control(Action& action) {
  Json request = filled_in(action.session, action.step["send_control"]);
  const AskPtr ask =
      action.session.asks.send(Ask::Kind::other, request, {}, text_of(action.step, "request_id"));
  if (flag_of(action.step, "await"))
    co_await Wait(action.session.loop, ask->gate.get(), action.abort, std::nullopt);
}

Task<void> cancel(Action& action) {
  Json line = Json::object();
  line["type"] = "control_cancel_request";
  line["request_id"] = action.step["cancel"];
  action.session.send(line);
  co_return;
}

[[noreturn]] void disappointed(Action& action, const std::string& got) {
  const Json& wanted = has(action.step, "expect") ? action.step["expect"] : action.step["wait_for"];
  complain("claude-sim: " + action.path + ": expected " + dump(wanted) + ", got " + got + "\n");
  action.session.exit(2);
}

// The next line of the SDK that was not looked at yet.
Task<Json> next_line(Action& action) {
  Session& session = action.session;
  std::optional<Time> until;
  if (has(action.step, "timeout_ms"))
    until = Clock::now() + std::chrono::milliseconds(number_of(action.step, "timeout_ms"));
  while (session.watched >= session.seen.size()) {
    if (session.input_ended) disappointed(action, "the end of stdin");
    session.line_came.close();
    const Woke woke = co_await Wait(session.loop, &session.line_came, action.abort, until);
    if (woke == Woke::timed_out) disappointed(action, "nothing in time");
  }
  Json line = session.seen[session.watched++];
  co_return line;
}

Task<void> expect(Action& action) {
  const Json line = co_await next_line(action);
  if (!contains(line, action.step["expect"])) disappointed(action, dump(line));
}

Task<void> wait_for(Action& action) {
  for (;;) {
    const Json line = co_await next_line(action);
    if (contains(line, action.step["wait_for"])) co_return;
  }
}

// A child that keeps our pipes open after we are gone.
Task<void> grandchild(Action& action) {
  action.session.output.flush();
  const long long ms = number_of(action.step, "grandchild");
  if (fork() == 0) {
    for (int number : {SIGTERM, SIGINT, SIGHUP}) signal(number, SIG_DFL);
    usleep(static_cast<useconds_t>(ms * 1000));
    _exit(0);
  }
  co_return;
}

Task<void> set_cut(Action& action) {
  const std::string how = text_of(action.step, "write");
  action.session.output.set_cut(how == "bytes"   ? Output::Cut::bytes
                                : how == "lines" ? Output::Cut::lines
                                                 : Output::Cut::whole);
  co_return;
}

Task<void> ignore(Action& action) {
  for (const Json& what : action.step["ignore"]) {
    action.session.scenario.ignores_eof |= what == "eof";
    action.session.scenario.ignores_sigterm |= what == "sigterm";
  }
  co_return;
}

struct Named {
  const char* name;
  Task<void> (*play)(Action&);
};

constexpr std::array kActions{
    Named{"emit", emit},
    Named{"emit_text", emit_text},
    Named{"emit_hex", emit_hex},
    Named{"flood", flood},
    Named{"huge", huge},
    Named{"stderr", to_stderr},
    Named{"exit", leave},
    Named{"kill", kill_self},
    Named{"hang", hang},
    Named{"sleep_ms", pause},
    Named{"close_stdout", close_stdout},
    Named{"close_stdin", close_stdin},
    Named{"close_stderr", close_stderr},
    Named{"reading", set_reading},
    Named{"flush", flush},
    Named{"send_control", send_control},
    Named{"cancel", cancel},
    Named{"expect", expect},
    Named{"wait_for", wait_for},
    Named{"grandchild", grandchild},
    Named{"write", set_cut},
    Named{"ignore", ignore},
};

}  // namespace

Task<void> act(Session& session, Abort* abort, Json step, std::string path) {
  Action action{session, abort, std::move(step), std::move(path)};
  for (const Named& named : kActions)
    if (has(action.step, named.name)) co_await named.play(action);
}

}  // namespace claude::sim
