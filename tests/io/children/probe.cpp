// A child that tells what it got from its parent, one fact a line, and then does as it is told:
// the first argument names the fact, "linger" stays whatever happens to stdin, "stray" leaves its
// process group for that of its parent and becomes the program that the other arguments name.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

extern char** environ;

static void print_descriptors() {
  DIR* directory = opendir("/proc/self/fd");
  while (const dirent* entry = readdir(directory)) {
    const int fd = std::atoi(entry->d_name);
    if (entry->d_name[0] != '.' && fd != dirfd(directory)) std::printf("%d\n", fd);
  }
}

static void print_signals() {
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction now;
    if (sigismember(&blocked, signal) == 1) std::printf("blocked %d\n", signal);
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) {
      std::printf("ignored %d\n", signal);
    }
  }
}

// How often a signal came until the end of stdin. One that queues: SIGTERM twice may look like
// once.
static void count_signals() {
  sigset_t counted;
  sigemptyset(&counted);
  sigaddset(&counted, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &counted, nullptr);
  std::puts("ready");
  std::fflush(stdout);
  char byte;
  while (read(0, &byte, 1) > 0) {
  }
  const timespec at_once = {};
  int count = 0;
  while (sigtimedwait(&counted, nullptr, &at_once) == SIGRTMIN) ++count;
  std::printf("%d\n", count);
}

int main(int argc, char** argv) {
  const std::string_view fact = argc > 1 ? argv[1] : "";
  if (fact == "arguments") {
    for (int i = 0; i < argc; ++i) std::printf("[%s]\n", argv[i]);
  } else if (fact == "environment") {
    for (char** variable = environ; *variable; ++variable) std::printf("[%s]\n", *variable);
  } else if (fact == "directory") {
    std::printf("%s\n", getcwd(nullptr, 0));
  } else if (fact == "descriptors") {
    print_descriptors();
  } else if (fact == "signals") {
    print_signals();
  } else if (fact == "group") {
    std::printf("%s\n", getpgrp() == getpid() ? "leads its own group" : "in a foreign group");
  } else if (fact == "blocking") {
    for (int fd = 0; fd < 3; ++fd) {
      std::printf("%s\n", fcntl(fd, F_GETFL) & O_NONBLOCK ? "non-blocking" : "blocking");
    }
  } else if (fact == "count") {
    count_signals();
  } else if (fact == "stray" && argc > 2) {
    if (setpgid(0, getpgid(getppid())) == 0) execv(argv[2], argv + 2);
    return 1;
  } else if (fact == "linger") {
    alarm(300);  // a test that failed leaves nothing behind for long
    for (;;) pause();
  }
}
