/* What one run is asked to do, what it counted, and the report on it; see state.h. */
#include "state.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

const char* workload = "stream";
long N = 1000, SIZE = 2048, GAP = 1000;
int line_mode, turns, errors;
ull messages, controls;
Units sums;
static char first_error[256];
ull t_main, t_init, t_user, t_done;
ull *rtt, rtt_first;
long rtt_n;

void fail(const char* what, Span l) {
  if (errors++ == 0) {
    size_t n = (size_t)(l.e - l.s);
    if (n > 150) n = 150;
    snprintf(first_error, sizeof first_error, "%s: %.*s", what, (int)n, l.s);
    for (char* p = first_error; *p; p++)
      if (*p == '"' || *p == '\\') *p = '\'';
  }
}

/* milliseconds since the client was launched (see launch.c) */
static double since_t0(ull t) {
  const char* s = getenv("BENCH_T0_NS");
  ull t0 = s ? strtoull(s, NULL, 10) : 0;
  return t0 && t > t0 ? (double)(t - t0) / 1e6 : 0;
}

static int cmp_ull(const void* a, const void* b) {
  ull x = *(const ull*)a, y = *(const ull*)b;
  return x < y ? -1 : x > y;
}

void report(void) {
  const char* dir = getenv("BENCH_REPORT_DIR");
  if (!dir || !*dir) return;
  Buf b = {0};
  struct rusage ru;
  getrusage(RUSAGE_SELF, &ru);
  double cpu = (double)ru.ru_utime.tv_sec + (double)ru.ru_stime.tv_sec +
               (double)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1e6;
  putf(&b,
       "{\"pid\":%d,\"turns\":%d,\"messages\":%llu,\"controls\":%llu,\"bytes_out\":%llu,"
       "\"writes_out\":%llu,\"checksum\":{\"bytes\":%llu,\"codepoints\":%llu,\"utf16\":%llu},"
       "\"errors\":%d,\"error\":\"%s\",\"cpu_s\":%.6f,\"since_t0_ms\":{\"main\":%.3f,"
       "\"initialize\":%.3f,\"user\":%.3f,\"done\":%.3f}",
       (int)getpid(), turns, messages, controls, bytes_out, writes_out, sums.bytes, sums.cps,
       sums.u16, errors, first_error, cpu, since_t0(t_main), since_t0(t_init), since_t0(t_user),
       since_t0(t_done));
  if (rtt_n > 0) {
    qsort(rtt, (size_t)rtt_n, sizeof *rtt, cmp_ull);
    ull sum = 0;
    for (long i = 0; i < rtt_n; i++) sum += rtt[i];
#define Q(f) ((double)rtt[(long)((double)(rtt_n - 1) * (f) + 0.5)] / 1e3)
    putf(&b,
         ",\"rtt\":{\"n\":%ld,\"first_us\":%.2f,\"min_us\":%.2f,\"p50_us\":%.2f,"
         "\"p90_us\":%.2f,\"p99_us\":%.2f,\"max_us\":%.2f,\"mean_us\":%.2f}",
         rtt_n, (double)rtt_first / 1e3, Q(0), Q(.5), Q(.9), Q(.99), Q(1),
         (double)sum / (double)rtt_n / 1e3);
  }
  puts_(&b, "}\n");
  char tmp[4096], dst[4096];
  snprintf(tmp, sizeof tmp, "%s/.fakecli-%d.tmp", dir, (int)getpid());
  snprintf(dst, sizeof dst, "%s/fakecli-%d.json", dir, (int)getpid());
  int fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd >= 0) {
    if (write(fd, b.p, b.n) == (ssize_t)b.n) rename(tmp, dst);
    close(fd);
  }
  free(b.p);
}
