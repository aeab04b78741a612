// A prompt on its way to the model.
#pragma once

#include "turn.h"

namespace claude::sim {

// Who speaks when no subagent does.
extern const Agent kMain;

void send_lifecycle(Session& session, const Prompt& prompt, const char* state);
void send_replay(Session& session, const Prompt& prompt);
// Of one that the model does not hear by itself.
void send_untimed_replay(Session& session, const Prompt& prompt);
// A hook's systemMessage.
void say(Session& session, const std::string& who, const Json& output);
// Hooks that never let a turn end are overruled.
void overrule_hooks(Session& session, int blocks);

// Takes it from the queue. Those that waited together for the last turn's end are said as one.
Prompt next_prompt(Session& session, bool waited);
// It can wait after all: it comes before all others that can.
void put_back(Session& session, Prompt prompt);
// The hooks of the turn's prompt, and its init. Gives the end when a hook stopped the prompt.
Task<std::optional<Ending>> submit_prompt(Session& session, Turn& turn);
// Prompts that came meanwhile join the turn before its next model call.
Task<void> fold_queued(Session& session, Turn& turn);
// Once: the memory files that the session begins with.
Task<void> tell_of_instructions(Session& session);

}  // namespace claude::sim
