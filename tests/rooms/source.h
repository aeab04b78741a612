// A source file as the rooms test sees it: lines, code without comments and literals, includes.
//
// A tokenizer of a hundred lines, not a compiler: it knows comments, strings, raw strings and
// character literals, which is what it takes not to be fooled by them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rooms {

struct Include {
  std::string name;
  bool quoted = false;  // "name", else <name>
  std::size_t line = 0;
};

struct Literal {
  std::string text;  // as written between the quotes
  std::size_t line = 0;
};

struct Line {
  std::string text;         // as written
  std::string code;         // comments and the insides of literals are blanks
  bool raw_string = false;  // touches a raw string, whose lines cannot be broken
};

struct Source {
  std::string path;  // from the project's root: src/core/engine.cpp
  std::vector<Line> lines;
  std::vector<Include> includes;
  std::vector<Literal> literals;
};

// Part of a name.
bool is_word(char c);

Source read_source(std::string path, std::string_view text);

}  // namespace rooms
