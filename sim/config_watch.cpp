// ConfigChange hooks: the settings files are looked at, as the CLI does, for as long as it lives.
#include <filesystem>

#include "files.h"
#include "input.h"
#include "session.h"

namespace claude::sim {
namespace {

constexpr std::chrono::milliseconds kEvery(100);
constexpr int kSettled = 10;  // looks without a further change

struct Watched {
  std::string source;
  std::string path;
  std::string known;
  std::string last;
  int looks = 0;  // since it changed
};

// Has the file another content than the hooks know, and has it had that for a while?
bool has_changed(Watched& file) {
  std::string now = content_of(file.path).value_or("");
  file.looks = now == file.last ? file.looks + 1 : 0;
  file.last = std::move(now);
  if (file.last == file.known || file.looks < kSettled) return false;
  file.known = file.last;
  return true;
}

}  // namespace

Task<void> watch_settings(Session& session) {
  std::vector<Watched> files;
  for (const auto& [source, path] : session.settings.files) {
    const std::string text = content_of(path).value_or("");
    files.push_back({source, path, text, text});
  }
  for (;;) {
    co_await Wait(session.loop, nullptr, nullptr, Clock::now() + kEvery);
    for (Watched& file : files) {
      if (!has_changed(file)) continue;
      HookCall hook{"ConfigChange", file.source, Json::object(), "", nullptr};
      hook.fields["source"] = file.source;
      hook.fields["file_path"] = file.path;
      const Agent nobody;
      co_await session.hooks.call(session, nobody, hook);
    }
  }
}

}  // namespace claude::sim
