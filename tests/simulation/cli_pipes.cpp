// The pipes of the CLI, the session's side of them, and what goes wrong with both.
#include "cli.h"
#include "core/lines.h"
#include "session/child_transport.h"

namespace claude::simulation {

using namespace std::chrono_literals;

namespace {

constexpr std::string_view kNoise[] = {
    "",
    "nonsense",
    "{",
    R"({"type":3})",
    R"({"type":"hologram","n":1})",
    R"({"type":"keep_alive"})",
    R"({"type":"control_response","response":{"subtype":"success","request_id":"req_99_w"}})",
    R"({"type":"control_response","response":{"subtype":"success","request_id":"strange"}})",
    R"({"type":"control_response","response":{"subtype":"success"}})",
    R"({"type":"control_request","request":{"subtype":"hook_callback"}})",
    R"({"type":"control_cancel_request","request_id":"n0"})",
    R"({"type":"system","subtype":"status","status":null,"surprise":1,"uuid":"s","session_id":"s"})"};
constexpr std::string_view kOddAsks[] = {
    R"({"type":"control_request","request_id":"$1","request":{"subtype":"make_coffee"}})",
    R"({"type":"control_request","request_id":"$1","request":{"subtype":"initialize"}})",
    R"({"type":"control_request","request_id":"$1","request":{"subtype":"can_use_tool"}})",
    R"({"type":"control_request","request_id":"$1","request":{"subtype":"hook_callback","callback_id":"hook_9","input":{}}})",
    R"({"type":"control_request","request_id":"$1","request":{"subtype":"request_user_dialog"}})",
    R"({"type":"control_request","request_id":"$1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"x":1e999}}})",
    "{\"request\":{\"input\":\"\xff\",\"subtype\":\"hook_callback\",\"callback_id\":\"hook_0\"},"
    "\"request_id\":\"$1\",\"type\":\"control_request\"}"};

}  // namespace

// ---- The session's side ------------------------------------------------------------------------

class Cli::Side : public Transport {
 public:
  explicit Side(Cli& cli) : cli_(cli) {}
  ~Side() override {
    cli_.disconnected_ = true;
    cli_.laws_.transport_freed = true;
  }

  IoResult read(std::span<char> into) override { return take(cli_.out_, into); }
  IoResult read_errors(std::span<char> into) override { return take(cli_.errors_, into); }

  bool writes_apart() const override { return cli_.character_.writes_apart; }
  IoResult write(std::string_view bytes) override {
    Visit visit(*this, writes_apart() ? writing_ : inside_);
    if (inside_ > 0 && writes_apart()) reached(Reached::write_apart);
    if (cli_.in_.read_closed()) return {IoStatus::closed, 0};
    if (cli_.world_.decide.one_in(6)) bytes = bytes.substr(0, 1 + cli_.world_.decide.below(100));
    std::size_t written = cli_.in_.put(bytes);
    cli_.laws_.session_wrote(bytes.substr(0, written));
    cli_.world_.event("the session writes ", written, " bytes, of which the pipe has room for ",
                      cli_.in_.room());
    if (written == 0) reached(Reached::write_blocked);
    return {written == 0 ? IoStatus::would_block : IoStatus::ok, written};
  }

  int read_fd() const override { return cli_.out_.read_fd(); }
  int write_fd() const override { return input_closed_ ? -1 : cli_.in_.write_fd(); }
  int error_fd() const override { return is_process() ? cli_.errors_.read_fd() : -1; }
  int exit_fd() const override {
    return is_process() && cli_.character_.tells_exit ? cli_.exit_fd_ : -1;
  }
  std::optional<int> pid() const override {
    return is_process() ? std::optional<int>(1) : std::nullopt;
  }
  std::optional<Exit> exited() override {
    Visit visit(*this);
    if (!is_process()) return std::nullopt;
    cli_.laws_.exit_known |= cli_.exit_.has_value();
    cli_.laws_.has_exited |= cli_.laws_.exit_known;
    return cli_.exit_;
  }
  bool carries_control() const override { return cli_.character_.carries_control; }
  void close_input() override {
    Visit visit(*this);
    if (writing_ > 0) cli_.world_.fail("the input is closed under a write");
    input_closed_ = true;
    cli_.in_.close_write();
  }
  void terminate() override { cli_.terminated_ = true; }
  void kill() override { cli_.killed_ = true; }

 private:
  // One member at a time; one that writes apart has a door of its own.
  struct Visit {
    explicit Visit(Side& side) : Visit(side, side.inside_) {}
    Visit(Side& side, int& inside) : visitors(inside) {
      if (visitors++ > 0) side.cli_.world_.fail("two threads are in the transport");
      side.cli_.world_.point();
    }
    ~Visit() { --visitors; }
    int& visitors;
  };

  bool is_process() const { return cli_.character_.is_process; }
  IoResult take(Pipe& pipe, std::span<char> into) {
    Visit visit(*this);
    World& world = cli_.world_;
    if (pipe.at_end()) {
      // A CLI that only closed its output is given up after a second.
      cli_.laws_.dead_at = std::min(cli_.laws_.dead_at, world.now() + 1'100ms);
      return {IoStatus::closed, 0};
    }
    if (pipe.size() == 0) return {IoStatus::would_block, 0};
    bool cut = world.decide.one_in(3);
    if (cut) reached(Reached::read_cut);
    std::size_t size = pipe.take(into.data(), cut ? 1 + world.decide.below(150) : into.size());
    world.event("the session reads ", size, " bytes");
    return {IoStatus::ok, size};
  }

  Cli& cli_;
  int inside_ = 0;
  int writing_ = 0;
  bool input_closed_ = false;
};

std::unique_ptr<Transport> Cli::connect() {
  laws_.input = &in_;
  world_.spawn("cli", [this] { live(); });
  return std::make_unique<Side>(*this);
}

// ---- Its own side ------------------------------------------------------------------------------

bool Cli::say(const std::string& line) {
  if (trouble()) misfortune();
  std::string bytes = line + "\n";
  bool dies = character_.trouble != 0 && world_.decide.one_in(100);
  std::size_t size = bytes.size();
  if (dies) size = size * world_.decide.below(256) / 256;
  for (std::size_t done = 0; done < size;) {
    world_.wait([&] { return out_.room() > 0 || out_.closed() || disconnected_ || killed_; });
    obey_signals();
    if (out_.closed()) return false;
    done += out_.put(std::string_view(bytes).substr(done, size - done));
  }
  world_.event("the CLI says ", std::string_view(bytes).substr(0, size));
  if (!dies) return true;
  reached(Reached::death_in_a_line);
  die();
}

void Cli::obey_signals() {
  if (disconnected_) throw Died{{}};
  if (killed_ && !character_.ignores_kill) throw Died{{.code = {}, .signal = 9}};
  if (std::exchange(killed_, false)) reached(Reached::kill_ignored);
  if (!std::exchange(terminated_, false)) return;
  if (!character_.ignores_terminate) throw Died{{.code = {}, .signal = 15}};
  reached(Reached::terminate_ignored);
}

void Cli::leave(Exit exit) {
  world_.event("the CLI is gone");
  exit_ = exit;
  // Where nothing tells of it, the session has to ask.
  const bool is_told = character_.tells_exit || !character_.is_process;
  laws_.dead_at = std::min(laws_.dead_at, world_.now() + (is_told ? 0ms : kAskSeldom));
  laws_.has_exited = is_told;
  world_.at(exit_fd_).readable = true;
  in_.close_read();
  // A child that it left behind may hold its pipes open.
  if (character_.is_process && character_.trouble != 0 && world_.decide.one_in(8)) {
    return reached(Reached::exit_with_open_pipes);
  }
  out_.close_write();
  errors_.close_write();
}

void Cli::grumble() {
  reached(Reached::stderr_text);
  std::string text(world_.decide.one_in(4) ? 20'000 : 20, 'e');
  text += std::to_string(stderr_text_.size()) + '\n';
  stderr_text_ += text.substr(0, errors_.put(text));
}

// ---- What goes wrong ---------------------------------------------------------------------------

void Cli::misfortune() {
  switch (world_.decide.below(12)) {
    case 0:
    case 1:
    case 2:
      return noise();
    case 3:
      if (character_.is_process) grumble();
      return;
    case 4:
      reached(Reached::death);
      die();
    case 5:
      reached(Reached::output_closed);
      laws_.pipe_broken = true;
      out_.close_write();
      return;
    case 6:
      reached(Reached::input_closed);
      laws_.pipe_broken = true;
      in_.close_read();
      return;
    case 7:
      reached(Reached::deaf);
      deaf_ = true;
      return;
    case 8:
      deaf_ = in_.read_closed();
      return;
    case 9:
      reached(Reached::long_pause);
      world_.wait([&] { return disconnected_ || killed_ || terminated_; }, world_.now() + 70s);
      return obey_signals();
    default:
      return;
  }
}

void Cli::noise() {
  reached(Reached::noise);
  if (world_.decide.one_in(3)) return ask_oddly();
  std::string line(world_.decide.of(kNoise));
  if (world_.decide.one_in(6)) line = std::string(world_.decide.one_in(2) ? 1'200 : 5'000, 'x');
  out_.put(line.size() < out_.room() ? line + "\n" : "");
}

void Cli::ask_oddly() {
  std::string id = "odd" + std::to_string(++odd_asks_);
  std::string line = core::with(std::string(world_.decide.of(kOddAsks)), id);
  AskRecord& ask = laws_.ask(id);
  bool is_left = !character_.carries_control || member(line, "subtype") == "request_user_dialog";
  ask.kind = is_left ? AskKind::left : AskKind::odd;
  ask.asked = is_left ? 0 : 1;
  out_.put(line.size() < out_.room() ? line + "\n" : "");
}

void Cli::die() {
  Exit exit{.code = 1, .signal = {}};
  if (world_.decide.one_in(2)) exit = {.code = {}, .signal = 11};
  throw Died{exit};
}

}  // namespace claude::simulation
