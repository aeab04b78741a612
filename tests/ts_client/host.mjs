// What the tests share: the SDK, a project folder of one's own, and claude-sim as the only CLI.
//
//   const project = newProject(test, { turns: [{ model: [{ text: 'Hello.' }] }] });
//   const messages = await all(project.query('hi'));
//   assert.equal(resultOf(messages).result, 'Hello.');
//
// With CLAUDE_SIM_API and CLAUDE_REAL_CLI set, the same tests run on the real CLI, with that
// program as its model: what they say of claude-sim is then shown to hold of the CLI.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';

const sdkFolder = process.env.CLAUDE_TS_SDK;
export const sdk = await import(path.join(sdkFolder, 'sdk.mjs'));
export const { z } = createRequire(path.join(sdkFolder, 'sdk.mjs'))('zod');

const api = process.env.CLAUDE_SIM_API;
export const onRealCli = Boolean(api);
const cli = onRealCli ? process.env.CLAUDE_REAL_CLI : process.env.CLAUDE_SIM;

// One home a file: the SDK's own functions look for sessions below the variable of this process.
const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ts-client-')));
after(() => fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
process.env.CLAUDE_CONFIG_DIR = path.join(home, '.claude');

// The whole environment of the CLI: no key or setting of this machine reaches it.
const environment = {
  PATH: process.env.PATH,
  HOME: home,
  CLAUDE_CONFIG_DIR: process.env.CLAUDE_CONFIG_DIR,
  ANTHROPIC_API_KEY: 'sk-ant-test-000',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  IS_SANDBOX: '1',
};

class Project {
  constructor(folder, variables) {
    this.folder = folder;
    this.variables = variables;
  }

  query(prompt, options = {}) {
    return sdk.query({ prompt, options: this.options(options) });
  }

  options({ env = {}, ...rest } = {}) {
    return {
      pathToClaudeCodeExecutable: cli,
      cwd: this.folder,
      env: { ...environment, ...this.variables, ...env },
      ...rest,
    };
  }

  write(name, text) {
    fs.writeFileSync(path.join(this.folder, name), text);
  }

  // The text of a file, or null when it is not there.
  read(name) {
    const file = path.join(this.folder, name);
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
  }
}

async function startApi(test, scenario) {
  const server = spawn(api, [`--scenario-json=${JSON.stringify(scenario)}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  test.after(() => server.stdin.end());
  const [line] = await once(server.stdout, 'data');
  return `http://${line.toString().trim().replace('listening ', '')}`;
}

// A folder to work in, and a CLI whose model plays the scenario.
export async function newProject(test, scenario = {}) {
  const folder = fs.mkdtempSync(path.join(home, 'project-'));
  const variables = onRealCli
    ? { ANTHROPIC_BASE_URL: await startApi(test, scenario) }
    : { CLAUDE_SIM_SCENARIO_JSON: JSON.stringify(scenario) };
  return new Project(folder, variables);
}

// Prompts that are said one after the other, as the test goes on.
export class Conversation {
  #prompts = [];
  #wake = () => {};
  #ended = false;

  say(text, fields = {}) {
    this.#prompts.push({
      type: 'user',
      message: { role: 'user', content: text },
      parent_tool_use_id: null,
      session_id: '',
      ...fields,
    });
    this.#wake();
  }

  end() {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.#prompts.length > 0) yield this.#prompts.shift();
      if (this.#ended) return;
      await new Promise((resolve) => (this.#wake = resolve));
    }
  }
}

export async function all(query) {
  const messages = [];
  for await (const message of query) messages.push(message);
  return messages;
}

// Reads on until a message of this type, and perhaps subtype, comes; it is the last of the list.
export async function until(query, type, subtype) {
  const messages = [];
  for (;;) {
    const { value, done } = await query.next();
    if (done) throw new Error(`the query ended without ${type}`);
    messages.push(value);
    if (value.type === type && (!subtype || value.subtype === subtype)) return messages;
  }
}

export const resultOf = (messages) => messages.findLast((message) => message.type === 'result');
export const initOf = (messages) =>
  messages.find((message) => message.type === 'system' && message.subtype === 'init');
export const ofType = (messages, type) => messages.filter((message) => message.type === type);

// The blocks of all messages of the model.
export const blocks = (messages) =>
  ofType(messages, 'assistant').flatMap((message) => message.message.content);

// What the tools gave back to the model.
export const toolResults = (messages) =>
  ofType(messages, 'user')
    .flatMap((message) => (Array.isArray(message.message.content) ? message.message.content : []))
    .filter((block) => block.type === 'tool_result');

// The message of the error that the promise fails with.
export async function failure(promise) {
  try {
    await promise;
  } catch (error) {
    return error.message;
  }
  throw new Error('nothing failed');
}
