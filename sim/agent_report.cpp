// Notes of the CLI first, then the report in its frame, then how the subagent can be reached.
#include "agent_report.h"

#include <algorithm>
#include <ranges>
#include <set>

#include "tasks.h"

namespace claude::sim {
namespace {

// Sorted, each once.
Json distinct(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end());
}

// The tools that the subagent had and used.
std::vector<std::string> used_tools(const AgentTally& tally) {
  std::vector<std::string> used = tally.tools;
  std::erase_if(used, [&](const std::string& name) { return tally.missing.contains(name); });
  return used;
}

std::string out_of_turns_note(const Session& session, const Agent& agent, bool said_something) {
  const Json& limit = member(member(session.agents, agent.type.c_str()), "maxTurns");
  return "NOTE: this agent stopped at its " + dump(limit) + "-turn limit before finishing. " +
         (said_something ? "The text below is PARTIAL output; treat it as incomplete."
                         : "It was still calling tools and had produced no report.") +
         " Send the agent a message (SendMessage) to let it continue from where it stopped.\n";
}

// Null when nothing was used that counts.
Json tool_stats(const AgentTally& tally) {
  const std::vector<std::string>& used = tally.tools;
  Json stats = Json::object();
  for (const char* key : {"readCount", "searchCount", "bashCount", "editFileCount", "linesAdded",
                          "linesRemoved", "otherToolCount"})
    stats[key] = 0;
  const auto counts = [](const std::string& name) { return name != "Agent" && name != "Task"; };
  if (std::ranges::none_of(used, counts)) return nullptr;
  for (const std::string& name : used | std::views::filter(counts)) {
    Json& count = stats[name == "Read"                      ? "readCount"
                        : name == "Grep" || name == "Glob"  ? "searchCount"
                        : name == "Bash"                    ? "bashCount"
                        : name == "Edit" || name == "Write" ? "editFileCount"
                                                            : "otherToolCount"];
    count = count.get<int>() + 1;
  }
  stats["linesAdded"] = tally.lines_added;
  stats["linesRemoved"] = tally.lines_removed;
  return stats;
}

bool has_tool(const Session& session, const char* name) {
  const std::vector<std::string> tools = session.tools();
  return std::ranges::find(tools, name) != tools.end();
}

std::string indented(const std::string& text) {
  std::string out = "  ";
  for (char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

// Who looks around or plans is done for good; any other subagent can be spoken to again.
std::string address(const Session& session, const Agent& agent, const BackgroundTask& task) {
  if (agent.type == "Explore" || agent.type == "Plan") return {};
  const std::string how = " (use SendMessage with to: '" + agent.id +
                          "', summary: '<5-10 word recap>' to continue this agent)";
  return "agentId: " + agent.id + (has_tool(session, "SendMessage") ? how : "") +
         "\n<usage>subagent_tokens: " + std::to_string(task.tokens) +
         "\ntool_uses: " + std::to_string(task.tool_uses) + "\nduration_ms: 0</usage>";
}

// One text for the model: the CLI's own words are indented, and so is the report.
std::string for_the_model(const Session& session, const Agent& agent, const BackgroundTask& task,
                          const std::vector<std::string>& notes, const std::string& report) {
  std::string text;
  for (const std::string& note : notes) text += indented(note) + "\n";
  const std::string reach = address(session, agent, task);
  const bool frames = !report.empty() || notes.empty();
  const char* kNothing = "(Subagent completed but returned no output.)";
  if (frames)
    text +=
        "[Subagent hand-back] The report follows:\n" + indented(report.empty() ? kNothing : report);
  return text + (frames && !reach.empty() ? "\n" : "") + reach;
}

}  // namespace

std::string note_of_news(const Session& session, const AgentTally& tally) {
  std::vector<std::string> used = used_tools(tally);
  std::erase_if(used, [&](const std::string& name) { return session.known_tools.contains(name); });
  if (used.empty()) return {};
  std::string names;
  for (const std::string name : distinct(used)) names += (names.empty() ? "" : ", ") + name;
  return "<tools-used-before-summary>" + names + "</tools-used-before-summary>\n";
}

ToolOutcome hand_back(Session& session, const Agent& agent, const BackgroundTask& task,
                      const std::string& prompt, const std::string& report) {
  const AgentTally& tally = *agent.tally;
  const std::vector<std::string> used = used_tools(tally);
  std::vector<std::string> notes;
  if (const std::string news = note_of_news(session, tally); !report.empty() && !news.empty())
    notes.push_back(news);
  std::string summary = report.empty() ? task.description : report;
  if (tally.out_of_turns) {
    notes.push_back(out_of_turns_note(session, agent, !report.empty()));
    summary = notes.back() + (report.empty() ? "" : "\n" + report);
  }
  send_ended(session, task, "completed", "completed", summary);
  ToolOutcome outcome;
  outcome.content = Json::array({text_block(for_the_model(session, agent, task, notes, report))});
  outcome.result["status"] = "completed";
  outcome.result["prompt"] = prompt;
  outcome.result["agentId"] = task.id;
  outcome.result["agentType"] = task.agent_type;
  if (!used.empty()) outcome.result["toolsUsed"] = distinct(used);
  outcome.result["harnessNoteCount"] = notes.size();
  outcome.result["harnessTailCount"] = 0;
  outcome.result["harnessSectionHash"] = "0000000000000000";
  Json& content = outcome.result["content"] = Json::array();
  for (const std::string& note : notes) content.push_back(text_block(note));
  if (!report.empty()) content.push_back(text_block(report));
  if (Json stats = tool_stats(tally); !stats.is_null())
    outcome.result["toolStats"] = std::move(stats);
  outcome.result["resolvedModel"] = agent.model.empty() ? session.model : agent.model;
  outcome.result["totalDurationMs"] = 0;
  outcome.result["totalTokens"] = task.tokens;
  outcome.result["totalToolUseCount"] = task.tool_uses;
  outcome.result["usage"] = usage_table(tally.usage);
  outcome.result["canContinueAgent"] = has_tool(session, "SendMessage");
  return outcome;
}

ToolOutcome launched(const Session& session, const Agent& agent, const BackgroundTask& task,
                     const std::string& prompt) {
  ToolOutcome outcome;
  outcome.content =
      Json::array({text_block("Async agent launched successfully. agentId: " + task.id)});
  outcome.result["isAsync"] = true;
  outcome.result["status"] = "async_launched";
  outcome.result["agentId"] = task.id;
  outcome.result["description"] = task.description;
  outcome.result["resolvedModel"] = agent.model.empty() ? session.model : agent.model;
  outcome.result["prompt"] = prompt;
  outcome.result["outputFile"] = output_file(session, task);
  outcome.result["canReadOutputFile"] = has_tool(session, "Read") || has_tool(session, "Bash");
  outcome.result["canContinueAgent"] = has_tool(session, "SendMessage");
  return outcome;
}

}  // namespace claude::sim
