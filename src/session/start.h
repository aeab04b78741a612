// Starting a session: find the CLI, start it, wait until it is ready, or explain why not.
#pragma once

#include <claude/options.h>

#include <memory>
#include <string>

namespace claude {

class LiveSession;
class Mailbox;

// The prompt that stands on the command line in the one-way form (Options::legacy_argv): the CLI
// hears nothing more, and nobody is asked for anything.
struct ToldPrompt {
  std::string text;
  // Open before the CLI's first line is read.
  std::shared_ptr<Mailbox> turn = {};
  std::shared_ptr<Mailbox> everything = {};
};

Result<std::shared_ptr<LiveSession>> start_session(Options options, ToldPrompt* told = nullptr);

}  // namespace claude
