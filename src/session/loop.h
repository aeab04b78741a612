// The runtime's own thread: it looks after sessions while nobody waits for them.
//
// One poller for all of them. It also starts the children, because the kernel ends a child with
// the thread that started it, and climbs the ending ladder when a session is closed.
#pragma once

#include <claude/runtime.h>

#include "io/host_process.h"
#include "io/poller.h"
#include "session/threads.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace claude {

// What the loop looks after. All members are called on the loop's thread.
class Served {
 public:
  virtual ~Served() = default;
  virtual void on_readable() = 0;
  virtual void on_writable() = 0;
  virtual void on_errors() = 0;  // the CLI wrote to stderr
  virtual void on_exit() = 0;
  virtual void on_time() = 0;
};

class Runtime::Loop : public std::enable_shared_from_this<Loop> {
 public:
  using Id = std::uint64_t;
  enum class Channel : std::uint8_t { read, write, errors, exit };

  static std::shared_ptr<Loop> start();
  // Ends the thread when it has nothing to look after any more, and waits for it.
  void stop();

  Thread::id thread() const { return thread_.get_id(); }
  bool is_of_this_process() const { return host_.is_this_one(); }
  bool on_own_thread() const { return this_thread::get_id() == thread(); }
  // Runs `work` on the loop's thread and waits for it.
  void run_and_wait(const std::function<void()>& work);

  Id add(std::shared_ptr<Served> served);
  void remove(Id id);
  // For one report; again for each further one.
  void watch(Id id, Channel channel, int fd);
  void unwatch(int fd);
  void set_timer(Id id, TimePoint when);

 private:
  explicit Loop(io::Poller poller, io::Wake wake)
      : poller_(std::move(poller)), wake_(std::move(wake)) {}
  void serve();
  void run_posted();
  void run_timers();
  io::Timeout time_to_next_timer();
  std::shared_ptr<Served> find(Id id);
  void dispatch(const io::Ready& ready);

  io::Poller poller_;
  io::Wake wake_;
  Thread thread_;
  io::HostProcess host_;
  Mutex mutex_;  // guards what follows
  std::vector<std::function<void()>> posted_;
  std::map<Id, std::shared_ptr<Served>> served_;
  std::set<std::pair<TimePoint, Id>> timers_;
  Id last_ = 0;
  bool stopping_ = false;
};

}  // namespace claude
