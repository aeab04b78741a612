// The one file of this room that touches the operating system. It does so without
// std::filesystem, whose code would stay in memory (128 KB a process) for three calls at the start.
#include "launch/surroundings.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#ifdef __APPLE__
#include <crt_externs.h>
#else
extern char** environ;
#endif

namespace claude::launch {
namespace {

char** raw_environment() {
#ifdef __APPLE__
  return *_NSGetEnviron();  // a shared library has no environ there
#else
  return environ;
#endif
}

std::map<std::string, std::string> read_environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = raw_environment(); entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    // Of two entries of one name getenv gives the first; so do we.
    variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

std::string home_of_user() {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 16384> buffer;
  if (getpwuid_r(getuid(), &entry, buffer.data(), buffer.size(), &found) != 0) return {};
  return found != nullptr && found->pw_dir != nullptr ? found->pw_dir : "";
}

PathKind look_at(const std::string& path) {
  if (path.contains('\0')) return PathKind::nothing;
  struct stat found;
  if (::stat(path.c_str(), &found) != 0) return PathKind::nothing;
  if (S_ISDIR(found.st_mode)) return PathKind::directory;
  return access(path.c_str(), X_OK) == 0 ? PathKind::program : PathKind::file;
}

std::string current_path() {
  // Both Linux and macOS make the memory. NOLINTNEXTLINE(clang-analyzer-unix.StdCLibraryFunctions)
  const std::unique_ptr<char, decltype(&std::free)> path(getcwd(nullptr, 0), std::free);
  return path ? path.get() : "";
}

// Without empty steps and those that stay where they are.
std::string simplified(std::string_view path) {
  std::string simple;
  while (!path.empty()) {
    const std::string_view step = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(step.size() + 1, path.size()));
    if (!step.empty() && step != ".") simple.append("/").append(step);
  }
  return simple.empty() ? "/" : simple;
}

}  // namespace

std::string_view Surroundings::variable(const std::string& name) const {
  const auto found = environment.find(name);
  return found == environment.end() ? std::string_view() : std::string_view(found->second);
}

std::string Surroundings::absolute(std::string_view path) const {
  std::string joined(path);
  if (!path.starts_with('/')) joined.insert(0, current_directory + "/");
  // Behind a symbolic link ".." is not the folder before it in the text: leave such a path alone.
  return path.contains("..") ? joined : simplified(joined);
}

Surroundings real_surroundings() {
  Surroundings real;
  real.environment = read_environment();
  real.home = real.variable("HOME");
  if (real.home.empty()) real.home = home_of_user();
  real.current_directory = current_path();
  real.look = look_at;
  return real;
}

}  // namespace claude::launch
