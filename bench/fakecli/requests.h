/* Control requests: answering those of the client, and asking it in turn. */
#pragma once

#include "input.h"

enum kind { OTHER, USER, RESPONSE };

/* Routes one line: answers control requests, reports what else it was. */
enum kind route(Span line);

/* The workloads hooks, perms and mcp: N requests, one after the other. */
void run_round_trips(void);
