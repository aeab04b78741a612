// Reads it from /proc and from the C library's heap.
#include "soak/held.h"

#include <malloc.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <thread>

namespace claude::soak {
namespace {

namespace fs = std::filesystem;

// Caches that fill over time (of threads, of the C library) are no leak; a session that stays
// behind, one of a hundred, is more than this.
constexpr std::size_t kHeapSlack = 64 << 10;
constexpr std::size_t kResidentSlack = 16 << 20;

std::size_t entries(const char* folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

// The parent of a process, from "pid (name) state parent ..."; 0 when it is gone.
int parent(const fs::path& process) {
  std::string text;
  std::getline(std::ifstream(process / "stat"), text);
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  int found = 0;
  std::from_chars(text.data() + name_end + 4, text.data() + text.size(), found);
  return found;
}

std::size_t count_children() {
  std::size_t count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const bool process =
        std::isdigit(static_cast<unsigned char>(entry.path().filename().c_str()[0]));
    if (process && parent(entry.path()) == getpid()) ++count;
  }
  return count;
}

std::size_t resident() {
  std::size_t total_pages = 0;
  std::size_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> total_pages >> resident_pages;
  return resident_pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::string more(std::string_view what, std::size_t before, std::size_t now,
                 std::size_t slack = 0) {
  if (now <= before + slack) return "";
  return std::string(what) + " grew from " + std::to_string(before) + " to " + std::to_string(now) +
         "; ";
}

}  // namespace

std::string Held::to_string() const {
  return std::to_string(descriptors) + " descriptors, " + std::to_string(children) + " children, " +
         std::to_string(threads) + " threads, " + std::to_string(bytes_in_use >> 10) +
         " KiB in use, " + std::to_string(resident_bytes >> 10) + " KiB resident";
}

Held look() {
  malloc_trim(0);
  return {.descriptors = entries("/proc/self/fd"),
          .children = count_children(),
          .threads = entries("/proc/self/task"),
          .bytes_in_use = mallinfo2().uordblks,
          .resident_bytes = resident()};
}

Held look_when_settled(const Held& quiet) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  auto settled = [&](const Held& held) {
    return held.children <= quiet.children && held.threads <= quiet.threads &&
           held.descriptors <= quiet.descriptors;
  };
  Held held = look();
  while (!settled(held) && std::chrono::steady_clock::now() < until) {
    std::this_thread::yield();
    held = look();
  }
  return held;
}

std::string growth(const Held& quiet, const Held& now) {
  return more("descriptors", quiet.descriptors, now.descriptors) +
         more("children", quiet.children, now.children) +
         more("threads", quiet.threads, now.threads) +
         more("bytes in use", quiet.bytes_in_use, now.bytes_in_use, kHeapSlack) +
         more("resident bytes", quiet.resident_bytes, now.resident_bytes, kResidentSlack);
}

}  // namespace claude::soak
