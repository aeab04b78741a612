// A small generator of random numbers in the dress of identifiers, and the clock on the wall.
#include "ids.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <ctime>

namespace claude::sim {

Ids::Ids(std::uint64_t seed) : state_(seed) {
  if (seed) return;
  const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (fd < 0 || read(fd, &state_, sizeof state_) != sizeof state_)
    state_ = static_cast<std::uint64_t>(getpid());
  close(fd);
}

// splitmix64
std::uint64_t Ids::next() {
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::string Ids::uuid() {
  const std::uint64_t a = next();
  const std::uint64_t b = next();
  char text[37];
  std::snprintf(text, sizeof text, "%08x-%04x-4%03x-%04x-%012llx", static_cast<unsigned>(a >> 32),
                static_cast<unsigned>(a >> 16 & 0xFFFF), static_cast<unsigned>(a & 0xFFF),
                static_cast<unsigned>(0x8000 | (b >> 48 & 0x3FFF)),
                static_cast<unsigned long long>(b & 0xFFFFFFFFFFFF));
  return text;
}

std::string Ids::task(char letter) {
  char text[32];
  std::snprintf(text, sizeof text, "%c%016llx", letter, static_cast<unsigned long long>(next()));
  return text;
}

std::string Ids::numbered(const char* prefix, int number) {
  char text[32];
  std::snprintf(text, sizeof text, "%s%04d", prefix, number);
  return text;
}

bool is_uuid(const std::string& text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const char c = text[i];
    const bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (dash ? c != '-' : !digit) return false;
  }
  return true;
}

long long wall_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::string timestamp() {
  const long long now = wall_ms();
  const std::time_t seconds = now / 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[40];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(text + length, sizeof text - length, ".%03dZ", static_cast<int>(now % 1000));
  return text;
}

}  // namespace claude::sim
