// The command line of the CLI.
//
// Every value is bound to its flag in one word, `--flag=value`, so that no value of a user can
// become a flag. What may be long (system prompt, agents, schema) goes out in initialize instead,
// see launch/initialize.h; only the legacy form, which has no initialize, puts it here.
//
// These functions take options that passed launch/check.h and cannot fail.
#pragma once

#include <claude/options.h>

namespace claude::launch {

using Words = std::vector<std::string>;

// The words behind the program's name for a session. `session_id` is left out when an old
// conversation goes on under its old id, see takes_session_id().
Words arguments(const Options& options, std::string_view session_id);

// Whether the conversation starts under an id that we choose: not when it resumes or continues
// another one, unless as a fork.
bool takes_session_id(const Options& options);

// The one-way form: the prompt is the last word, the answer comes on stdout, and stdin has to be
// closed at once. Hooks, callbacks and servers inside this process do not exist there.
Words legacy_arguments(const Options& options, std::string_view prompt);

// The value of a word that should not stand on a command line, which every user of the machine can
// read: JSON that may hold keys, of MCP servers above all. The CLI takes a file in its place.
// Empty: the word may stand there as it is.
std::string_view private_value(std::string_view word);

inline constexpr std::string_view kLegacyWarning =
    "query() ignores hooks/can_use_tool/mcp_servers. Use Session::start(), or leave out "
    "Options::legacy_argv, for bidirectional features.";

// kLegacyWarning, for the session to log, when options set something that the one-way form
// ignores; empty when they do not.
std::string_view legacy_warning(const Options& options);

}  // namespace claude::launch
