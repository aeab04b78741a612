// Bytes to lines, each byte looked at once.
#include "wire/framer.h"

#include "json/limits.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace claude::wire {
namespace {

constexpr std::size_t kFirstBytes = std::size_t{64} << 10;
// A buffer that one huge line has blown up is given away with it, or back when it is empty again.
constexpr std::size_t kKeptBytes = std::size_t{4} << 20;
// A buffer for more is made so large that malloc always takes it from the system: then it grows
// without being copied, and nothing of it stays behind. glibc learns up to 32 MiB to do otherwise.
// Memory that nobody has touched costs nothing.
constexpr std::size_t kMappedBytes = (std::size_t{32} << 20) + kFirstBytes;
// Up to here there is room for several lines: an unfinished one is moved to the front less often.
constexpr std::size_t kRoomyBytes = std::size_t{512} << 10;

}  // namespace

std::span<char> Framer::space() {
  make_room();
  return {buffer_.get() + end_, capacity_ - end_};
}

void Framer::make_room() {
  // A line that is too long already is not collected, only counted. What has not been looked at
  // yet may hold whole lines.
  if (searched_ - begin_ > max_) drop_searched();
  if (begin_ == end_) {
    begin_ = searched_ = end_ = 0;
    if (capacity_ > kKeptBytes) {
      buffer_.reset();
      capacity_ = 0;
    }
  }
  if (capacity_ > 0 && capacity_ - end_ >= kFirstBytes / 2) return;
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    searched_ -= begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  const std::size_t filled = capacity_ / (capacity_ < kRoomyBytes ? 4 : 2);
  if (end_ <= filled && capacity_ > 0) return;
  const std::size_t doubled = std::max(capacity_ * 2, kFirstBytes);
  resize(doubled > kKeptBytes ? std::max(doubled, kMappedBytes) : doubled);
}

void Framer::drop_searched() {
  drop({buffer_.get() + begin_, searched_ - begin_});
  begin_ = searched_;
}

void Framer::drop(std::string_view bytes) {
  if (dropped_ == 0) skim_ = std::make_unique<Skim>();
  skim_->read(bytes);
  dropped_ += bytes.size();
}

void Framer::resize(std::size_t capacity) {
  auto* larger = static_cast<char*>(std::realloc(buffer_.get(), capacity));
  if (larger == nullptr) throw std::bad_alloc();
  (void)buffer_.release();
  buffer_.reset(larger);
  capacity_ = capacity;
  if (capacity > kKeptBytes && on_huge_block_ != nullptr) on_huge_block_(larger, capacity);
}

std::optional<std::string_view> Framer::next_line() {
  while (searched_ < end_) {
    char* from = buffer_.get() + searched_;
    auto* newline = static_cast<char*>(std::memchr(from, '\n', end_ - searched_));
    if (newline == nullptr) {
      searched_ = end_;
      break;
    }
    char* start = buffer_.get() + begin_;
    auto size = static_cast<std::size_t>(newline - start);
    begin_ = searched_ = begin_ + size + 1;
    if (dropped_ + size > max_) {
      drop({start, size});
      oversized_ = Oversized{std::exchange(dropped_, 0), &skim_->frame()};
      return std::nullopt;
    }
    if (size > 0 && start[size - 1] == '\r') --size;
    if (size > 0) return std::string_view(start, size);
  }
  return std::nullopt;
}

Memory Framer::take_memory(std::string_view line) {
  auto line_end = static_cast<std::size_t>(line.data() + line.size() - buffer_.get());
  if (line.size() < kKeptBytes || capacity_ - line_end < json::kPaddingBytes) return nullptr;
  Memory given = std::exchange(buffer_, nullptr);
  const std::size_t held = end_ - begin_;
  resize(std::max(2 * held, kFirstBytes));
  std::memcpy(buffer_.get(), given.get() + begin_, held);
  begin_ = searched_ = 0;
  end_ = held;
  return given;
}

}  // namespace claude::wire
