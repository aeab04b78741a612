/* Texts and messages; see messages.h. */
#include "messages.h"

#include <string.h>

static uint32_t rng_state = 12345;
uint32_t rng(void) {
  return rng_state = rng_state * 1664525u + 1013904223u, rng_state >> 8;
}
int utf8_mode;

static const char* WORDS[] = {
    "the",  "function", "returns", "value",   "when",  "stream", "is",     "closed",
    "and",  "buffer",   "holds",   "message", "const", "auto",   "result", "error",
    "for",  "each",     "line",    "we",      "parse", "into",   "typed",  "objects",
    "test", "passes",   "on",      "build",   "a",     "to",     "of",     "in"};

/* Appends JSON-escaped text of exactly `len` decoded UTF-8 bytes. About one
 * character in 40 needs an escape, as in prose mixed with code. */
static void gen_text(Buf* b, size_t len, Units* u) {
  size_t done = 0, col = 0;
  while (done < len) {
    const char* w = WORDS[rng() % 32];
    size_t wl = strlen(w), left = len - done;
    if (utf8_mode && rng() % 8 == 0 && left >= 9) {
      puts_(b, "\xc3\xa9\xe2\x80\x94\xf0\x9f\x98\x80"); /* e-acute, em dash, emoji */
      done += 9;
      col += 3;
      u->bytes += 9;
      u->cps += 3;
      u->u16 += 4;
      continue;
    }
    if (wl > left) wl = left;
    put(b, w, wl);
    done += wl;
    col += wl;
    u->bytes += wl;
    u->cps += wl;
    u->u16 += wl;
    if (done == len) break;
    uint32_t r = rng() % 24;
    if (col > 70) {
      puts_(b, "\\n");
      col = 0;
    } else if (r == 0)
      puts_(b, "\\\"");
    else if (r == 1)
      puts_(b, "\\n");
    else {
      puts_(b, " ");
      col++;
    }
    done++;
    u->bytes++;
    u->cps++;
    u->u16++;
  }
}

void gen_uuid(Buf* b) {
  uint32_t a = rng(), c = rng(), d = rng(), e = rng();
  putf(b, "%08x-%04x-4%03x-a%03x-%08x%04x", a ^ 0x5a000000u, c & 0xffff, d & 0xfff, e & 0xfff,
       (rng() ^ 0x91000000u), rng() & 0xffff);
}

const char* const SESSION = "0b6f3c1e-77aa-4c7e-9a53-5f1f0c2d9e10";

static const char* USAGE =
    "\"usage\":{\"input_tokens\":4,\"cache_creation_input_tokens\":1187,"
    "\"cache_read_input_tokens\":15342,\"cache_creation\":{\"ephemeral_5m_input_tokens\":1187,"
    "\"ephemeral_1h_input_tokens\":0},\"output_tokens\":312,\"service_tier\":\"standard\"}";

static const char* STAMP = "\"timestamp\":\"2026-01-02T03:04:05.678Z\"";

void msg_init(Buf* b) {
  puts_(
      b,
      "{\"type\":\"system\",\"subtype\":\"init\",\"cwd\":\"/home/user/project\",\"session_id\":\"");
  puts_(b, SESSION);
  puts_(b,
        "\",\"tools\":[\"Task\",\"AskUserQuestion\",\"Bash\",\"CronCreate\",\"CronDelete\","
        "\"CronList\",\"Edit\",\"EnterPlanMode\",\"ExitPlanMode\",\"ListAgents\",\"Monitor\","
        "\"NotebookEdit\",\"Read\",\"SendMessage\",\"Skill\",\"TaskStop\",\"ToolSearch\","
        "\"WebFetch\",\"WebSearch\",\"Workflow\",\"Write\"],\"mcp_servers\":[],"
        "\"model\":\"claude-sonnet-4-5\",\"permissionMode\":\"default\","
        "\"slash_commands\":[\"deep-research\",\"update-config\",\"verify\",\"compact\","
        "\"context\",\"usage\",\"init\",\"review\"],\"apiKeySource\":\"none\","
        "\"claude_code_version\":\"2.1.325\",\"output_style\":\"default\","
        "\"agents\":[\"claude\",\"Explore\",\"general-purpose\",\"Plan\"],"
        "\"skills\":[\"deep-research\",\"update-config\"],\"plugins\":[{\"name\":\"agents-md\","
        "\"path\":\"builtin\",\"source\":\"agents-md@builtin\"}],"
        "\"capabilities\":[\"interrupt_receipt_v1\",\"interrupt_cancel_queued_v1\","
        "\"msg_lifecycle_v1\",\"request_marker_lists_v1\",\"sdk_mcp_tools_list_changed\","
        "\"sdk_mcp_manifests\",\"mcp_read_resource_v1\"],\"analytics_disabled\":true,"
        "\"uuid\":\"");
  gen_uuid(b);
  puts_(b,
        "\","
        "\"memory_paths\":{\"auto\":\"/home/user/.claude/projects/-home-user-project/memory/\"},"
        "\"original_cwd\":\"/home/user/project\",\"additional_directories\":[],"
        "\"fast_mode_state\":\"off\",\"view_mode\":\"default\"}\n");
}

void msg_delta(Buf* b, size_t len, Units* u) {
  puts_(b,
        "{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_delta\",\"index\":0,"
        "\"delta\":{\"type\":\"text_delta\",\"text\":\"");
  gen_text(b, len, u);
  puts_(b, "\"}},\"session_id\":\"");
  puts_(b, SESSION);
  puts_(b, "\",\"parent_tool_use_id\":null,\"uuid\":\"");
  gen_uuid(b);
  puts_(b, "\",\"api_message_id\":\"msg_01Bm3XyT7sQ9cV2nK4dL8wRz\"}\n");
}

void msg_assistant(Buf* b, size_t len, Units* u) {
  putf(b,
       "{\"type\":\"assistant\",\"message\":{\"id\":\"msg_01%08x%08x\",\"type\":\"message\","
       "\"role\":\"assistant\",\"model\":\"claude-sonnet-4-5\",\"content\":[{\"type\":\"text\","
       "\"text\":\"",
       rng(), rng());
  gen_text(b, len, u);
  puts_(b, "\"}],\"stop_reason\":null,\"stop_sequence\":null,");
  puts_(b, USAGE);
  puts_(b, ",\"context_management\":null},\"parent_tool_use_id\":null,\"session_id\":\"");
  puts_(b, SESSION);
  puts_(b, "\",\"uuid\":\"");
  gen_uuid(b);
  puts_(b, "\",");
  puts_(b, STAMP);
  puts_(b, ",\"request_id\":\"req_011CVaXq3Zr5\"}\n");
}

void msg_tool_result(Buf* b, size_t len, Units* u) {
  putf(b,
       "{\"type\":\"user\",\"message\":{\"role\":\"user\","
       "\"content\":[{\"tool_use_id\":\"toolu_01%08x%08x\",\"type\":\"tool_result\","
       "\"content\":\"",
       rng(), rng());
  gen_text(b, len, u);
  puts_(b, "\",\"is_error\":false}]},\"parent_tool_use_id\":null,\"session_id\":\"");
  puts_(b, SESSION);
  puts_(b, "\",\"uuid\":\"");
  gen_uuid(b);
  puts_(b, "\",");
  puts_(b, STAMP);
  puts_(b,
        ",\"tool_use_result\":{\"stdout\":\"\",\"stderr\":\"\",\"interrupted\":false,"
        "\"isImage\":false,\"noOutputExpected\":false}}\n");
}

void msg_result(Buf* b, Units* u) {
  puts_(b, "{\"duration_api_ms\":2211,\"stop_reason\":\"end_turn\",\"session_id\":\"");
  puts_(b, SESSION);
  puts_(b, "\",\"total_cost_usd\":0.01234,");
  puts_(b, USAGE);
  puts_(b,
        ",\"modelUsage\":{\"claude-sonnet-4-5\":{\"inputTokens\":4,\"outputTokens\":312,"
        "\"cacheReadInputTokens\":15342,\"cacheCreationInputTokens\":1187,"
        "\"webSearchRequests\":0,\"costUSD\":0.01234,\"contextWindow\":200000,"
        "\"maxOutputTokens\":64000}},\"permission_denials\":[],"
        "\"terminal_reason\":\"completed\",\"fast_mode_state\":\"off\",\"is_error\":false,"
        "\"num_turns\":1,\"subtype\":\"success\",\"api_error_status\":null,\"result\":\"");
  gen_text(b, 120, u);
  puts_(b, "\",\"ttft_ms\":1340,\"type\":\"result\",\"duration_ms\":2345,\"uuid\":\"");
  gen_uuid(b);
  puts_(b, "\",\"time_to_request_ms\":119}\n");
}
