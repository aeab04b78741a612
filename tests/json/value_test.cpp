// Json as a value: reading without surprises, exact numbers, equality, changes.
#include <claude/json.h>

#include <gtest/gtest.h>

#include <limits>

namespace claude {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kTwoTo64 = 18446744073709551616.0;

TEST(Json, ReadsNothingWhereNothingIs) {
  const Json json = Json::object({{"list", Json::array({1, "two"})}});

  EXPECT_EQ(json["list"][0].integer(), 1);
  EXPECT_EQ(json["list"][1].text(), "two");
  EXPECT_TRUE(json["list"][2].is_null());
  EXPECT_TRUE(json["list"][-1].is_null());
  EXPECT_TRUE(json["list"]["x"].is_null());
  EXPECT_TRUE(json["no"]["such"][7]["member"].is_null());
  EXPECT_EQ(json.find("no"), nullptr);
  EXPECT_EQ(json["list"].find("no"), nullptr);
  EXPECT_TRUE(Json("text").items().empty());
  EXPECT_TRUE(Json(3).members().empty());
  EXPECT_EQ(Json("text").size(), 0u);
  EXPECT_EQ(json["list"].size(), 2u);
}

TEST(Json, GivesTheFallbackForAnotherKind) {
  const Json text = "7";
  EXPECT_TRUE(text.boolean(true));
  EXPECT_EQ(text.integer(-1), -1);
  EXPECT_EQ(text.unsigned_integer(9), 9u);
  EXPECT_EQ(text.number(0.5), 0.5);
  EXPECT_EQ(Json(7).text("none"), "none");
}

TEST(Json, GivesIntegersOnlyWhenTheyAreExact) {
  EXPECT_EQ(Json(1e5).integer(), 100'000);
  EXPECT_EQ(Json(1.5).integer(-1), -1);
  EXPECT_EQ(Json(-kTwoTo63).integer(), INT64_MIN);
  EXPECT_EQ(Json(kTwoTo63).integer(-1), -1);
  EXPECT_EQ(Json(kTwoTo63).unsigned_integer(), std::uint64_t{1} << 63);
  EXPECT_EQ(Json(kTwoTo64).unsigned_integer(5), 5u);
  EXPECT_EQ(Json(UINT64_MAX).integer(-1), -1);
  EXPECT_EQ(Json(-1).unsigned_integer(5), 5u);
  EXPECT_EQ(Json(std::numeric_limits<double>::quiet_NaN()).integer(-1), -1);
  EXPECT_EQ(Json(UINT64_MAX).number(), kTwoTo64);
}

TEST(Json, ComparesNumbersByValue) {
  EXPECT_EQ(Json(1), Json(1.0));
  EXPECT_EQ(Json(1u), Json(1LL));
  EXPECT_EQ(Json(0), Json(-0.0));
  EXPECT_EQ(Json(std::uint64_t{1} << 63), Json(kTwoTo63));
  EXPECT_NE(Json(UINT64_MAX), Json(kTwoTo64));
  EXPECT_NE(Json(INT64_MAX), Json(kTwoTo63));
  EXPECT_NE(Json(9007199254740993), Json(9007199254740992.0));
  EXPECT_NE(Json(-1), Json(UINT64_MAX));
  EXPECT_NE(Json(1), Json(true));
  EXPECT_NE(Json(1), Json("1"));
  EXPECT_NE(Json(1.5), Json());
}

TEST(Json, ComparesObjectsWithoutTheOrderOfTheirMembers) {
  const Json json = Json::object({{"a", 1}, {"b", Json::array({1, 2})}});
  EXPECT_EQ(json, Json::object({{"b", Json::array({1, 2})}, {"a", 1.0}}));
  EXPECT_NE(json, Json::object({{"b", Json::array({2, 1})}, {"a", 1}}));
  EXPECT_NE(json, Json::object({{"a", 1}}));
  EXPECT_NE(json, Json::object({{"a", 1}, {"c", Json::array({1, 2})}}));
  EXPECT_NE(Json::object(), Json::array());
  EXPECT_EQ(Json(), Json(nullptr));
}

TEST(Json, SetsErasesAndAppends) {
  Json json;
  json.set("a", 1).set("b", Json().push_back(2).push_back("x")).set("a", true);
  EXPECT_EQ(json.dump(), R"({"a":true,"b":[2,"x"]})");
  EXPECT_TRUE(json.erase("a"));
  EXPECT_FALSE(json.erase("a"));
  EXPECT_FALSE(Json("text").erase("a"));
  EXPECT_EQ(json.dump(), R"({"b":[2,"x"]})");
}

// Texts that lie outside their value.
constexpr const char* kLong = "a text that is too long to lie in its string";
constexpr const char* kLonger = "another text that is too long to lie in its string";

TEST(Json, BecomesAPartOfItself) {
  Json object = Json::object({{kLong, Json::object({{"a", kLonger}, {"b", 2}, {"c", 3}})}});
  object = object[kLong];
  EXPECT_EQ(object, Json::object({{"a", kLonger}, {"b", 2}, {"c", 3}}));
  object = object["a"];
  EXPECT_EQ(object, Json(kLonger));

  Json array = Json::array({Json::array({kLong, kLonger}), 3});
  array = array[0];
  EXPECT_EQ(array, Json::array({kLong, kLonger}));
  array = static_cast<const Json&>(array);
  EXPECT_EQ(array, Json::array({kLong, kLonger}));
}

TEST(Json, TakesItsOwnPartsAsMembersAndElements) {
  Json json = Json::array({kLong});
  json.push_back(json[0]).push_back(json);
  EXPECT_EQ(json, Json::array({kLong, kLong, Json::array({kLong, kLong})}));

  Json object = Json::object({{"a", kLong}});
  object.set("b", object).set("a", object["b"]);
  EXPECT_EQ(object["a"], Json::object({{"a", kLong}}));
}

TEST(Json, TakesItsOwnTextAsTheNameOfAMember) {
  Json text = kLong;
  EXPECT_EQ(text.set(text.text(), 1), Json::object({{kLong, 1}}));
  Json array = Json::array({kLong});
  EXPECT_EQ(array.set(array[0].text(), 1), Json::object({{kLong, 1}}));
  Json object = Json::object({{"a", kLong}});
  EXPECT_EQ(object.set(object["a"].text(), 1), Json::object({{"a", kLong}, {kLong, 1}}));
  EXPECT_EQ(object.set(object.members()[1].name, 2), Json::object({{"a", kLong}, {kLong, 2}}));
}

// The second name takes the place of the first while its member goes.
TEST(Json, ErasesTheMemberThatHasTheNameAndNoOther) {
  Json json = Json::object({{"a", 1}, {"bc", 2}, {"b", 3}});
  EXPECT_TRUE(json.erase(json.members()[0].name));
  EXPECT_EQ(json, Json::object({{"bc", 2}, {"b", 3}}));
  Json texts = Json::object({{kLong, 1}, {kLonger, 2}, {"c", kLong}});
  EXPECT_TRUE(texts.erase(texts["c"].text()));
  EXPECT_EQ(texts, Json::object({{kLonger, 2}, {"c", kLong}}));
}

TEST(Json, OfTwoMembersWithOneNameTheLastCounts) {
  EXPECT_EQ(Json::object({{"a", 1}, {"b", 2}, {"a", 3}}).dump(), R"({"a":3,"b":2})");
}

TEST(Json, DumpsTheShortestTextThatReadsBackEqual) {
  const Json json = Json::array({nullptr, true, -7, UINT64_MAX, 0.1, 1.0, 1e300, -0.0, "t\n",
                                 Json::array(), Json::object({{"k\"", Json::object()}})});
  EXPECT_EQ(json.dump(),
            R"([null,true,-7,18446744073709551615,0.1,1,1e+300,-0,"t\n",[],{"k\"":{}}])");
  EXPECT_EQ(Json::parse(json.dump()).value(), json);
}

}  // namespace
}  // namespace claude
