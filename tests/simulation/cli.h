// The CLI of a world: a script that is made up as it goes, and goes wrong as the world decides.
//
// It starts turns, says numbered messages, asks, answers, withdraws; it also answers late, twice,
// wrongly or not at all, makes noise, stops reading, closes its pipes, and dies at any byte. What
// it says as a whole line it tells the laws.
#pragma once

#include <claude/transport.h>

#include <deque>
#include <memory>
#include <string>

#include "laws.h"
#include "pipe.h"

namespace claude::simulation {

// What is decided once for a world: what kind of CLI it has.
struct Character {
  explicit Character(Decisions& decide);
  std::size_t trouble;      // something goes wrong in one of so many steps; 0: never
  bool is_process;          // it has an exit and a stderr; else only a stream that ends
  bool tells_exit;          // by a descriptor; else it is asked, if it is a process
  bool names_prompts;       // as CLIs do that are not old
  bool carries_control;     // else it only talks
  bool writes_apart;        // as its transport says
  bool ignores_end;         // of its input
  bool ignores_terminate;   // SIGTERM
  bool ignores_kill;        // hangs in the kernel
  std::size_t input_bytes;  // of its pipes
  std::size_t output_bytes;
};

class Cli {
 public:
  Cli(World& world, Laws& laws, const Character& character);

  // Starts it.
  std::unique_ptr<Transport> connect();

  const std::string& stderr_text() const { return stderr_text_; }

 private:
  class Side;  // of the session
  struct Died {
    Exit exit;
  };
  struct LateAnswer {
    std::string line;
    int call;
    bool refusal;
  };

  // Its life.
  void live();
  void leave(Exit exit);
  void begin();
  void play_turn();
  void finish_turn(const std::string& uuid, const std::string& folded);
  void between_turns();

  // What it hears.
  void pass(Duration time);
  void listen();
  void hear(std::string_view line);
  void hear_request(std::string_view line);
  void obey_signals();

  // What it says.
  bool say(const std::string& line);  // whether as a whole
  void say_message(const std::string& uuid);
  std::string next_mark(TurnRecord* turn, const std::string& uuid);
  void ask();
  void withdraw(const std::string& id, AskRecord& ask);
  void answer(const LateAnswer& late);
  void grumble();  // on stderr

  // What goes wrong.
  void misfortune();
  void noise();
  void ask_oddly();
  [[noreturn]] void die();
  bool trouble() { return character_.trouble != 0 && world_.decide.one_in(character_.trouble); }

  World& world_;
  Laws& laws_;
  Character character_;
  Pipe in_;
  Pipe out_;
  Pipe errors_;
  int exit_fd_;
  std::optional<Exit> exit_;
  bool terminated_ = false;
  bool killed_ = false;
  bool disconnected_ = false;
  bool deaf_ = false;

  std::string heard_;
  std::deque<std::string> prompts_;
  std::deque<LateAnswer> late_answers_;
  std::string stderr_text_;
  bool initialized_ = false;
  int asks_ = 0;
  int odd_asks_ = 0;
  int messages_ = 0;
};

}  // namespace claude::simulation
