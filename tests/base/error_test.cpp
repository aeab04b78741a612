// What an error tells a person: its name, whose fault it is, everything that is set.
#include <claude/error.h>

#include <gtest/gtest.h>

#include <cerrno>
#include <set>

namespace claude {
namespace {

TEST(Error, EveryCodeHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(Errc::wrong_type); ++code) {
    names.insert(to_string(static_cast<Errc>(code)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Errc::wrong_type) + 1);
  EXPECT_FALSE(names.contains("unknown"));
  EXPECT_EQ(to_string(Errc::cli_not_found), "cli_not_found");
}

TEST(Error, SaysWhoIsAtFault) {
  EXPECT_EQ(Error{.code = Errc::invalid_option}.fault(), Fault::caller);
  EXPECT_EQ(Error{.code = Errc::exited}.fault(), Fault::cli);
  EXPECT_EQ(Error{.code = Errc::spawn_failed}.fault(), Fault::system);
}

TEST(Error, TellsEverythingThatIsSet) {
  const Error error{.code = Errc::exited_during_init,
                    .message = "the CLI ended before it answered",
                    .where = "initialize",
                    .advice = "run it by hand",
                    .exit_code = 3,
                    .signal = 9,
                    .os_error = ENOENT,
                    .stderr_tail = "first\nsecond\n",
                    .cli_text = "no such thing",
                    .error_code = "bad_request"};
  EXPECT_EQ(error.to_string(),
            "exited_during_init: the CLI ended before it answered (initialize)\n"
            "  advice: run it by hand\n"
            "  exit code: 3\n"
            "  signal: 9\n"
            "  errno: 2, No such file or directory\n"
            "  the CLI says: no such thing\n"
            "  its code: bad_request\n"
            "  stderr: first\n"
            "    second");
}

TEST(Error, TellsNothingThatIsNotSet) {
  EXPECT_EQ(Error{.code = Errc::timeout}.to_string(), "timeout");
  EXPECT_EQ((Error{.code = Errc::timeout, .message = "no answer"}.to_string()),
            "timeout: no answer");
}

}  // namespace
}  // namespace claude
