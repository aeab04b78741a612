// Any text as a Json value: written and read again it is the same, and nlohmann-json reads the
// same.
#include "fail.h"
#include "json/oracle.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace claude;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto ours = Json::parse(text);
  if (!ours) return 0;  // its reader refuses: line_fuzz's to judge
  const auto again = Json::parse(ours->dump());
  if (!again || *again != *ours) must_be_none("it does not read back what it wrote");
  const auto theirs = test::Oracle::parse(text, nullptr, false);
  if (!theirs.is_discarded() && !test::same(*ours, theirs)) must_be_none("two values");
  return 0;
}
