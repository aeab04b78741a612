// Values by number.
#include "base/id_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace claude::base {
namespace {

using testing::ElementsAre;
using testing::Pointee;

std::vector<std::string> values(const IdTable<std::string>& table) {
  std::vector<std::string> found;
  for (const auto& [id, value] : table) found.push_back(std::to_string(id) + value);
  return found;
}

TEST(IdTable, KeepsTheOrderOfTheNumbersWhateverCameFirst) {
  IdTable<std::string> table;
  EXPECT_EQ(table.add(5, "e"), "e");
  table.add(2, "b");
  table.add(9, "i");
  EXPECT_THAT(values(table), ElementsAre("2b", "5e", "9i"));
}

TEST(IdTable, GivesAValueBackOnce) {
  IdTable<std::string> table;
  table.add(1, "a");
  table.add(2, "b");
  EXPECT_EQ(table.take(1), "a");
  EXPECT_EQ(table.take(1), std::nullopt);
  EXPECT_THAT(values(table), ElementsAre("2b"));
}

TEST(IdTable, FindsWhatIsThereAndNothingElse) {
  IdTable<std::string> table;
  EXPECT_EQ(table.find(2), nullptr);
  table.add(2, "b");
  EXPECT_THAT(table.find(2), Pointee(std::string("b")));
  EXPECT_EQ(table.find(1), nullptr);
  EXPECT_EQ(table.find(3), nullptr);
  EXPECT_EQ(table.size(), 1u);
}

}  // namespace
}  // namespace claude::base
