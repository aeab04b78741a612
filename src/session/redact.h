// Takes out of a line of the wire what is nobody else's business: the home folder, and secrets.
// Their characters may be escaped there in any way that JSON has, and again where a text holds
// JSON.
#pragma once

#include <claude/options.h>

#include <string>
#include <string_view>
#include <vector>

namespace claude {

class Redactor {
 public:
  // `home` may be empty. `secrets` are taken out wherever they stand.
  Redactor(std::string home, const std::vector<std::string>& secrets);
  // Further ones.
  void hide(const std::vector<std::string>& secrets);

  // With $HOME for the folder and launch::kMask for secrets, given ones and those that are known
  // by name or look. What was JSON stays JSON, but where a secret is a part of it with its quotes.
  std::string operator()(std::string_view line) const;

 private:
  std::string home_;
  std::string home_as_name_;          // as it stands in the names of the CLI's folders
  std::vector<std::string> secrets_;  // the longest first
  std::vector<std::string> numbers_;  // those that may stand as a number, also the longest first
};

// Values of this process's environment whose names speak of keys, tokens or passwords.
std::vector<std::string> secrets_of_environment();

// Values in these options whose names do: variables of the CLI's environment, of MCP servers and of
// settings, and headers.
std::vector<std::string> secrets_of(const Options& options);

}  // namespace claude
