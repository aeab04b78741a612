// Structured output: what the schema check says, in the CLI's words, and how a turn ends with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host.h"

namespace claude::test {
namespace {

// What the model hears when it hands this in, without the words that it always hears.
std::string complaint(const std::string& schema, const std::string& answer) {
  Host host({.turns = R"([{"model": [{"tool": "StructuredOutput", "input": )" + answer + "}]}]",
             .flags = {"--json-schema=" + schema}});
  host.prompt("go");
  const std::string text = host.until("user")["message"]["content"][0]["content"];
  constexpr std::string_view kAlways = "Output does not match required schema: ";
  return text.starts_with(kAlways) ? text.substr(kAlways.size()) : text;
}

// Each was heard from CLI 2.1.325.
TEST(StructuredOutput, EveryProblemIsNamedInTheOrderOfTheSchema) {
  const std::string schema = R"({"type": "object", "required": ["a", "b"],
    "additionalProperties": false, "properties": {
      "a": {"type": "number", "minimum": 3}, "b": {"type": "string", "enum": ["x", "y"]},
      "c": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
      "d": {"type": ["string", "null"]},
      "e": {"type": "object", "properties": {"f": {"type": "boolean"}}, "required": ["f"]},
      "g": {"const": 7}, "h": {"type": "string", "pattern": "^a", "minLength": 2}}})";
  EXPECT_EQ(complaint(schema, "{}"),
            "root: must have required property 'a', root: must have required property 'b'");
  EXPECT_EQ(complaint(schema, R"({"a": 1, "b": "z"})"),
            R"(/a: must be >= 3, /b: must be equal to one of the allowed values: ["x","y"])");
  EXPECT_EQ(complaint(schema, R"({"a": "1", "b": "x", "zz": 1, "c": []})"),
            "root: must NOT have additional properties ('zz' is not allowed), /a: must be >= 3, "
            "/c: must NOT have fewer than 1 items (got 0)");
  EXPECT_EQ(complaint(schema, R"({"a": 4, "b": "x", "c": [1.5, "q"], "d": 4, "e": {}})"),
            "/c/0: must be integer, /c/1: must be integer, /d: must be string,null, "
            "/e: must have required property 'f'");
  EXPECT_EQ(complaint(schema, R"({"a": 5, "b": "x", "g": 8, "h": "b", "e": {"f": 1}, "c": 3})"),
            R"(/c: must be array, /e/f: must be boolean, /g: must be equal to constant: 7, )"
            R"(/h: must NOT have fewer than 2 characters (got 1), /h: must match pattern "^a")");
}

TEST(StructuredOutput, MayComeFromInitializeToo) {
  Host host({.turns = R"([{"model": [{"tool": "StructuredOutput", "input": {"n": 1}}]}])"});
  host.initialize({{"jsonSchema", {{"type", "object"}}}});
  host.prompt("go");
  const json result = host.until("result");
  EXPECT_EQ(result["structured_output"], json({{"n", 1}}));
  EXPECT_EQ(result["result"], R"({"n":1})");
  EXPECT_EQ(result["stop_reason"], "tool_use");
}

TEST(StructuredOutput, FiveWrongAnswersEndTheTurnAndTheProgramWithOne) {
  Host host({.turns = R"([{"model": [
      {"tool": "StructuredOutput", "input": {}}, {"tool": "StructuredOutput", "input": {}},
      {"tool": "StructuredOutput", "input": {}}, {"tool": "StructuredOutput", "input": {}},
      {"tool": "StructuredOutput", "input": {}}, {"text": "never said"}]}])",
             .flags = {R"(--json-schema={"required":["n"]})"}});
  host.prompt("go");
  const json result = host.until("result");
  EXPECT_EQ(result["subtype"], "error_max_structured_output_retries");
  EXPECT_EQ(result["terminal_reason"], "structured_output_retry_exhausted");
  EXPECT_EQ(host.end(), 1);
}

}  // namespace
}  // namespace claude::test
