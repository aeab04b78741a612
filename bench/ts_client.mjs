// The official TypeScript SDK as a client of the benchmark; README.md has the contract.
//
//   CLAUDE_TS_SDK=<its folder> BENCH_WORKLOAD=stream node ts_client.mjs <path of the CLI>
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const begun = now()
const { BENCH_WORKLOAD: workload = 'stream', BENCH_N = '1000', BENCH_K = '1' } = process.env
const n = Number(BENCH_N)
const launched = Number(process.env.BENCH_T0_NS ?? 0) / 1e9 || begun
const entry = join(process.env.CLAUDE_TS_SDK, 'sdk.mjs')
const sdk = await import(entry)

const tally = { messages: 0, checksum: 0, latencies: [] }

function now() {
  return Number(process.hrtime.bigint()) / 1e9
}

function cpu() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function fromStatus(key) {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(new RegExp(`^${key}:\\s*(\\d+)`, 'm').exec(status)[1])
}

function options() {
  const chosen = { pathToClaudeCodeExecutable: process.argv[2], includePartialMessages: true }
  if (workload === 'hooks')
    chosen.hooks = { PreToolUse: [{ hooks: [async () => ({ continue: true })] }] }
  if (workload === 'perms')
    chosen.canUseTool = async (_name, input) => ({ behavior: 'allow', updatedInput: input })
  if (workload === 'mcp') {
    const { z } = createRequire(entry)('zod')
    const echo = sdk.tool('echo', 'Echoes a text', { text: z.string() }, async ({ text }) => ({
      content: [{ type: 'text', text }],
    }))
    const server = sdk.createSdkMcpServer({ name: 'bench', version: '1', tools: [echo] })
    chosen.mcpServers = { bench: server }
  }
  return chosen
}

function add(message) {
  tally.messages++
  if (message.type === 'stream_event') {
    const { text } = message.event.delta
    tally.checksum += text.length
    if (workload === 'paced') tally.latencies.push(now() * 1e6 - Number(text) / 1e3)
  } else if (message.type === 'result') {
    tally.checksum += message.result.length
  } else if (message.type === 'assistant' || message.type === 'user') {
    for (const block of message.message.content)
      tally.checksum += (block.text ?? block.content).length
  }
}

// A query whose prompt and whose end are let go by hand.
function start() {
  const gate = {}
  const sent = new Promise((resolve) => { gate.send = resolve })
  const ended = new Promise((resolve) => { gate.end = resolve })
  async function* prompts() {
    await sent
    yield { type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null }
    await ended
  }
  return { ...gate, query: sdk.query({ prompt: prompts(), options: options() }) }
}

async function takeTurn(query) {
  for (;;) {
    const { value, done } = await query.next()
    if (done) throw new Error('the stream ended before the result')
    add(value)
    if (value.type === 'result') return
  }
}

async function setModels(query) {
  for (let i = -Math.floor(n / 10); i < n; i++) {
    const sent = now()
    await query.setModel('sonnet')
    if (i >= 0) tally.latencies.push((now() - sent) * 1e6)
  }
}

function latency(us) {
  us.sort((a, b) => a - b)
  const at = (part) => us[Math.round((us.length - 1) * part)]
  return { n: us.length, p50_us: at(0.5), p90_us: at(0.9), p99_us: at(0.99), max_us: at(1) }
}

const sessions = Array.from({ length: Number(BENCH_K) }, start)
await Promise.all(sessions.map(({ query }) => query.initializationResult()))
const connected = now()
if (workload === 'control') await setModels(sessions[0].query)

const sent = now()
const cpuSent = cpu()
for (const session of sessions) session.send()
await Promise.all(sessions.map(({ query }) => takeTurn(query)))
const last = now()
const figures = {
  wall_s: last - sent,
  cpu_s: cpu() - cpuSent,
  rss_kb: fromStatus('VmRSS'),
  peak_rss_kb: fromStatus('VmHWM'),
  threads: fromStatus('Threads'),
  messages: tally.messages,
  checksum: tally.checksum,
  unit: 'utf16',
  first_result_ms: (last - launched) * 1e3,
  connect_ms: (connected - begun) * 1e3,
}
const closing = now()
for (const session of sessions) session.end()
await Promise.all(sessions.map(({ query }) => query.return()))
figures.close_ms = (now() - closing) * 1e3
figures.cpu_total_s = cpu()
if (tally.latencies.length) figures.latency = latency(tally.latencies)
console.log(JSON.stringify(figures))
process.exit(0)
