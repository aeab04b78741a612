// Hooks: when they are called, what they are told, and what their answers do.
import assert from 'node:assert/strict';
import test from 'node:test';

import { all, newProject, ofType, resultOf, toolResults } from './host.mjs';

const echo = { tool: 'Bash', input: { command: 'echo hi' } };
const write = { tool: 'Write', input: { file_path: 'a.txt', content: '1' } };
const specific = (hookEventName, fields) => ({ hookSpecificOutput: { hookEventName, ...fields } });
const turn = (...model) => ({ turns: [{ model: [...model, { text: 'ok' }] }] });
const on = (event, hook, matcher) => ({ [event]: [{ matcher, hooks: [hook] }] });

test('a turn calls the hooks of its events in order', async (t) => {
  const project = await newProject(t, turn(echo));
  const seen = [];
  const events = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolBatch', 'Stop'];
  const hook = async (input) => {
    seen.push(input.hook_event_name);
    return {};
  };
  await all(project.query('go', {
    hooks: Object.fromEntries(events.map((event) => [event, [{ hooks: [hook] }]])),
  }));
  assert.deepEqual(seen, events);
});

test('a hook is told the session, the folder, the tool and its input', async (t) => {
  const project = await newProject(t, turn(echo));
  let heard;
  const messages = await all(project.query('go', {
    hooks: on('PreToolUse', async (input, toolUseID, { signal }) => {
      heard = { input, toolUseID, signal };
      return {};
    }),
  }));
  assert.equal(heard.input.session_id, resultOf(messages).session_id);
  assert.equal(heard.input.cwd, project.folder);
  assert.ok(heard.input.transcript_path.endsWith(`${heard.input.session_id}.jsonl`));
  assert.equal(heard.input.tool_name, 'Bash');
  assert.deepEqual(heard.input.tool_input, { command: 'echo hi' });
  assert.equal(heard.toolUseID, toolResults(messages)[0].tool_use_id);
  assert.ok(heard.signal instanceof AbortSignal);
});

test('only hooks whose matcher fits the tool are called', async (t) => {
  const project = await newProject(t, turn(echo));
  const seen = [];
  const note = (name) => async () => {
    seen.push(name);
    return {};
  };
  await all(project.query('go', {
    hooks: { PreToolUse: [
      { matcher: 'Write|Edit', hooks: [note('files')] },
      { matcher: 'Ba.*', hooks: [note('pattern')] },
      { hooks: [note('any')] }] },
  }));
  assert.deepEqual(seen.sort(), ['any', 'pattern']);
});

test('PreToolUse may deny the tool', async (t) => {
  const project = await newProject(t, turn(write));
  const messages = await all(project.query('go', {
    permissionMode: 'acceptEdits',
    hooks: on('PreToolUse', async () => specific('PreToolUse',
      { permissionDecision: 'deny', permissionDecisionReason: 'no files today' })),
  }));
  assert.equal(project.read('a.txt'), null);
  assert.match(toolResults(messages)[0].content, /no files today/);
});

test('PreToolUse may allow the tool in place of the callback', async (t) => {
  const project = await newProject(t, turn(write));
  await all(project.query('go', {
    canUseTool: async (name) => assert.fail(`asked for ${name}`),
    hooks: on('PreToolUse', async () => specific('PreToolUse', { permissionDecision: 'allow' })),
  }));
  assert.equal(project.read('a.txt'), '1');
});

test('PreToolUse may have the callback asked', async (t) => {
  const project = await newProject(t, turn(echo));
  const asked = [];
  await all(project.query('go', {
    canUseTool: async (name, input, { decisionReason }) => {
      asked.push([name, decisionReason]);
      return { behavior: 'allow', updatedInput: input };
    },
    hooks: on('PreToolUse', async () => specific('PreToolUse',
      { permissionDecision: 'ask', permissionDecisionReason: 'be sure' })),
  }));
  assert.deepEqual(asked, [['Bash', 'be sure']]);
});

test('PreToolUse may change the input', async (t) => {
  const project = await newProject(t, turn(write));
  await all(project.query('go', {
    hooks: on('PreToolUse', async ({ tool_input }) => specific('PreToolUse',
      { permissionDecision: 'allow', updatedInput: { ...tool_input, content: 'changed' } })),
  }));
  assert.equal(project.read('a.txt'), 'changed');
});

test('PostToolUse sees what the tool gave back', async (t) => {
  const project = await newProject(t, turn(echo));
  let response;
  await all(project.query('go', {
    hooks: on('PostToolUse', async ({ tool_response }) => {
      response = tool_response;
      return {};
    }),
  }));
  assert.equal(response.stdout, 'hi');
});

test('a tool that fails calls PostToolUseFailure', async (t) => {
  const read = { tool: 'Read', input: { file_path: 'missing.txt' } };
  const project = await newProject(t, turn(read));
  let error;
  await all(project.query('go', {
    hooks: on('PostToolUseFailure', async (input) => {
      error = input.error;
      return {};
    }),
  }));
  assert.match(error, /does not exist/);
});

test('UserPromptSubmit may block the prompt', async (t) => {
  const project = await newProject(t);
  const messages = await all(project.query('a secret', {
    hooks: on('UserPromptSubmit', async () => ({ decision: 'block', reason: 'no secrets' })),
  }));
  assert.deepEqual(ofType(messages, 'assistant'), []);
  assert.match(resultOf(messages).result, /blocked by hook:\nno secrets/);
});

test('Stop may send the model on', async (t) => {
  const project = await newProject(t, { turns: [{ model: [{ text: 'one' }, { text: 'two' }] }] });
  const active = [];
  const messages = await all(project.query('go', {
    hooks: on('Stop', async ({ stop_hook_active }) => {
      active.push(stop_hook_active);
      return stop_hook_active ? {} : { decision: 'block', reason: 'not done yet' };
    }),
  }));
  assert.deepEqual(active, [false, true]);
  assert.equal(resultOf(messages).result, 'two');
});

test('continue false ends the turn after the tool', async (t) => {
  const project = await newProject(t, turn(echo, echo));
  const messages = await all(project.query('go', {
    hooks: on('PostToolUse', async () => ({ continue: false, stopReason: 'enough' })),
  }));
  assert.equal(toolResults(messages).length, 1);
  assert.equal(resultOf(messages).terminal_reason, 'hook_stopped');
});

test('a hook that throws does not stop the tool', async (t) => {
  const project = await newProject(t, turn(echo));
  const messages = await all(project.query('go', {
    stderr: () => {},
    hooks: on('PreToolUse', async () => { throw new Error('broken'); }),
  }));
  assert.equal(toolResults(messages)[0].content, 'hi');
});

test('a hook that never answers refuses the tool after its timeout', async (t) => {
  const project = await newProject(t, turn(echo));
  const messages = await all(project.query('go', {
    hooks: { PreToolUse: [{ timeout: 0.2, hooks: [() => new Promise(() => {})] }] },
  }));
  assert.match(toolResults(messages)[0].content, /did not respond before its timeout/);
});

test('a system message of a hook is shown', async (t) => {
  const project = await newProject(t, turn(echo));
  const messages = await all(project.query('go', {
    hooks: on('PreToolUse', async () => ({ systemMessage: 'careful' })),
  }));
  const notes = ofType(messages, 'system').filter(({ subtype }) => subtype === 'informational');
  assert.match(notes[0].content, /careful/);
});

test('PermissionRequest may decide before the callback', async (t) => {
  const project = await newProject(t, turn(write));
  await all(project.query('go', {
    canUseTool: () => new Promise(() => {}),
    hooks: on('PermissionRequest', async () => specific('PermissionRequest',
      { decision: { behavior: 'allow' } })),
  }));
  assert.equal(project.read('a.txt'), '1');
});

test('a subagent calls its own hooks', async (t) => {
  const input = { description: 'look', prompt: 'Look.', subagent_type: 'general-purpose',
    run_in_background: false };
  const project = await newProject(t, turn({ tool: 'Agent', input, agent: [{ text: 'Seen.' }] }));
  const seen = [];
  const hook = async ({ hook_event_name, agent_type }) => {
    seen.push([hook_event_name, agent_type]);
    return {};
  };
  await all(project.query('go', {
    hooks: { ...on('SubagentStart', hook), ...on('SubagentStop', hook) },
  }));
  assert.deepEqual(seen,
    [['SubagentStart', 'general-purpose'], ['SubagentStop', 'general-purpose']]);
});
