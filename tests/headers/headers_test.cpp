// Public headers are a budget: what everybody compiles must stay cheap and must not leak.
// That each of them compiles alone is seen at build time (extra.cmake).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

struct Header {
  std::string name;
  std::string text;
};

std::vector<Header> public_headers() {
  const fs::path root = fs::path(PROJECT_SOURCE_DIR) / "include";
  std::vector<Header> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".h") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    found.push_back({fs::relative(entry.path(), root).generic_string(), text.str()});
  }
  return found;
}

TEST(Headers, AreThere) {
  EXPECT_FALSE(public_headers().empty());
}

TEST(Headers, MayBeIncludedTwice) {
  for (const Header& header : public_headers())
    EXPECT_THAT(header.text, HasSubstr("#pragma once")) << header.name;
}

TEST(Headers, OpenNoNamespaceInTheUsersCode) {
  for (const Header& header : public_headers())
    EXPECT_THAT(header.text, Not(HasSubstr("using namespace"))) << header.name;
}

TEST(Headers, LeaveTheDearStandardHeadersOut) {
  for (const Header& header : public_headers())
    for (const char* dear : {"<iostream>", "<regex>", "<future>", "<locale>", "<ranges>"})
      EXPECT_THAT(header.text, Not(HasSubstr(std::string("#include ") + dear))) << header.name;
}

TEST(Headers, BringCoroutinesOnlyInCoroH) {
  for (const Header& header : public_headers())
    EXPECT_EQ(header.text.contains("#include <coroutine>"), header.name == "claude/coro.h")
        << header.name;
}

// The public headers that `header` brings, itself among them.
void add_reachable(const std::vector<Header>& all, const std::string& header,
                   std::set<std::string>& reached) {
  if (!reached.insert(header).second) return;
  for (const Header& from : all)
    for (const Header& to : all)
      if (from.name == header && from.text.contains("#include <" + to.name + ">"))
        add_reachable(all, to.name, reached);
}

// The simulator is for tests, and in a library of its own.
TEST(Headers, ComeAllWithClaudeHButTheAdaptersAndTheSimulator) {
  const std::vector<Header> all = public_headers();
  std::set<std::string> reached;
  add_reachable(all, "claude/claude.h", reached);
  for (const Header& header : all)
    EXPECT_EQ(reached.contains(header.name),
              !header.name.starts_with("claude/adapt/") && header.name != "claude/sim.h")
        << header.name;
}

}  // namespace
