// One walk over the characters of a command; quotes hide what separates words and parts.
#include "shell.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "programs.h"
#include "world.h"

namespace claude::sim {
namespace {

using Names = std::set<std::string, std::less<>>;

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == text.npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\n") + 1 - begin));
}

std::size_t name_length(std::string_view text) {
  const auto is_of_name = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return 0;
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_of_name) - text.begin());
}

// Some variables change what all later commands mean, and some have their value computed.
std::string why_unfollowed(const std::string& assignment) {
  static const Names kNames{"PATH", "HOME",     "SHELL", "CDPATH",
                            "ENV",  "BASH_ENV", "LANG",  "LANGUAGE"};
  static const Names kIntegers{"BASHPID",  "COLUMNS", "EPOCHSECONDS", "EUID",   "HISTCMD",
                               "HISTSIZE", "LINENO",  "LINES",        "OPTIND", "MAILCHECK",
                               "PPID",     "RANDOM",  "SECONDS",      "SHLVL",  "SRANDOM",
                               "TMOUT",    "UID"};
  const std::size_t equals = assignment.find('=');
  const std::string name = assignment.substr(0, equals);
  if (kIntegers.contains(name) &&
      assignment.find_first_not_of("0123456789", equals + 1) != assignment.npos)
    return name +
           " has integer attribute — assignment arith-evals RHS, which can execute subscript "
           "command substitution or abort/diverge at runtime";
  if (name == "IFS") return "IFS assignment changes word-splitting — cannot model statically";
  if (!kNames.contains(name) && !name.starts_with("LC_") && !name.starts_with("LD_")) return {};
  return name + " assignment alters command lookup/execution for subsequent commands";
}

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  Command read() {
    while (at_ < text_.size()) take();
    end_part();
    end_piece();
    return std::move(command_);
  }

 private:
  char next(std::size_t further = 1) const {
    return at_ + further < text_.size() ? text_[at_ + further] : '\0';
  }

  void take() {
    const char c = text_[at_];
    if (c == '\'' || c == '"') return take_quoted(c);
    if (c == '>' || c == '<' || (c == '&' && next() == '>')) return take_redirection();
    if (c == ';' || c == '&' || c == '|' || c == '\n') return take_separator();
    if (c == '#' && word_.empty()) return skip_to("\n");
    if (c == ' ' || c == '\t') end_word();
    if (c == '(' || c == ')') command_.nested = true;
    if (c == '\\') keep();
    if (c == '$' || c == '`') return take_expansion();
    if (text_[at_] != ' ' && text_[at_] != '\t') word_ += text_[at_];
    keep();
  }

  void keep() {
    if (at_ < text_.size()) part_.text += text_[at_++];
  }

  void skip_to(std::string_view what) { at_ = std::min(text_.find(what, at_), text_.size()); }

  void take_quoted(char quote) {
    keep();
    while (at_ < text_.size() && text_[at_] != quote) {
      if (quote == '"' && (text_[at_] == '$' || text_[at_] == '`')) {
        take_expansion();
        continue;
      }
      if (quote == '"' && text_[at_] == '\\') keep();
      if (at_ < text_.size()) word_ += text_[at_];
      keep();
    }
    keep();
    quoted_ = true;
  }

  void take_expansion() {
    constexpr std::string_view kHome = "$HOME";
    const std::string_view rest = std::string_view(text_).substr(at_);
    if (const auto value = value_of(rest); value != values_.end()) {
      command_.substitutes = true;
      word_ += value->second;
      for (std::size_t i = 0; i <= value->first.size(); ++i) keep();
      return;
    }
    if (rest.starts_with("`") || rest.starts_with("$("))
      doubt("A nested command");
    else if (rest.starts_with("${"))
      doubt("A variable in braces");
    else if (rest.starts_with(kHome))
      word_ += variable("HOME");
    else if (rest.size() > 1 && !std::isspace(static_cast<unsigned char>(rest[1])))
      doubt("A variable");
    const std::size_t length = rest.starts_with(kHome) ? kHome.size() : 1;
    for (std::size_t i = 0; i < length; ++i) keep();
  }

  using Values = std::map<std::string, std::string>;

  // Of the variable that `rest` begins with. Where a file is named so, nobody looks it up.
  Values::const_iterator value_of(std::string_view rest) const {
    if (target_) return values_.end();
    return values_.find(std::string(rest.substr(1, name_length(rest.substr(1)))));
  }

  // What is set anew, or falls apart into several words, is not followed.
  void keep_value(const std::string& assignment) {
    const std::size_t at = assignment.find('=');
    const std::string value = assignment.substr(at + 1);
    const bool plain = !value.empty() && value.find_first_of(" \t\n*?[") == value.npos;
    const auto [kept, is_new] = values_.try_emplace(assignment.substr(0, at), value);
    if (!is_new || !plain) values_.erase(kept);
  }

  void doubt(const std::string& what) {
    if (command_.unreadable.empty())
      command_.unreadable = what + " in this command can't be checked before it runs";
  }

  void take_separator() {
    const char c = text_[at_];
    const bool twice = next() == c && c != '\n';
    if (c == '|' && !twice) end_piece();
    if (c == '&' && !twice) command_.background = true;
    at_ += twice ? 2 : 1;
    end_part();
  }

  void take_redirection() {
    if (word_ == "1" || word_ == "2") word_.clear();
    end_word();
    if (text_[at_] == '&') keep();
    const char direction = text_[at_];
    if (direction == '<' && next() == '<') return skip_document();
    keep();
    if (next(0) == direction) keep();
    if (next(0) != '&') {
      target_ = direction == '>' ? &part_.writes : &part_.reads;
      while (next(0) == ' ') keep();
      return;
    }
    while (std::isalnum(static_cast<unsigned char>(next(0))) || next(0) == '&') keep();
  }

  // <<'END': the lines up to END belong to no part.
  void skip_document() {
    at_ += 2;
    const bool quoted = next(0) == '\'' || next(0) == '"';
    if (!quoted && command_.unreadable.empty())
      command_.unreadable = "Heredoc with unquoted delimiter undergoes shell expansion";
    const std::size_t begin = at_ + (quoted ? 1 : 0);
    const std::size_t end = std::min(text_.find_first_of("'\" \n", begin), text_.size());
    const std::string last = "\n" + text_.substr(begin, end - begin);
    const std::size_t line = std::min(text_.find('\n', end), text_.size());
    if (text_.substr(end, line - end).find('>') != std::string::npos) doubt("A file redirect");
    at_ = end;
    skip_to(last);
    at_ = std::min(at_ + last.size(), text_.size());
  }

  void end_word() {
    if (word_.empty() && !quoted_) return;
    const bool home = !quoted_ && (word_ == "~" || word_.starts_with("~/"));
    if (home) word_.replace(0, 1, variable("HOME"));
    if (word_ == "{" && part_.words.empty()) doubt("A group in braces or double parentheses");
    const bool sets = part_.words.empty() && is_assignment(word_);
    auto& list = target_ ? *target_ : sets ? part_.variables : part_.words;
    if (!target_ || word_ != "/dev/null") list.push_back(word_);
    target_ = nullptr;
    word_.clear();
    quoted_ = false;
  }

  void end_piece() {
    command_.pieces.push_back(trimmed(std::string_view(text_).substr(piece_, at_ - piece_)));
    piece_ = at_ + 1;
  }

  // Words of the shell itself are no part of what is run.
  void end_part() {
    static const Names kBefore{"if", "then", "else", "elif", "while", "until", "do", "!"};
    static const Names kAlone{"fi", "done", "else", "then", "do"};
    end_word();
    Part part = std::exchange(part_, {});
    part.text = trimmed(part.text);
    while (part.words.size() > 1 && kBefore.contains(part.words[0])) {
      command_.loops |= part.words[0] == "while" || part.words[0] == "until";
      command_.controls = true;
      part.text = trimmed(std::string_view(part.text).substr(part.words[0].size()));
      part.words.erase(part.words.begin());
    }
    const bool exports = part.words.size() == 2 && part.words[0] == "export";
    if (exports && is_assignment(part.words[1])) keep_value(part.words[1]);
    if (part.words.empty() && part.variables.size() == 1) {
      if (const std::string why = why_unfollowed(part.variables[0]);
          !why.empty() && command_.unreadable.empty())
        command_.unreadable = why;
      keep_value(part.variables[0]);
    }
    if (part.words.empty() && part.variables.size() > 1)
      command_.unreadable = "Variable assignments in this command can't be checked before it runs";
    if (part.words.empty() && part.writes.empty() && part.variables.empty()) return;
    if (!part.words.empty() && kAlone.contains(part.words[0])) return;
    if (!part.words.empty() && part.words[0] == "for") {
      command_.loops = true;
      if (part.text.find('*') == part.text.npos) return;
    }
    command_.parts.push_back(std::move(part));
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::size_t piece_ = 0;  // where the last one begins
  Command command_;
  Part part_;
  std::string word_;
  bool quoted_ = false;                         // the word is there, even when it is empty
  std::vector<std::string>* target_ = nullptr;  // of part_: where the next word belongs
  Values values_;                               // of the variables set so far
};

}  // namespace

bool is_assignment(const std::string& word) {
  const std::size_t length = name_length(word);
  return length > 0 && length < word.size() && word[length] == '=';
}

Command read_command(const std::string& text) {
  return Reader(text).read();
}

long long slept_ms(const std::string& command) {
  double seconds = 0;
  for (const Part& part : read_command(command).parts)
    if (part.words.size() == 2 && part.words[0] == "sleep")
      seconds += std::atof(part.words[1].c_str());
  return static_cast<long long>(seconds * 1000);
}

std::string echoed(const std::string& command) {
  std::string out;
  for (const Part& part : read_command(command).parts) {
    if (part.words.empty() || part.words[0] != "echo" || !part.writes.empty()) continue;
    if (!out.empty()) out += "\n";
    for (std::size_t i = 1; i < part.words.size(); ++i) out += (i > 1 ? " " : "") + part.words[i];
  }
  return out;
}

bool prints_nothing(const std::string& command) {
  const std::vector<Part> parts = read_command(command).parts;
  const auto is_silent = [](const Part& part) {
    if (part.words.empty() || !part.writes.empty()) return false;
    const std::string& program = part.words[0];
    return program == "cd" || (changes_files(program) && program != "sed" && program != "tee");
  };
  return !parts.empty() && std::ranges::all_of(parts, is_silent);
}

}  // namespace claude::sim
