/* Growing buffers and writing them out; see buffer.h. */
#define _GNU_SOURCE
#include "buffer.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

ull now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (ull)t.tv_sec * 1000000000ull + (ull)t.tv_nsec;
}

void die(const char* what) {
  fprintf(stderr, "fakecli: %s\n", what);
  _exit(3);
}

static void reserve(Buf* b, size_t more) {
  if (b->n + more <= b->cap) return;
  size_t c = b->cap ? b->cap : 4096;
  while (c < b->n + more) c *= 2;
  b->p = realloc(b->p, c);
  if (!b->p) die("out of memory");
  b->cap = c;
}
void put(Buf* b, const char* s, size_t n) {
  reserve(b, n);
  memcpy(b->p + b->n, s, n);
  b->n += n;
}
void puts_(Buf* b, const char* s) {
  put(b, s, strlen(s));
}
void putf(Buf* b, const char* fmt, ...) {
  va_list ap;
  reserve(b, 1024);
  va_start(ap, fmt);
  int k = vsnprintf(b->p + b->n, 1024, fmt, ap);
  va_end(ap);
  if (k < 0 || k >= 1024) die("putf overflow");
  b->n += (size_t)k;
}

ull bytes_out, writes_out;

void write_all(const char* p, size_t n) {
  while (n) {
    ssize_t k = write(1, p, n);
    if (k > 0) {
      p += k;
      n -= (size_t)k;
      bytes_out += (ull)k;
      writes_out++;
      continue;
    }
    if (k < 0 && errno == EINTR) continue;
    if (k < 0 && errno == EAGAIN) {
      struct pollfd f = {1, POLLOUT, 0};
      poll(&f, 1, 1000);
      continue;
    }
    _exit(0); /* the client went away */
  }
}
