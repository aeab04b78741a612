// From an ask of the CLI to the user's function and back.
//
// Decodes what was asked into the type of the callback, calls it, catches what it throws, and
// sends its answer. Every way out ends in LiveSession::answer(), which answers once.
#pragma once

#include <claude/cancel.h>
#include <claude/options.h>

#include "core/events.h"

#include <memory>

namespace claude {

class LiveSession;

// Whether the user marked the callback of this ask to run on the reading thread.
bool runs_inline(const Options& options, const core::Asked& asked);

void run_ask(const std::shared_ptr<LiveSession>& session, core::Asked& asked, CancelToken cancel);

// The payload that answers for a hook whose callback fails.
std::string failure_payload(const Hooks::Registration& hook);

}  // namespace claude
