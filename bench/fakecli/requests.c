/* Control requests; see requests.h. */
#define _GNU_SOURCE
#include "requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state.h"

static Buf ctl;
static char callback_id[128] = "hook_0";

static void answer(Span id, Span subtype, Span req) {
  ctl.n = 0;
  puts_(&ctl,
        "{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"");
  put(&ctl, id.s, (size_t)(id.e - id.s));
  if (is(subtype, "initialize")) {
    t_init = now_ns();
    puts_(&ctl,
          "\",\"response\":{\"commands\":[{\"name\":\"compact\",\"description\":\"Compact\","
          "\"argumentHint\":\"\"}],\"agents\":[],\"output_style\":\"default\","
          "\"available_output_styles\":[\"default\"],\"models\":[],\"account\":{}}}}\n");
    /* the id the client chose for its first hook callback */
    const char* k = memmem(req.s, (size_t)(req.e - req.s), "\"hookCallbackIds\"", 17);
    if (k) {
      const char* q = memchr(k + 17, '[', (size_t)(req.e - k - 17));
      q = q ? memchr(q, '"', (size_t)(req.e - q)) : NULL;
      if (q) {
        const char* z = skip_str(q, req.e) - 1;
        if ((size_t)(z - q - 1) < sizeof callback_id)
          snprintf(callback_id, sizeof callback_id, "%.*s", (int)(z - q - 1), q + 1);
      }
    }
  } else {
    controls++;
    puts_(&ctl, "\",\"response\":{\"model\":\"claude-opus-4-1\"}}}\n"); /* of set_model */
  }
  write_all(ctl.p, ctl.n);
}

enum kind route(Span l) {
  Span t, id, req, st;
  if (!get(l, "type", &t)) return OTHER;
  if (is(t, "user")) return USER;
  if (is(t, "control_response")) return RESPONSE;
  if (is(t, "control_request")) {
    if (!get(l, "request_id", &id) || !get(l, "request", &req) || !get(req, "subtype", &st)) {
      fail("bad control_request", l);
      return OTHER;
    }
    answer(id, st, req);
  }
  return OTHER;
}

/* Sends one request and waits for its response. Only the time from before the
 * write until the whole response line is here counts; checking comes after. */
static void round_trip(Buf* b, const char* id, int keep, const char* must) {
  char* p;
  size_t n;
  ull t0 = now_ns();
  write_all(b->p, b->n);
  for (;;) {
    if (!read_line(&p, &n)) {
      Span e = {"", ""};
      fail("EOF while waiting for a response", e);
      report();
      _exit(0);
    }
    ull t1 = now_ns();
    Span l = {p, p + n}, resp, rid, st, inner;
    if (route(l) != RESPONSE) continue;
    if (!get(l, "response", &resp) || !get(resp, "request_id", &rid) ||
        !get(resp, "subtype", &st)) {
      fail("bad response", l);
      return;
    }
    if (!is(rid, id)) {
      fail("response to another request", l);
      continue;
    }
    if (!is(st, "success")) {
      fail("error response", l);
      return;
    }
    if (must && (!get(resp, "response", &inner) ||
                 !memmem(inner.s, (size_t)(inner.e - inner.s), must, strlen(must))))
      fail("unexpected response", l);
    if (keep == 1) rtt[rtt_n++] = t1 - t0;
    if (keep == 2) rtt_first = t1 - t0;
    return;
  }
}

static void request_head(Buf* b, char* id, size_t idcap) {
  Buf u = {0};
  gen_uuid(&u);
  snprintf(id, idcap, "%.*s", (int)u.n, u.p);
  free(u.p);
  b->n = 0;
  puts_(b, "{\"type\":\"control_request\",\"request_id\":\"");
  puts_(b, id);
  puts_(b, "\",\"request\":");
}

static void mcp_request(Buf* b, char* id, size_t idcap, const char* json) {
  request_head(b, id, idcap);
  puts_(b, "{\"subtype\":\"mcp_message\",\"server_name\":\"bench\",\"message\":");
  puts_(b, json);
  puts_(b, "}}\n");
}

void run_round_trips(void) {
  Buf b = {0};
  char id[64], must[64];
  int mcp = !strcmp(workload, "mcp"), perms = !strcmp(workload, "perms");
  long warm = N / 10;
  free(rtt);
  rtt = calloc((size_t)N + 1, sizeof *rtt);
  if (!rtt) die("out of memory");
  rtt_n = 0;
  if (mcp) { /* what the CLI does before it can call a tool */
    mcp_request(&b, id, sizeof id,
                "{\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
                "\"capabilities\":{},\"clientInfo\":{\"name\":\"claude-code\","
                "\"version\":\"2.1.325\"}},\"jsonrpc\":\"2.0\",\"id\":0}");
    round_trip(&b, id, 0, "serverInfo");
    mcp_request(&b, id, sizeof id,
                "{\"method\":\"notifications/initialized\",\"jsonrpc\":\"2.0\"}");
    round_trip(&b, id, 0, NULL);
    mcp_request(&b, id, sizeof id, "{\"method\":\"tools/list\",\"jsonrpc\":\"2.0\",\"id\":1}");
    round_trip(&b, id, 0, "echo");
  }
  for (long i = 0; i < warm + N; i++) {
    unsigned tu = rng();
    if (mcp) {
      char m[512];
      snprintf(must, sizeof must, "hello %06ld", i);
      snprintf(m, sizeof m,
               "{\"method\":\"tools/call\",\"params\":{\"name\":\"echo\","
               "\"arguments\":{\"text\":\"%s\"},"
               "\"_meta\":{\"claudecode/toolUseId\":\"toolu_01%08x\",\"progressToken\":%ld}},"
               "\"jsonrpc\":\"2.0\",\"id\":%ld}",
               must, tu, i + 2, i + 2);
      mcp_request(&b, id, sizeof id, m);
    } else if (perms) {
      snprintf(must, sizeof must, "ls -la dir%06ld", i);
      request_head(&b, id, sizeof id);
      putf(&b,
           "{\"subtype\":\"can_use_tool\",\"tool_name\":\"Bash\",\"display_name\":\"Bash\","
           "\"input\":{\"command\":\"%s\",\"description\":\"List the files of a directory\"},"
           "\"description\":\"List the files of a directory\","
           "\"permission_suggestions\":[{\"type\":\"addRules\","
           "\"rules\":[{\"toolName\":\"Bash\",\"ruleContent\":\"ls *\"}],"
           "\"behavior\":\"allow\",\"destination\":\"localSettings\"},"
           "{\"type\":\"addDirectories\",\"directories\":[\"/home/user/project\"],"
           "\"destination\":\"session\"},{\"type\":\"setMode\",\"mode\":\"acceptEdits\","
           "\"destination\":\"session\"}],\"blocked_path\":\"/home/user/project/dir\","
           "\"tool_use_id\":\"toolu_01%08x\"}}\n",
           must, tu);
    } else {
      snprintf(must, sizeof must, "\"continue\"");
      request_head(&b, id, sizeof id);
      putf(&b,
           "{\"subtype\":\"hook_callback\",\"callback_id\":\"%s\","
           "\"input\":{\"session_id\":\"%s\","
           "\"transcript_path\":\"/home/user/.claude/projects/-home-user-project/%s.jsonl\","
           "\"cwd\":\"/home/user/project\","
           "\"prompt_id\":\"6ab1b3c1-020d-4e25-a443-bcd5d39cf1b1\","
           "\"permission_mode\":\"default\",\"effort\":{\"level\":\"medium\"},"
           "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\","
           "\"tool_input\":{\"command\":\"ls -la dir%06ld\","
           "\"description\":\"List the files of a directory\"},"
           "\"tool_use_id\":\"toolu_01%08x\"},\"tool_use_id\":\"toolu_01%08x\"}}\n",
           callback_id, SESSION, SESSION, i, tu, tu);
    }
    round_trip(&b, id, i == 0 ? 2 : i >= warm ? 1 : 0, must);
  }
  free(b.p);
}
