// Tells code, comments and literals apart, in one walk over the text; see source.h.
#include "rooms/source.h"

#include <cctype>
#include <utility>

namespace rooms {
namespace {

// Walks over the text once and writes what it sees into a Source.
class Reader {
 public:
  Reader(Source& source, std::string_view text) : source_(source), text_(text) {}

  void read() {
    source_.lines.emplace_back();
    while (at_ < text_.size()) {
      if (ahead("//")) {
        blank_until("\n", 0);
      } else if (ahead("/*")) {
        blank_until("*/", 2);
      } else if (ahead("R\"") && !after_word()) {
        raw_string();
      } else if (text_[at_] == '"') {
        string();
      } else if (text_[at_] == '\'' && !after_word()) {  // not the 1'000 of a number
        quoted('\'');
      } else {
        take(true);
      }
    }
    if (source_.lines.back().text.empty()) source_.lines.pop_back();
  }

 private:
  bool ahead(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool after_word() const { return at_ > 0 && is_word(text_[at_ - 1]); }
  std::size_t line() const { return source_.lines.size(); }

  void take(bool is_code) {
    const char c = text_[at_++];
    if (c == '\n') {
      source_.lines.emplace_back();
      return;
    }
    source_.lines.back().text += c;
    source_.lines.back().code += is_code ? c : ' ';
  }

  void blank_until(std::string_view end, std::size_t end_size) {
    std::size_t stop = text_.find(end, at_ + end_size);
    stop = stop == text_.npos ? text_.size() : stop + end_size;
    while (at_ < stop) take(false);
  }

  std::string quoted(char quote) {
    std::string inside;
    take(true);
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        inside += text_[at_];
        take(false);
      }
      inside += text_[at_];
      take(false);
    }
    if (at_ < text_.size()) take(true);
    return inside;
  }

  // The name of a quoted include looks like a string.
  void string() {
    const std::size_t where = line();
    const bool include = source_.lines.back().code.starts_with("#include");
    std::string inside = quoted('"');
    if (include) {
      source_.includes.push_back({std::move(inside), true, where});
    } else {
      source_.literals.push_back({std::move(inside), where});
    }
  }

  void raw_string() {
    const std::size_t first = line();
    const std::size_t open = text_.find('(', at_);
    if (open == text_.npos) return take(true);
    const std::string close = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    std::size_t end = text_.find(close, open);
    if (end == text_.npos) end = text_.size() - close.size();
    source_.literals.push_back({std::string(text_.substr(open + 1, end - open - 1)), first});
    while (at_ < end + close.size()) take(false);
    for (std::size_t i = first; i <= line(); ++i) source_.lines[i - 1].raw_string = true;
  }

  Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

Source read_source(std::string path, std::string_view text) {
  Source source;
  source.path = std::move(path);
  Reader(source, text).read();
  for (std::size_t i = 0; i < source.lines.size(); ++i) {
    const std::string_view code = source.lines[i].code;
    const std::size_t open = code.find('<');
    if (!code.starts_with("#include") || open == code.npos) continue;
    const std::size_t close = code.find('>', open);
    source.includes.push_back({std::string(code.substr(open + 1, close - open - 1)), false, i + 1});
  }
  return source;
}

}  // namespace rooms
