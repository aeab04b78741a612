/* The messages of a turn, with made-up texts. Their shapes, and the order of their fields, are
 * those of CLI 2.1.325. Note that `type` comes first in every message but `result`. */
#pragma once

#include <stdint.h>

#include "buffer.h"

/* One text, measured in the three length units that client languages use. */
typedef struct {
  ull bytes, cps, u16;
} Units;

extern const char* const SESSION;
extern int utf8_mode; /* mix characters of 2, 3 and 4 bytes into the texts */

/* Each appends one line to the buffer, and the length of its text to `u`. */
void msg_init(Buf* b);
void msg_delta(Buf* b, size_t len, Units* u);
void msg_assistant(Buf* b, size_t len, Units* u);
void msg_tool_result(Buf* b, size_t len, Units* u);
void msg_result(Buf* b, Units* u);

void gen_uuid(Buf* b);
uint32_t rng(void); /* the same numbers in every run */
