// Recorded lines, broken at random: nothing may crash, nothing broken may pass, and what passes
// must have arrived whole. The seeds are fixed: a failure is the same in every run.
#include "wire/recordings.h"
#include "wire/support.h"

#include <random>

namespace claude {
namespace {

using test::Oracle;
using test::Recorded;
using namespace std::string_literals;

constexpr std::size_t kLongestLine = 4000;  // longer ones say the same, slowly

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  std::size_t below(std::size_t limit) { return generator_() % limit; }
  const auto& of(const auto& list) { return list[below(list.size())]; }

 private:
  std::mt19937 generator_;
};

std::vector<Recorded> lines_of_the_cli() {
  std::vector<Recorded> lines = test::recordings();
  std::erase_if(lines, [](const Recorded& line) {
    return !line.from_cli || !line.json.is_object() || line.text.size() > kLongestLine;
  });
  return lines;
}

bool reads_as_json(std::string_view text) {
  std::string padded(text);
  padded.resize(text.size() + json::kPaddingBytes);
  const std::string_view line(padded.data(), text.size());
  const json::Tokens tokens(line);
  if (!tokens.first()) return false;
  json::Reader reader(line, tokens);
  reader.raw();
  return reader.finished();
}

// Checks one line; the oracle has read it as `json`, or discarded it.
void check(const std::string& line, const Oracle& json) {
  ASSERT_EQ(reads_as_json(line), !json.is_discarded()) << line;
  const wire::Line decoded = test::decode(line);
  const bool good =
      !json.is_discarded() && json.is_object() && json.contains("type") && json["type"].is_string();
  const bool refused = std::holds_alternative<wire::BadLine>(decoded);
  ASSERT_FALSE(good && refused) << line;
  ASSERT_FALSE(json.is_discarded() && !refused) << line;

  auto* message = std::get_if<Message>(&decoded);
  if (message == nullptr || !good) return;
  Oracle fields = json;
  fields.erase("type");
  if (json["type"] == "system") fields.erase("subtype");
  ASSERT_EQ(test::first_not_found(fields, test::oracle(*message)), "") << line;
}

TEST(Mutation, OfBytesIsNoticedJustAsTheOracleNoticesIt) {
  const std::vector<Recorded> lines = lines_of_the_cli();
  const std::string alphabet = "{}[]\",:\\u0d8c19eE+-.tfn \t\n\x01\x7f\x80\xC3\xA9\xED\0"s;
  Random random(20261115);
  for (int round = 0; round < 6000; ++round) {
    std::string text = random.of(lines).text;
    for (std::size_t changes = 1 + random.below(3); changes > 0 && !text.empty(); --changes) {
      const std::size_t at = random.below(text.size());
      switch (random.below(4)) {
        case 0:
          text.insert(at, 1, random.of(alphabet));
          break;
        case 1:
          text.erase(at, 1 + random.below(4));
          break;
        case 2:
          text[at] = random.of(alphabet);
          break;
        case 3:
          text.resize(at + 1);
          break;
      }
    }
    // The oracle refuses half an emoji, which we read.
    if (text.find("\\ud") != text.npos || text.find("\\uD") != text.npos) continue;
    check(text, Oracle::parse(text, nullptr, false));
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

// F9
TEST(Mutation, OfValuesLosesNothing) {
  const std::vector<Recorded> lines = lines_of_the_cli();
  const std::vector<Oracle> odd = {nullptr,
                                   true,
                                   7,
                                   -1.5,
                                   "odd",
                                   Oracle::array(),
                                   Oracle::object(),
                                   Oracle::array({1, nullptr, "x"}),
                                   Oracle{{"type", "text"}}};
  Random random(7);
  for (int round = 0; round < 6000; ++round) {
    Oracle json = random.of(lines).json;
    // Any value but the type of the line, which says what the rest must be.
    std::vector<std::string> places;
    const Oracle flat = json.flatten();
    for (const auto& [place, value] : flat.items()) {
      if (place != "/type" && place != "/subtype") places.push_back(place);
    }
    if (places.empty()) continue;
    std::string place = random.of(places);
    // Sometimes not the leaf, but what it stands in.
    while (random.below(3) == 0 && place.rfind('/') > 0) place.resize(place.rfind('/'));
    json[Oracle::json_pointer(place)] = random.of(odd);
    check(json.dump(), json);
    if (HasFatalFailure()) FAIL() << "round " << round << ", " << place;
  }
}

}  // namespace
}  // namespace claude
