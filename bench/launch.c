/* launch <program> [args...]: notes the time and becomes the program, so that
 * a client can tell how long it has existed (BENCH_T0_NS, CLOCK_MONOTONIC).
 * LAUNCH_CPU=<n> confines it, and so the CLI it starts, to one CPU. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char** argv) {
  struct timespec t;
  char s[32];
  if (argc < 2) return 2;
  const char* cpu = getenv("LAUNCH_CPU");
  if (cpu && *cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)atoi(cpu), &set);
    if (sched_setaffinity(0, sizeof set, &set)) perror("sched_setaffinity");
  }
  clock_gettime(CLOCK_MONOTONIC, &t);
  snprintf(s, sizeof s, "%llu",
           (unsigned long long)t.tv_sec * 1000000000ull + (unsigned long long)t.tv_nsec);
  setenv("BENCH_T0_NS", s, 1);
  execvp(argv[1], argv + 1);
  perror(argv[1]);
  return 127;
}
