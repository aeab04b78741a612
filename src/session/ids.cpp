// Random names from the system's own source.
#include "session/ids.h"

#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <random>

namespace claude {
namespace {

// Sixteen random bytes. std::random_device asks the processor what it can each time it is made,
// which takes 15 us in a virtual machine.
std::array<std::uint32_t, 4> random_bits() {
  std::array<std::uint32_t, 4> bits;
  if (::getentropy(bits.data(), sizeof(bits)) != 0) {  // a sandbox may refuse it
    std::random_device random;
    for (std::uint32_t& each : bits) each = random();
  }
  return bits;
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
  constexpr char kDigits[] = "0123456789abcdef";
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kDigits[value >> shift & 15];
}

}  // namespace

std::string random_uuid() {
  const auto bits = random_bits();
  std::string uuid;
  append_hex(uuid, bits[0], 8);
  uuid += '-';
  append_hex(uuid, bits[1] >> 16, 4);
  uuid += "-4";  // version 4, random
  append_hex(uuid, bits[1] & 0xfff, 3);
  uuid += '-';
  append_hex(uuid, 0x8000 | (bits[2] >> 16 & 0x3fff), 4);
  uuid += '-';
  append_hex(uuid, bits[2] & 0xffff, 4);
  append_hex(uuid, bits[3], 8);
  return uuid;
}

std::string random_suffix() {
  std::string suffix;
  append_hex(suffix, random_bits()[0], 8);
  return suffix;
}

}  // namespace claude
