// Advanced: bring your own pipe.
//
// A Transport carries bytes between a session and a CLI. The library's own starts a child
// process; yours may be a socket, an SSH channel or a test. Nothing in it may block.
//
// Thread rule: the session calls one member at a time, from whatever thread is at work; but see
// writes_apart(). What throws has failed: the session ends with what was thrown.
#pragma once

#include <claude/error.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace claude {

// How the other side ended. Neither set: it is gone, and nobody knows how.
struct Exit {
  std::optional<int> code;
  std::optional<int> signal;
};

enum class IoStatus : unsigned char { ok, would_block, closed };

// No bytes are nothing for now, whether they are called ok or would_block.
struct IoResult {
  IoStatus status = IoStatus::ok;
  std::size_t bytes = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;

  // Takes what is there, never waits. `closed`: the end of the stream.
  virtual IoResult read(std::span<char> into) = 0;
  // Gives what can be taken now, never waits. `closed`: the other side no longer reads.
  virtual IoResult write(std::string_view bytes) = 0;
  // Whether write() may run while another thread is in another member, but for close_input(): then
  // nobody who reads has to wait for it.
  virtual bool writes_apart() const { return false; }

  // Descriptors to wait on until read() or write() can go on, which may be one and the same. -1,
  // and what the system does not wait for (a file): it always goes on. If it would block all the
  // same, it is tried again some milliseconds later. Each of this class stays open, and the same,
  // for as long as the transport lives.
  virtual int read_fd() const = 0;
  virtual int write_fd() const = 0;

  // What the other side says beside the protocol (a child's stderr). The descriptor may be -1.
  virtual IoResult read_errors(std::span<char>) { return {IoStatus::closed, 0}; }
  virtual int error_fd() const { return -1; }

  // Readable once the other side has ended (a pidfd); -1: the end of the stream tells, or exited().
  virtual int exit_fd() const { return -1; }
  // How it ended, once it has, where there is more to say than the end of the stream.
  virtual std::optional<Exit> exited() { return std::nullopt; }

  // Whether requests and answers go through. Where they do not (a recording that is played back),
  // the session has messages only: it sends no initialize, and operations are not_supported.
  virtual bool carries_control() const { return true; }

  // Of the process, when it is one of this machine. Without exit_fd(), exited() is asked for it.
  virtual std::optional<int> pid() const { return std::nullopt; }

  // The steps of the ending, gentlest first.
  virtual void close_input() = 0;  // no more bytes will be written
  virtual void terminate() {}
  virtual void kill() {}
};

}  // namespace claude
