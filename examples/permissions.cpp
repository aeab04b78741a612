// Permissions and questions: the CLI asks, this program decides.
#include <claude/claude.h>

#include <iostream>
#include <string>

int main() {
  claude::Options options;

  // Called for what neither the CLI's rules nor a hook have decided.
  options.can_use_tool = [](const claude::ToolRequest& request) -> claude::Permission {
    if (request.tool_name == "Write") {
      // Once is enough: from now on Write runs without a question, in this session.
      return claude::Permission(claude::allow())
          .with_permissions({claude::PermissionUpdate::allow_rule("Write")});
    }
    if (request.tool_name == "Bash") {
      claude::Json input = request.input.json();
      input.set("timeout", 10'000);  // allowed, with another input
      return claude::allow().with_input(std::move(input));
    }
    return claude::deny("This program allows Write and Bash.");  // the model reads this
  };

  // The model asks the user to choose (AskUserQuestion).
  options.on_question = [](const claude::Questions& questions) {
    claude::Answers answers;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      if (questions[i].options.empty()) {
        answers.say(i, "as you like");
      } else {
        answers.choose(i, 0);
      }
    }
    return answers;
  };

  auto result = claude::query("Write the date to today.txt.", options).result();
  std::cout << (result ? std::string(result->message.result.value_or("no text"))
                       : result.error().to_string())
            << '\n';
}
