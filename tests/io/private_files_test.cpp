// Files for one child: who may read them, and when they are gone.
#include "io/private_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>

#include "io/remove_tree.h"
#include "io/support.h"
#include "support/full_disk.h"
#include "support/temp_dir.h"

namespace claude::io::test {
namespace {

namespace fs = std::filesystem;

// Moves the file down so many folders, one in the other.
void bury(const fs::path& path, int levels, const std::string& name) {
  const Fd top(open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY));
  Fd deepest(dup(top.get()));
  for (int level = 0; level < levels; ++level) {
    ASSERT_EQ(mkdirat(deepest.get(), name.c_str(), S_IRWXU), 0);
    deepest = Fd(openat(deepest.get(), name.c_str(), O_RDONLY | O_DIRECTORY));
  }
  const std::string file = path.filename();
  ASSERT_EQ(renameat(top.get(), file.c_str(), deepest.get(), file.c_str()), 0);
}

// Root may do what it has no rights to.
std::string as_nobody(const std::function<std::string()>& body) {
  return in_fork([&]() -> std::string {
    if (getuid() == 0 && setuid(65534) != 0) return "cannot leave root";
    setenv("TMPDIR", "/tmp", 1);  // where anybody may write
    return body();
  });
}

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

TEST(PrivateFiles, GoFromHoweverDeepTheChildHasPutThem) {
  std::optional<PrivateFiles> files(std::in_place);
  const fs::path path = files->add("secret").value();
  bury(path, 100, std::string(NAME_MAX, 'd'));  // several times PATH_MAX
  files.reset();
  EXPECT_FALSE(fs::exists(path.parent_path()));
}

TEST(PrivateFiles, GoFromFoldersOnWhichTheChildTookAwayAllRights) {
  const auto host = []() -> std::string {
    std::optional<PrivateFiles> files(std::in_place);
    const fs::path path = files->add("secret").value();
    const fs::path folder = path.parent_path();
    fs::create_directories(folder / "closed" / "sealed");
    fs::rename(path, folder / "closed" / "sealed" / "moved");
    fs::permissions(folder / "closed" / "sealed", fs::perms::none);
    fs::permissions(folder / "closed", fs::perms::none);
    fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
    files.reset();
    return fs::exists(folder) ? "it is there" : "";
  };
  EXPECT_EQ(as_nobody(host), "");
}

TEST(PrivateFiles, GoWhenTheChildHasTakenTheNamesThatTheyAreMovedTo) {
  std::optional<PrivateFiles> files(std::in_place);
  const fs::path path = files->add("secret").value();
  for (const char* name : {"0", "1", "2"}) {
    fs::create_directories(path.parent_path() / name / "0" / "1" / "2");
    std::ofstream(path.parent_path() / name / "0" / "file") << "a copy of the secret";
  }
  std::ofstream(path.parent_path() / "3") << "a file";
  files.reset();
  EXPECT_FALSE(fs::exists(path.parent_path()));
}

TEST(PrivateFiles, LeaveALinkThatTheChildHasPutInThePlaceOfTheirFolder) {
  const claude::test::TempDir others;
  others.write("file", "of somebody else");
  fs::permissions(others.path(), fs::perms::owner_read | fs::perms::owner_exec);
  std::optional<PrivateFiles> files(std::in_place);
  const fs::path folder = fs::path(files->add("secret").value()).parent_path();
  fs::remove_all(folder);
  fs::create_directory_symlink(others.path(), folder);
  files.reset();
  EXPECT_FALSE(fs::is_symlink(folder));
  EXPECT_EQ(others.read("file"), "of somebody else");
  EXPECT_EQ(fs::status(others.path()).permissions(), fs::perms::owner_read | fs::perms::owner_exec);
}

TEST(PrivateFiles, GoOnBeingRemovedWhereItEndedTheLastTime) {
  std::optional<PrivateFiles> files(std::in_place);
  const fs::path path = files->add("secret").value();
  bury(path, 10, "d");
  files->remove(3);
  EXPECT_TRUE(fs::exists(path.parent_path()));
  files.reset();
  EXPECT_FALSE(fs::exists(path.parent_path()));
}

TEST(RemoveTree, LooksAtNoMoreThanItMay) {
  const claude::test::TempDir tree;
  for (int n = 0; n < 10; ++n) tree.write("folder/" + std::to_string(n), "");
  EXPECT_FALSE(remove_tree(tree.path() / "folder", 4));
  const fs::directory_iterator rest(tree.path() / "folder");
  EXPECT_EQ(std::distance(begin(rest), end(rest)), 6);
  EXPECT_TRUE(remove_tree(tree.path() / "folder", 6));
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
