// The pages say what is so: links lead somewhere, versions are the real ones.
#include <claude/options.h>
#include <claude/version.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace claude::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kRoot = PROJECT_SOURCE_DIR;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> pages() {
  std::vector<fs::path> found;
  for (const fs::path& folder : {kRoot, kRoot / "docs"}) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".md") found.push_back(entry.path());
    }
  }
  return found;
}

TEST(Pages, LinkToFilesThatExist) {
  std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  int links = 0;
  for (const fs::path& page : pages()) {
    std::string text = text_of(page);
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      ++links;
      EXPECT_TRUE(fs::exists(page.parent_path() / (*at)[1].str())) << page << ": " << at->str();
    }
  }
  EXPECT_GT(links, 10);
}

// Every test of the project, as `room.Suite.Name`.
std::set<std::string> tests_of_the_project() {
  const std::regex test(R"((?:^|\n)TEST(?:_[FP])?\((\w+), (\w+)\))");
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "tests")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string room = fs::relative(entry.path(), kRoot / "tests").begin()->string();
    const std::string text = text_of(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), test), end; at != end; ++at)
      names.insert(room + "." + (*at)[1].str() + "." + (*at)[2].str());
  }
  return names;
}

// Checks that the tests which a line names exist, and gives their number.
int tests_named_in(const std::string& line, const std::set<std::string>& tests) {
  static const std::regex named(R"(`(\w+\.\w+\.\w+)`)");
  int count = 0;
  for (std::sregex_iterator at(line.begin(), line.end(), named), end; at != end; ++at, ++count)
    EXPECT_TRUE(tests.contains((*at)[1].str())) << at->str();
  return count;
}

TEST(Security, EachPromiseNamesTestsThatExist) {
  const std::set<std::string> tests = tests_of_the_project();
  std::ifstream page(kRoot / "docs/security.md");
  int promises = 0;
  bool among_promises = false;
  for (std::string line; std::getline(page, line);) {
    const int named = tests_named_in(line, tests);
    if (!line.starts_with('|')) among_promises = false;
    if (among_promises && !line.starts_with("|---")) {
      ++promises;
      EXPECT_GT(named, 0) << "no test shows this: " << line;
    }
    if (line == "| promise | tests |") among_promises = true;
  }
  EXPECT_GT(promises, 30);
}

// S191
TEST(Readme, ExplainsBothFormsAndTheMinimumVersion) {
  std::string readme = text_of(kRoot / "README.md");
  EXPECT_THAT(readme, HasSubstr("## A conversation in both directions"));
  EXPECT_THAT(readme, HasSubstr("| | `query()` | `Session` |"));
  EXPECT_THAT(readme, HasSubstr("version " + std::string(kMinimumCliVersion) + " or newer"));
  EXPECT_THAT(text_of(kRoot / "docs/guide.md"), HasSubstr("official SDK"));
}

// S172
TEST(Changelog, HasTheVersionThatIsBuiltAndWhatSemverPromises) {
  std::string changelog = text_of(kRoot / "CHANGELOG.md");
  EXPECT_THAT(changelog, HasSubstr("## " + std::string(version())));
  EXPECT_THAT(changelog, HasSubstr("follow semantic versioning"));
}

}  // namespace
}  // namespace claude::test
