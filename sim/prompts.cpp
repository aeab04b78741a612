// Hooks see a prompt first, and the SDK is told what becomes of it.
#include "prompts.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace claude::sim {
namespace {

// A hook stopped the prompt before the model saw it.
Ending prompt_refused(Session& session, const std::string& text, const char* kind, bool kept,
                      const std::string& reason) {
  Json line = system_line("informational");
  line["content"] = text;
  line["level"] = "warning";
  line["prevent_continuation"] = true;
  line["prompt_submit_outcome"]["kind"] = kind;
  line["prompt_submit_outcome"]["prompt_kept"] = kept;
  line["prompt_submit_outcome"]["reason"] = reason;
  session.send_signed(line);
  Ending ending;
  ending.without_model = true;
  ending.result = text;
  return ending;
}

void take_title(Session& session, const Json& output) {
  const Json& title = member(member(output, "hookSpecificOutput"), "sessionTitle");
  if (title.is_string()) session.rename(title);
}

// A command of the user or the project becomes the prompt that its file holds.
Task<void> tell_of_expansion(Session& session, Turn& turn) {
  const std::string prompt = turn.prompts[0].text;
  if (!prompt.starts_with('/') || turn.prompts[0].composed) co_return;
  const std::size_t space = std::min(prompt.find(' '), prompt.size());
  const std::string name = prompt.substr(1, space - 1);
  const auto source = session.settings.command_sources.find(name);
  if (source == session.settings.command_sources.end()) co_return;
  HookCall hook{"UserPromptExpansion", name, Json::object(), "", &turn.abort};
  hook.fields["expansion_type"] = "slash_command";
  hook.fields["command_name"] = name;
  hook.fields["command_args"] = prompt.substr(std::min(space + 1, prompt.size()));
  hook.fields["command_source"] = source->second;
  hook.fields["prompt"] = prompt;
  co_await session.hooks.call(session, kMain, hook);
}

// May it join a turn that is at work?
bool folds(const Prompt& prompt) {
  const bool command = prompt.text.starts_with("/") && !prompt.composed;
  return prompt.query && !prompt.later && prompt.origin.is_null() && !command;
}

// May it be said together with others?
bool joins(const Prompt& prompt) {
  return folds(prompt) && !prompt.composed;
}

Json blocks_of(const Json& content) {
  if (content.is_array()) return content;
  return Json::array({text_block(content)});
}

// The last of several prompts speaks for all of them.
Prompt joined(std::vector<Prompt> prompts) {
  Prompt whole = std::move(prompts.back());
  prompts.pop_back();
  Json content = prompts[0].message["content"];
  std::string text = prompts[0].text;
  const auto add = [&](const Prompt& prompt) {
    const Json& more = prompt.message["content"];
    text += "\n" + prompt.text;
    if (content.is_string() && more.is_string()) {
      content = text;
      return;
    }
    content = blocks_of(content);
    for (const Json& block : blocks_of(more)) content.push_back(block);
  };
  for (std::size_t i = 1; i < prompts.size(); ++i) add(prompts[i]);
  add(whole);
  whole.message["content"] = content;
  whole.text = text;
  whole.joined = std::move(prompts);
  return whole;
}

}  // namespace

const Agent kMain;

void send_lifecycle(Session& session, const Prompt& prompt, const char* state) {
  for (const Prompt& earlier : prompt.joined) send_lifecycle(session, earlier, state);
  if (prompt.named) session.send(lifecycle_line(session, prompt.uuid, state));
}

void send_replay(Session& session, const Prompt& prompt) {
  if (!session.replay || !prompt.origin.is_null()) return;
  session.send(replayed_line(session, member(prompt.message, "content"), prompt.uuid));
}

void send_untimed_replay(Session& session, const Prompt& prompt) {
  if (!session.replay) return;
  Json line = replayed_line(session, member(prompt.message, "content"), prompt.uuid);
  line.erase("timestamp");
  session.send(line);
}

void say(Session& session, const std::string& who, const Json& output) {
  if (!member(output, "systemMessage").is_string()) return;
  Json line = system_line("informational");
  line["content"] = who + " says: " + text_of(output, "systemMessage");
  line["level"] = "notice";
  session.send_signed(line);
}

void overrule_hooks(Session& session, int blocks) {
  const std::string text =
      "A hook blocked the turn from ending " + std::to_string(blocks) +
      " consecutive times — overriding and ending turn. For Stop/SubagentStop hooks, check "
      "stop_hook_active in the input and return success while it's true. Set "
      "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP to raise this limit.";
  Json line = system_line("informational");
  line["content"] = text;
  line["level"] = "warning";
  session.send_signed(line);
  Json note = system_line("notification");
  note["key"] = "stop-hook-block-cap";
  note["text"] = text;
  note["priority"] = "high";
  note["color"] = "warning";
  session.send_signed(note);
}

Task<std::optional<Ending>> submit_prompt(Session& session, Turn& turn) {
  const std::string prompt = turn.prompts[0].text;
  HookCall hook{"UserPromptSubmit", "", Json::object(), "", &turn.abort};
  hook.fields["prompt"] = prompt;
  const std::vector<HookReply> replies = co_await session.hooks.call(session, kMain, hook);
  for (const HookReply& reply : replies) take_title(session, reply.output);
  co_await tell_of_expansion(session, turn);
  session.send(init_line(session, turn));
  for (const HookReply& reply : replies)
    if (reply.kind == HookReply::Kind::failed) report_failure(session, hook.event, reply);
  for (const HookReply& reply : replies) {
    const std::string reason = text_of(reply.output, "reason");
    const std::string stop = text_of(reply.output, "stopReason");
    if (member(reply.output, "decision") == "block")
      co_return prompt_refused(session,
                               "UserPromptSubmit operation blocked by hook:\n" + reason +
                                   "\n\nOriginal prompt: " + prompt,
                               "blocked_by_hook", false, reason);
    if (member(reply.output, "continue") == false)
      co_return prompt_refused(session, "Operation stopped by hook: " + stop, "stopped_by_hook",
                               true, stop);
  }
  for (const HookReply& reply : replies) say(session, "UserPromptSubmit", reply.output);
  co_return std::nullopt;
}

Prompt next_prompt(Session& session, bool waited) {
  std::vector<Prompt> prompts;
  do {
    prompts.push_back(std::move(session.queue.front()));
    session.queue.pop_front();
  } while (waited && joins(prompts.back()) && !session.queue.empty() &&
           joins(session.queue.front()) && prompts.back().now == session.queue.front().now);
  if (prompts.size() == 1) return std::move(prompts[0]);
  for (std::size_t i = 0; i + 1 < prompts.size(); ++i) send_untimed_replay(session, prompts[i]);
  return joined(std::move(prompts));
}

void put_back(Session& session, Prompt prompt) {
  const auto place =
      std::ranges::find_if(session.queue, [](const Prompt& other) { return !other.now; });
  prompt.now = false;
  session.queue.insert(place, std::move(prompt));
}

Task<void> fold_queued(Session& session, Turn& turn) {
  while (!session.queue.empty() && folds(session.queue.front())) {
    turn.prompts.push_back(std::move(session.queue.front()));
    session.queue.pop_front();
    HookCall hook{"UserPromptSubmit", "", Json::object(), "", &turn.abort};
    hook.fields["prompt"] = turn.prompts.back().text;
    co_await session.hooks.call(session, kMain, hook);
    session.transcript.add_folded_prompt(turn.prompts.back());
    send_replay(session, turn.prompts.back());
    send_lifecycle(session, turn.prompts.back(), "started");
  }
}

Task<void> tell_of_instructions(Session& session) {
  // Without the flag the CLI reads them before it knows of any hook.
  if (std::exchange(session.instructions_told, true)) co_return;
  if (!session.args.has("--await-initialize")) co_return;
  for (const auto& [type, path] : session.settings.instructions) {
    if (!std::filesystem::exists(path)) continue;
    HookCall hook{"InstructionsLoaded", "session_start", Json::object(), "", nullptr};
    hook.fields["file_path"] = path;
    hook.fields["memory_type"] = type;
    hook.fields["load_reason"] = "session_start";
    co_await session.hooks.call(session, kMain, hook);
  }
}

}  // namespace claude::sim
