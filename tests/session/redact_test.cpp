// What a line of the wire says when secrets and the home folder are taken out, however its writer
// escapes characters.
#include "session/redact.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace claude::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kJsonSecret = R"({"user": "ada", "pin": "4711"})";
const Redactor redact("/home/ada",
                      {"pass/wörd-A", "C:\\new-key", "nopassword", "12345678", kJsonSecret});

TEST(Redactor, HidesASecretHoweverItsCharactersAreEscaped) {
  for (const char* line :
       {R"({"a":"is pass/wörd-A."})", R"({"a":"is pass\/wörd-A."})",
        R"({"a":"is pass\u002fw\u00F6rd-A."})", R"({"a":"is \u0070\u0061ss/wörd-\u0041."})",
        R"({"a":"is C:\\new-key."})", R"({"a":"is \u0043:\u005cnew-key."})"}) {
    EXPECT_EQ(redact(line), R"({"a":"is ***."})") << line;
  }
}

TEST(Redactor, HidesASecretInTheNameOfAMember) {
  EXPECT_EQ(redact(R"({"pass\/wörd-A":1,"12345678":2,"/home/ada/x":3})"),
            R"({"***":1,"***":2,"$HOME/x":3})");
}

TEST(Redactor, HidesASecretThatWasEscapedOnceMoreInJsonWithinAText) {
  EXPECT_EQ(redact(R"({"a":"{\"b\":\"is pass\\/w\\u00f6rd-A.\"}"})"),
            R"({"a":"{\"b\":\"is ***.\"}"})");
  EXPECT_EQ(redact(R"({"a":"read {\"b\":\"pass\\/w\\u00f6rd-A\"}\n"})"),
            R"({"a":"read {\"b\":\"***\"}\n"})");
  EXPECT_EQ(redact(R"({"a":"read \"{\\\"b\\\":\\\"pass\\\\\\/wörd-\\\\u0041\\\"}\""})"),
            R"({"a":"read \"{\\\"b\\\":\\\"***\\\"}\""})");
  EXPECT_EQ(redact(R"({"a":"\\u005c\\u0075\\u0030\\u0030\\u0037\\u0030ass/wörd-A"})"),
            R"({"a":"***"})");
}

TEST(Redactor, TakesABackslashThatBelongsToNoEscapeAsItIs) {
  EXPECT_EQ(redact(R"({"a":"C:\\nopassword"})"), R"({"a":"C:\\***"})");
  EXPECT_EQ(redact(R"({"a":"\nopassword"})"), R"({"a":"\nopassword"})");
}

TEST(Redactor, HidesASecretThatIsJsonItself) {
  EXPECT_EQ(redact(R"({"a":"{\"user\": \"ada\", \"pin\": \"4711\"}"})"), R"({"a":"***"})");
  EXPECT_THAT(redact(R"({"a":)" + kJsonSecret + "}"), Not(HasSubstr("4711")));
}

TEST(Redactor, HidesASecretThatStandsAsANumber) {
  EXPECT_EQ(redact(R"({"a":12345678,"b":[-912345678.5,1234567],"c":"no. 12345678"})"),
            R"({"a":"***","b":["***",1234567],"c":"no. ***"})");
  EXPECT_EQ(redact(R"({"a":"{\"pin\":12345678,\"headers\":{\"X\":\"abc\"}}"})"),
            R"({"a":"{\"pin\":\"***\",\"headers\":{\"X\":\"***\"}}"})");
}

// Lines of a patch, or of SQL.
TEST(Redactor, HidesASecretInAWordThatLooksLikeAFlag) {
  EXPECT_EQ(redact(R"({"a":["-- PIN 12345678 = mine","-- at /home/ada/x = mine"]})"),
            R"({"a":["-- PIN *** = mine","-- at $HOME/x = mine"]})");
}

TEST(Redactor, NamesTheHomeFolderHoweverItsPathIsEscaped) {
  EXPECT_EQ(
      redact(
          R"({"a":"\/home\/ada\/x /home/adam \u002fhome/ada\n","b":"{\"c\":\"\\/home\\/ada\\/x\"}"})"),
      R"({"a":"$HOME/x /home/adam $HOME\n","b":"{\"c\":\"$HOME\\/x\"}"})");
  EXPECT_EQ(redact(R"({"a":"projects\/-home-ada-app"})"), R"({"a":"projects/-HOME-app"})");
}

TEST(Redactor, HidesWhatItIsGivenInALineThatIsNoJsonAsWell) {
  EXPECT_EQ(redact(R"(pass/wörd-A "pass\/w\u00f6rd-A" C:\nopassword 12345678 \/home\/ada/x)"),
            R"(*** "***" C:\*** *** $HOME/x)");
}

TEST(Redactor, HidesSecretsThatOverlapAndThoseThatFollowEachOther) {
  EXPECT_EQ(Redactor("", {"abcdefgh", "efghijkl"})(R"({"a":"abcdefghijkl abcdefghabcdefgh"})"),
            R"({"a":"*** ******"})");
}

// A line of which each text is JSON again took the stack that there is.
TEST(Redactor, HidesAsAWholeWhatIsNestedInTextWithoutEnd) {
  std::string line = "[1]";
  for (int i = 0; i < 100; ++i) {
    std::string text;
    for (const char c : line) {
      if (c == '"')
        text += "\\u0022";
      else if (c == '\\')
        text += "\\u005c";
      else
        text += c;
    }
    line = std::string(500, '[') + '"' + text + '"' + std::string(500, ']');
  }
  nlohmann::json shown = redact(line);
  for (int i = 0; i < 4; ++i) {
    shown = nlohmann::json::parse(shown.get<std::string>());
    while (shown.is_array()) shown = nlohmann::json(shown.at(0));
  }
  EXPECT_EQ(shown, "***");
}

}  // namespace
}  // namespace claude::test
