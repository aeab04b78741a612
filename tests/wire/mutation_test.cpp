// Recorded lines, broken at random: nothing may crash, nothing broken may pass, and what passes
// must have arrived whole. The seeds are fixed: a failure is the same in every run.
#include "wire/recordings.h"
#include "wire/second_opinion.h"

#include <gtest/gtest.h>

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
    ASSERT_EQ(test::disagreement(text), "") << "round " << round << ": " << text;
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
    ASSERT_EQ(test::disagreement(json.dump()), "") << "round " << round << ", " << place;
  }
}

}  // namespace
}  // namespace claude
