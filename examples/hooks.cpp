// Hooks: code of yours that the CLI calls at fixed points of its work.
#include <claude/claude.h>

#include <chrono>
#include <iostream>
#include <string>

int main() {
  claude::Options options;

  // Before a tool runs. A policy that must hold even when its own code fails says so.
  options.hooks.pre_tool_use(
      "Bash",
      [](const claude::PreToolUse& call) -> claude::Verdict<claude::PreToolUse> {
        const claude::Json command = call.tool_input["command"];
        if (command.text().contains("sudo")) return claude::deny("No root here.");
        return claude::proceed();
      },
      {.timeout = std::chrono::seconds(5), .on_failure = claude::OnFailure::block});

  // After it ran: tell the model something more.
  options.hooks.post_tool_use("Write|Edit", [](const claude::PostToolUse&) {
    return claude::add_context("Files in this project end with a newline.");
  });

  // Each prompt, before the model sees it.
  options.hooks.user_prompt_submit([](const claude::UserPromptSubmit& submitted) {
    std::cerr << "prompt of " << submitted.prompt.size() << " bytes\n";
    return claude::proceed();
  });

  // An event that has no type here, by the name that the CLI gives it.
  options.hooks.on("PostToolUseFailure", std::nullopt,
                   [](const claude::HookInput& input, claude::Reply<claude::HookOutput> reply) {
                     std::cerr << "failed: " << input.raw["error"].text() << '\n';
                     reply({});
                   });

  auto result = claude::query("Run `sudo ls` and tell me how it went.", options).result();
  std::cout << (result ? std::string(result->message.result.value_or("no text"))
                       : result.error().to_string())
            << '\n';
}
