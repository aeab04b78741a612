// A private folder that is gone, with all that is in it, when the test ends.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace claude::test {

class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // A file below the folder; write() makes missing folders, read() of a missing file gives "".
  void write(const std::filesystem::path& name, std::string_view text) const;
  std::string read(const std::filesystem::path& name) const;

 private:
  std::filesystem::path path_;
};

}  // namespace claude::test
