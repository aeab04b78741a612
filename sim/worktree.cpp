// EnterWorktree and ExitWorktree, with a worktree that a hook of the host makes.
//
// The simulator runs no git, so without such a hook there is none, as on the CLI outside of a
// repository.
#include "turn.h"

namespace claude::sim {
namespace {

ToolOutcome told(const std::string& message, Json result) {
  ToolOutcome outcome;
  outcome.id_at_end = true;
  outcome.content = message;
  outcome.result = std::move(result);
  outcome.result["message"] = message;
  return outcome;
}

Task<std::string> made_by_hook(Session& session, Turn& turn, std::string name) {
  HookCall hook{"WorktreeCreate", "", Json::object(), "", &turn.abort};
  hook.fields["name"] = name;
  const Agent nobody;
  const std::vector<HookReply> replies = co_await session.hooks.call(session, nobody, hook);
  for (const HookReply& reply : replies) {
    const Json& specific = member(reply.output, "hookSpecificOutput");
    if (has(specific, "worktreePath")) co_return text_of(specific, "worktreePath");
  }
  co_return "";
}

}  // namespace

Task<ToolOutcome> enter_worktree(Session& session, Turn& turn, Json input) {
  const std::string name = text_of(input, "name", "simulated-worktree");
  const std::string path = co_await made_by_hook(session, turn, name);
  if (path.empty())
    co_return tool_failure(
        "Cannot create a worktree: not in a git repository and no WorktreeCreate hooks are "
        "configured. Configure WorktreeCreate/WorktreeRemove hooks in settings.json to use "
        "worktree "
        "isolation with other VCS systems.");
  session.original_cwd = session.permissions.root;
  session.cwd = session.permissions.root = session.worktree = path;
  Json result = Json::object();
  result["worktreePath"] = path;
  co_return told("Created worktree at “" + path +
                     "”. The session is now working in the worktree. Use ExitWorktree to leave "
                     "mid-session, or exit the session to be prompted.",
                 std::move(result));
}

std::optional<ToolOutcome> exit_worktree_problem(const Session& session, const Json& input) {
  std::string text;
  if (session.worktree.empty())
    text =
        "No-op: there is no active EnterWorktree session to exit. This tool only operates on "
        "worktrees created by EnterWorktree in the current session — it will not touch worktrees "
        "created manually or in a previous session. No filesystem changes were made.";
  else if (text_of(input, "action") == "remove" && !flag_of(input, "discard_changes"))
    text = "Could not verify worktree state at “" + session.worktree +
           "”. Refusing to remove without explicit confirmation. Confirm with the user, then "
           "re-invoke with discard_changes: true to proceed — or use action: \"keep\" to preserve "
           "the worktree.";
  if (text.empty()) return std::nullopt;
  return tool_refusal(text, text);
}

Task<ToolOutcome> exit_worktree(Session& session, Turn& turn, Json input) {
  const std::string path = session.worktree;
  const bool removes = text_of(input, "action") == "remove";
  if (removes) {
    HookCall hook{"WorktreeRemove", "", Json::object(), "", &turn.abort};
    hook.fields["worktree_path"] = path;
    const Agent nobody;
    co_await session.hooks.call(session, nobody, hook);
  }
  session.cwd = session.permissions.root = session.original_cwd;
  session.worktree.clear();
  Json result = Json::object();
  result["action"] = removes ? "remove" : "keep";
  result["originalCwd"] = session.cwd;
  result["worktreePath"] = path;
  if (removes) result["discardedFiles"] = result["discardedCommits"] = 0;
  result["restoredCwd"] = session.cwd;
  result["originalCwdMissing"] = false;
  const std::string back = "Session is now back in “" + session.cwd + "”.";
  co_return told(removes ? "Exited and removed worktree at “" + path + "”. " + back
                         : "Exited worktree. Your work is preserved at “" + path + "”. " + back,
                 std::move(result));
}

}  // namespace claude::sim
