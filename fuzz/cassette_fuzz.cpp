// Any text as a cassette, played to its end, strictly and loosely. After an empty line come the
// lines of the host; without, he says what he is expected to say.
#include "cassette.h"
#include "fail.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace {

using claude::sim::Cassette;

constexpr std::string_view kParting = "\n\n";

// The host's lines, one after the other.
class Host {
 public:
  explicit Host(std::optional<std::string_view> lines) : lines_(lines) {}

  std::string next(std::string_view expected) {
    if (!lines_) return std::string(expected);
    const std::string_view line = lines_->substr(0, lines_->find('\n'));
    lines_->remove_prefix(std::min(lines_->size(), line.size() + 1));
    return std::string(line);
  }

 private:
  std::optional<std::string_view> lines_;
};

void play(const std::string& path, Cassette::Match match, Host host) {
  try {
    Cassette cassette(path, match, "/home/me");
    cassette.stands_for(cassette.session_id(), "the session of today");
    while (const auto* row = cassette.next()) {
      const std::string text = cassette.text_of(*row);
      if (row->kind == Cassette::Row::Kind::to_cli) cassette.take(host.next(text));
      cassette.pass();
    }
    cassette.end_of_input();
  } catch (const claude::sim::CassetteError& error) {
    if (!error.text.starts_with(path + ":")) must_be_none(error.text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::string_view rows = all.substr(0, all.find(kParting));
  std::optional<std::string_view> lines;
  if (rows.size() < size) lines = all.substr(rows.size() + kParting.size());
  const int file = memfd_create("cassette", 0);
  if (write(file, rows.data(), rows.size()) == static_cast<ssize_t>(rows.size()))
    for (const auto match : {Cassette::Match::strict, Cassette::Match::loose})
      play("/proc/self/fd/" + std::to_string(file), match, Host(lines));
  close(file);
  return 0;
}
