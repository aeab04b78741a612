/* What one run is asked to do, what it counted, and the report on it. */
#pragma once

#include "buffer.h"
#include "input.h"
#include "messages.h"

/* From the environment; see main.c. */
extern const char* workload;
extern long N, SIZE, GAP;
extern int line_mode;

extern int turns, errors;
extern ull messages, controls;
extern Units sums;
extern ull t_main, t_init, t_user, t_done;
extern ull *rtt, rtt_first; /* round trips in ns */
extern long rtt_n;

/* Notes that the client did something wrong; the runner fails on it. */
void fail(const char* what, Span line);

/* Writes fakecli-<pid>.json into BENCH_REPORT_DIR, if there is one. */
void report(void);
