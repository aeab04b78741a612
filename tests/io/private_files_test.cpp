// Files for one child: who may read them, and when they are gone.
#include "io/private_files.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>

#include "io/support.h"
#include "support/full_disk.h"
#include "support/temp_dir.h"

namespace claude::io::test {
namespace {

namespace fs = std::filesystem;

TEST(PrivateFiles, AreForTheirOwnerAloneAndGoWithTheObject) {
  std::optional<PrivateFiles> files(std::in_place);
  const fs::path path = files->add("secret").value();
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(path.parent_path()).permissions(), fs::perms::owner_all);
  files.reset();
  EXPECT_FALSE(fs::exists(path.parent_path()));
}

TEST(PrivateFiles, GoWithWhateverTheChildMadeOfTheirFolder) {
  const claude::test::TempDir others;
  others.write("file", "of somebody else");
  std::optional<PrivateFiles> files(std::in_place);
  const fs::path path = files->add("secret").value();
  const fs::path swapped = files->add("swapped for a folder").value();
  fs::remove(swapped);
  fs::create_directories(swapped / "deep" / "er");
  std::ofstream(swapped / "deep" / "added") << "a copy of the secret";
  fs::create_directory_symlink(others.path(), path.parent_path() / "link");
  files.reset();
  EXPECT_FALSE(fs::exists(path.parent_path()));
  EXPECT_EQ(others.read("file"), "of somebody else") << "links are not followed";
}

TEST(PrivateFiles, StayWhenACopyOfTheHostEnds) {
  std::optional<PrivateFiles> files(std::in_place);
  const fs::path path = files->add("secret").value();
  EXPECT_EQ(in_fork([&] { return files.reset(), std::string(); }), "");
  EXPECT_TRUE(fs::exists(path));
}

TEST(PrivateFiles, AreAnErrorWhereTheyDoNotFit) {
  const claude::test::FullDisk full(100);
  PrivateFiles files;
  EXPECT_TRUE(files.add(std::string(100, 'x')));
  const Result<std::string> large = files.add(std::string(101, 'x'));
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().os_error, EFBIG);
}

}  // namespace
}  // namespace claude::io::test
