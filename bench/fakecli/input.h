/* Lines from stdin, and just enough JSON to route them. */
#pragma once

#include <stddef.h>

typedef struct {
  const char *s, *e;
} Span;

/* The next line (without its newline, valid until the next call); 0 at the end of input. */
int read_line(char** line, size_t* len);

/* The value of `key` in the object `o`; a string's span is inside its quotes. */
int get(Span o, const char* key, Span* out);
int is(Span v, const char* s);

/* Behind the string that begins at `p`. */
const char* skip_str(const char* p, const char* e);
