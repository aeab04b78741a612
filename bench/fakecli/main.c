/* fakecli: a stand-in for the Claude Code CLI, for benchmarking SDKs.
 *
 * Speaks the stream-json protocol on stdin/stdout: answers `-v`/`--version`,
 * answers `initialize` and every other control_request at once, and on a user
 * message runs the workload selected by the environment. All output of a
 * workload is built before the clock matters, and written with big writes, so
 * that what is measured is the client and not this program. Never raises the
 * pipe size: a client is free to do that for the pipes it creates.
 *
 *   BENCH_WORKLOAD   stream | parallel | sessions   N text_delta stream_events
 *                    paced      the same, one write each, BENCH_GAP_US apart, the
 *                               text being the CLOCK_MONOTONIC ns of the write
 *                    assistant  N assistant messages with SIZE bytes of text
 *                    bigline    N user/tool_result messages of SIZE bytes
 *                    hooks | perms | mcp   N sequential round trips to the client
 *                    control | startup | (anything else)   just finish the turn
 *   BENCH_N, BENCH_SIZE, BENCH_GAP_US
 *   BENCH_WRITE      batch (default) | line: one write(2) per message
 *   BENCH_UTF8       1: mix 2-, 3- and 4-byte characters into the texts
 *   BENCH_REPORT_DIR where to put fakecli-<pid>.json (expected counts, RTTs)
 *   BENCH_EXIT_MS    how long to take to exit after the end of input (default 0)
 *   BENCH_TIMEOUT_S  hard limit of this process's life (default 120)
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "input.h"
#include "requests.h"
#include "state.h"

static void add(Units* a, Units b) {
  a->bytes += b.bytes;
  a->cps += b.cps;
  a->u16 += b.u16;
}

/* The messages of a turn, built before the first byte of input is read. */
static Buf head, body, tail;
static size_t* off;
static Units *un, tail_units;
static long cycle;
static int init_sent, is_stream, is_assistant, is_big;

static void prepare(void) {
  is_stream =
      !strcmp(workload, "stream") || !strcmp(workload, "parallel") || !strcmp(workload, "sessions");
  is_assistant = !strcmp(workload, "assistant");
  is_big = !strcmp(workload, "bigline");
  msg_init(&head);
  if (is_stream || is_assistant || is_big) {
    cycle = is_stream ? 1024 : SIZE >= (1 << 20) ? 1 : (1 << 20) / SIZE + 1;
    if (cycle > N) cycle = N > 0 ? N : 1;
    off = calloc((size_t)cycle + 1, sizeof *off);
    un = calloc((size_t)cycle, sizeof *un);
    if (!off || !un) die("out of memory");
    for (long i = 0; i < cycle; i++) {
      if (is_stream)
        msg_delta(&body, 12 + rng() % 17, &un[i]);
      else if (is_assistant)
        msg_assistant(&body, (size_t)SIZE, &un[i]);
      else
        msg_tool_result(&body, (size_t)SIZE, &un[i]);
      off[i + 1] = body.n;
    }
  }
  if (!is_assistant) msg_assistant(&tail, 120, &tail_units);
  msg_result(&tail, &tail_units);
}

/* Writes N messages, cycling through the prepared ones. */
static void write_cycle(void) {
  for (long left = N; left > 0;) {
    long m = left < cycle ? left : cycle;
    if (line_mode)
      for (long i = 0; i < m; i++) write_all(body.p + off[i], off[i + 1] - off[i]);
    else
      write_all(body.p, off[m]);
    for (long i = 0; i < m; i++) add(&sums, un[i]);
    messages += (ull)m;
    left -= m;
  }
}

static void write_paced(void) {
  Buf b = {0}, out = {0};
  Units d = {0, 0, 0};
  char num[24];
  msg_delta(&b, 20, &d);
  char* at = memmem(b.p, b.n, "\"text\":\"", 8);
  char *from = at + 8, *to = (char*)skip_str(at + 7, b.p + b.n) - 1;
  ull next = now_ns();
  for (long i = 0; i < N; i++) {
    next += (ull)GAP * 1000ull;
    struct timespec ts = {(time_t)(next / 1000000000ull), (long)(next % 1000000000ull)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR) {
    }
    out.n = 0;
    put(&out, b.p, (size_t)(from - b.p));
    size_t hole = out.n;
    puts_(&out, "00000000000000000000");
    put(&out, to, (size_t)(b.p + b.n - to));
    snprintf(num, sizeof num, "%020llu", now_ns());
    memcpy(out.p + hole, num, 20);
    write_all(out.p, out.n);
    messages++;
    sums.bytes += 20;
    sums.cps += 20;
    sums.u16 += 20;
  }
  free(b.p);
  free(out.p);
}

static void run_turn(void) {
  t_user = now_ns();
  if (!init_sent) {
    write_all(head.p, head.n);
    messages++;
    init_sent = 1;
  }
  if (is_stream || is_assistant || is_big)
    write_cycle();
  else if (!strcmp(workload, "paced"))
    write_paced();
  else if (!strcmp(workload, "hooks") || !strcmp(workload, "perms") || !strcmp(workload, "mcp"))
    run_round_trips();
  write_all(tail.p, tail.n);
  add(&sums, tail_units);
  messages += is_assistant ? 1 : 2;
  t_done = now_ns();
  turns++;
  report();
}

static long env_long(const char* name, long dflt, long lo, long hi) {
  const char* s = getenv(name);
  long v = s && *s ? strtol(s, NULL, 10) : dflt;
  return v < lo ? lo : v > hi ? hi : v;
}

int main(int argc, char** argv) {
  t_main = now_ns();
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "-v") || !strcmp(argv[i], "--version")) {
      static const char v[] = "2.1.325 (Claude Code)\n";
      return write(1, v, sizeof v - 1) < 0;
    }
  const char* w = getenv("BENCH_WORKLOAD");
  if (w && *w) workload = w;
  N = env_long("BENCH_N", 1000, 0, 100000000);
  SIZE = env_long("BENCH_SIZE", 2048, 1, 1 << 30);
  GAP = env_long("BENCH_GAP_US", 1000, 0, 10000000);
  utf8_mode = (int)env_long("BENCH_UTF8", 0, 0, 1);
  const char* wm = getenv("BENCH_WRITE");
  line_mode = wm && !strcmp(wm, "line");
  alarm((unsigned)env_long("BENCH_TIMEOUT_S", 120, 1, 3600));
  prepare();

  char* p;
  size_t n;
  while (read_line(&p, &n)) {
    Span l = {p, p + n};
    if (route(l) == USER) run_turn();
  }
  report();
  usleep((useconds_t)(1000 * env_long("BENCH_EXIT_MS", 0, 0, 900)));
  return 0;
}
