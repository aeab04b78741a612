// From an ask of the CLI to the user's function and back.
//
// Decodes what was asked into the type of the callback, calls it, catches what it throws, and
// sends its answer. Every way out ends in LiveSession::answer(), which answers once.
//
// Decoding is the reading thread's, which still has the tokens of the line; the rest is work for
// any thread.
#pragma once

#include <claude/cancel.h>
#include <claude/options.h>

#include "base/hot.h"
#include "core/events.h"
#include "session/pool.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace claude {

class LiveSession;

// Whether the user marked the callback of this ask to run on the reading thread.
bool runs_inline(const Options& options, const core::Asked& asked);

// Runs the callback here, and gives nothing back; or gives back the work of running it, for a
// thread of the pool. Only the latter may be done under the session's lock. Either way the session
// is told when the callback is no longer at work.
enum class Where : std::uint8_t { here, elsewhere };
CLAUDE_EACH_ASK Runtime::Pool::Work run_ask(LiveSession& session, core::Asked& asked,
                                            CancelToken cancel, Where where);

// The payload that answers for a hook whose callback fails.
std::string failure_payload(const Hooks::Registration& hook);

}  // namespace claude
