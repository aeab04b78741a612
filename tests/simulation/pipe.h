// A pipe in memory, with its two descriptors.
#pragma once

#include <claude/transport.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "world.h"

namespace claude::simulation {

class Pipe {
 public:
  Pipe(World& world, std::size_t capacity)
      : world_(world),
        capacity_(capacity),
        read_fd_(world.open_descriptor()),
        write_fd_(world.open_descriptor()) {
    update();
  }

  int read_fd() const { return read_fd_; }
  int write_fd() const { return write_fd_; }
  std::size_t room() const { return closed() ? 0 : capacity_ - bytes_.size(); }
  std::size_t size() const { return bytes_.size(); }
  bool closed() const { return write_closed_ || read_closed_; }
  bool at_end() const { return write_closed_ && bytes_.empty(); }
  bool read_closed() const { return read_closed_; }

  // What fits.
  std::size_t put(std::string_view bytes) {
    std::size_t size = std::min(room(), bytes.size());
    bytes_ += bytes.substr(0, size);
    update();
    return size;
  }
  std::size_t take(char* into, std::size_t size) {
    size = std::min(size, bytes_.size());
    std::copy_n(bytes_.begin(), size, into);
    bytes_.erase(0, size);
    update();
    return size;
  }
  void close_write() {
    write_closed_ = true;
    update();
  }
  void close_read() {
    read_closed_ = true;
    update();
  }

 private:
  void update() {
    world_.at(read_fd_) = {.readable = !bytes_.empty(), .hangup = write_closed_};
    world_.at(write_fd_) = {.writable = room() > 0, .hangup = read_closed_ && !write_closed_};
  }

  World& world_;
  std::size_t capacity_;
  std::string bytes_;
  int read_fd_;
  int write_fd_;
  bool write_closed_ = false;
  bool read_closed_ = false;
};

}  // namespace claude::simulation
