/* Lines from stdin, and just enough JSON to route them; see input.h. */
#include "input.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"

static char* rb;
static size_t rcap, rbeg, rend, rscan;

int read_line(char** line, size_t* len) {
  for (;;) {
    char* nl = rend > rscan ? memchr(rb + rscan, '\n', rend - rscan) : NULL;
    if (nl) {
      *line = rb + rbeg;
      *len = (size_t)(nl - *line);
      rbeg = rscan = (size_t)(nl + 1 - rb);
      return 1;
    }
    rscan = rend;
    if (rbeg == rend) rbeg = rend = rscan = 0;
    if (rend == rcap) {
      if (rbeg) {
        memmove(rb, rb + rbeg, rend - rbeg);
        rend -= rbeg;
        rscan -= rbeg;
        rbeg = 0;
      } else {
        rcap = rcap ? rcap * 2 : 1 << 16;
        rb = realloc(rb, rcap);
        if (!rb) die("out of memory");
      }
    }
    ssize_t k = read(0, rb + rend, rcap - rend);
    if (k > 0) {
      rend += (size_t)k;
      continue;
    }
    if (k < 0 && errno == EINTR) continue;
    if (k < 0 && errno == EAGAIN) {
      struct pollfd f = {0, POLLIN, 0};
      poll(&f, 1, 1000);
      continue;
    }
    return 0;
  }
}

static const char* ws(const char* p, const char* e) {
  while (p < e && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')) p++;
  return p;
}
const char* skip_str(const char* p, const char* e) {
  for (p++; p < e; p++) {
    if (*p == '\\')
      p++;
    else if (*p == '"')
      return p + 1;
  }
  return e;
}
static const char* skip_val(const char* p, const char* e) {
  if (p >= e) return e;
  if (*p == '"') return skip_str(p, e);
  if (*p == '{' || *p == '[') {
    int depth = 0;
    while (p < e) {
      if (*p == '"') {
        p = skip_str(p, e);
        continue;
      }
      if (*p == '{' || *p == '[') depth++;
      if (*p == '}' || *p == ']') {
        if (--depth == 0) return p + 1;
      }
      p++;
    }
    return e;
  }
  while (p < e && *p != ',' && *p != '}' && *p != ']' && *p != ' ' && *p != '\r') p++;
  return p;
}

int get(Span o, const char* key, Span* out) {
  size_t kl = strlen(key);
  const char* p = ws(o.s, o.e);
  if (p >= o.e || *p != '{') return 0;
  p = ws(p + 1, o.e);
  while (p < o.e && *p == '"') {
    const char* k = p + 1;
    p = skip_str(p, o.e);
    size_t n = (size_t)(p - 1 - k);
    p = ws(p, o.e);
    if (p >= o.e || *p != ':') return 0;
    p = ws(p + 1, o.e);
    const char* v = p;
    p = skip_val(p, o.e);
    if (n == kl && !memcmp(k, key, kl)) {
      if (*v == '"') {
        out->s = v + 1;
        out->e = p - 1;
      } else {
        out->s = v;
        out->e = p;
      }
      return 1;
    }
    p = ws(p, o.e);
    if (p < o.e && *p == ',') p = ws(p + 1, o.e);
  }
  return 0;
}
int is(Span v, const char* s) {
  size_t n = strlen(s);
  return (size_t)(v.e - v.s) == n && !memcmp(v.s, s, n);
}
