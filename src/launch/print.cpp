// A command as a person would type it, secrets masked. Of the environment it shows what differs
// from that of this process: the rest is known, and long.
#include <claude/options.h>

#include "launch/mask.h"
#include "launch/surroundings.h"

namespace claude {
namespace {

using Variables = std::map<std::string, std::string>;

// Quoted for a shell, where it needs to be.
std::string quoted(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out += '\'';
}

std::string variable(const std::string& name, const std::string& value) {
  const bool secret = launch::is_secret_name(name);
  return " " + quoted(name + "=" + (secret ? std::string(launch::kMask) : launch::masked(value)));
}

// `env` with what was added and removed, or, when more is gone than is left, all that is left.
std::string environment_words(const Variables& here, const Variables& there) {
  std::string removed;
  std::string added;
  std::string all;
  std::size_t gone = 0;
  for (const auto& [name, value] : here) {
    if (there.contains(name)) continue;
    removed += " -u " + quoted(name);
    ++gone;
  }
  for (const auto& [name, value] : there) {
    const std::string text = variable(name, value);
    all += text;
    const auto before = here.find(name);
    if (before == here.end() || before->second != value) added += text;
  }
  if (gone > there.size()) return "env -i" + all;
  return removed.empty() && added.empty() ? std::string() : "env" + removed + added;
}

}  // namespace

std::string Command::to_string() const {
  constexpr std::string_view kNextLine = " \\\n  ";
  std::string out;
  if (!cwd.empty()) out += "cd " + quoted(cwd) + " &&\n";
  const std::string changes =
      environment_words(launch::real_surroundings().environment, environment);
  if (!changes.empty()) out.append(changes).append(kNextLine);
  out += quoted(program);
  for (const std::string& argument : arguments) {
    out.append(kNextLine).append(quoted(launch::masked_word(argument)));
  }
  out += '\n';
  if (!initialize.empty()) out += "# then, on stdin: " + launch::masked(initialize) + "\n";
  return out;
}

}  // namespace claude
