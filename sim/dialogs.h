// What editors show of a session: its status, its memory files, its context, the conversation.
#pragma once

#include "reply.h"

namespace claude::sim {

void get_status(Session& session, const Json& request, Reply& reply);
void get_plan(Session& session, const Json& request, Reply& reply);
void get_memory_dialog(Session& session, const Json& request, Reply& reply);
void get_skills_dialog(Session& session, const Json& request, Reply& reply);
void get_context_usage(Session& session, const Json& request, Reply& reply);
void get_sandbox_dialog(Session& session, const Json& request, Reply& reply);
void export_conversation(Session& session, const Json& request, Reply& reply);

std::string total_cost(const Session& session);

// Where the session's plan is kept.
std::string plan_file(const Session& session);

}  // namespace claude::sim
