/* Growing buffers and writing them out: the floor on which fakecli stands. */
#pragma once

#include <stddef.h>

typedef unsigned long long ull;

typedef struct {
  char* p;
  size_t n, cap;
} Buf;

void put(Buf* b, const char* s, size_t n);
void puts_(Buf* b, const char* s);
void putf(Buf* b, const char* fmt, ...); /* at most 1023 bytes */

/* To stdout, all of it. Ends the process when the client went away. */
void write_all(const char* p, size_t n);
extern ull bytes_out, writes_out;

ull now_ns(void); /* CLOCK_MONOTONIC */
void die(const char* what);
