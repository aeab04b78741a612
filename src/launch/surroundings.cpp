// The one file of this room that touches the operating system.
#include "launch/surroundings.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <filesystem>

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
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status)) return PathKind::nothing;
  if (std::filesystem::is_directory(status)) return PathKind::directory;
  return access(path.c_str(), X_OK) == 0 ? PathKind::program : PathKind::file;
}

}  // namespace

std::string_view Surroundings::variable(const std::string& name) const {
  const auto found = environment.find(name);
  return found == environment.end() ? std::string_view() : std::string_view(found->second);
}

std::string Surroundings::absolute(std::string_view path) const {
  const std::filesystem::path joined = std::filesystem::path(current_directory) / path;
  // Behind a symbolic link ".." is not the folder before it in the text: leave such a path alone.
  return path.contains("..") ? joined.string() : joined.lexically_normal().string();
}

Surroundings real_surroundings() {
  Surroundings real;
  real.environment = read_environment();
  real.home = real.variable("HOME");
  if (real.home.empty()) real.home = home_of_user();
  std::error_code ignored;
  real.current_directory = std::filesystem::current_path(ignored).string();
  real.look = look_at;
  return real;
}

}  // namespace claude::launch
