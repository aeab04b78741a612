// One prompt, one answer: what comes back from query(), and how it ends.
import assert from 'node:assert/strict';
import test from 'node:test';

import { all, blocks, failure, initOf, newProject, ofType, onRealCli, resultOf, toolResults }
  from './host.mjs';

test('the CLI behind the SDK is claude-sim', { skip: onRealCli }, async (t) => {
  const project = await newProject(t, { version: '2.1.999' });
  const messages = await all(project.query('hi'));
  assert.equal(initOf(messages).claude_code_version, '2.1.999');
});

test('a prompt is answered and the result repeats the answer', async (t) => {
  const project = await newProject(t, { turns: [{ model: [{ text: 'Four.' }] }] });
  const messages = await all(project.query('What is 2 + 2?'));
  assert.deepEqual(messages.map(({ type }) => type), ['system', 'assistant', 'result']);
  assert.deepEqual(blocks(messages), [{ type: 'text', text: 'Four.' }]);
  assert.equal(resultOf(messages).subtype, 'success');
  assert.equal(resultOf(messages).result, 'Four.');
});

test('the first message tells session, folder, model, tools and mode', async (t) => {
  const project = await newProject(t);
  const messages = await all(project.query('hi', { model: 'sonnet', permissionMode: 'plan' }));
  const init = initOf(messages);
  assert.equal(init.cwd, project.folder);
  assert.equal(init.model, 'claude-sonnet-5-5');
  assert.equal(init.permissionMode, 'plan');
  assert.ok(init.tools.includes('Bash'));
  assert.equal(init.session_id, resultOf(messages).session_id);
});

test('thinking, words and a tool call come as blocks of one message', async (t) => {
  const project = await newProject(t, {
    turns: [{ model: [
      { thinking: 'Look.', text: 'I look.', tool: 'Bash', input: { command: 'echo hi' } },
      { text: 'Done.' }] }],
  });
  const messages = await all(project.query('go'));
  assert.deepEqual(blocks(messages).map((block) => block.type),
    ['thinking', 'text', 'tool_use', 'text']);
  assert.equal(toolResults(messages)[0].content, 'hi');
  assert.equal(resultOf(messages).num_turns, 2);
});

test('the result counts usage and cost of all calls', async (t) => {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const project = await newProject(t, {
    turns: [{ model: [
      { tool: 'Bash', input: { command: 'echo 1' }, usage }, { text: 'Done.', usage }] }],
  });
  const result = resultOf(await all(project.query('go')));
  assert.equal(result.usage.input_tokens, 20);
  assert.equal(result.usage.output_tokens, 10);
  assert.ok(result.total_cost_usd > 0);
  assert.equal(result.modelUsage[Object.keys(result.modelUsage)[0]].outputTokens, 10);
});

test('partial messages add up to the words of the answer', async (t) => {
  const project = await newProject(t, {
    turns: [{ model: [{ text: 'one two three', chunks: 3 }] }],
  });
  const messages = await all(project.query('go', { includePartialMessages: true }));
  const events = ofType(messages, 'stream_event').map((message) => message.event);
  const words = events.filter((event) => event.delta?.type === 'text_delta');
  assert.ok(words.length > 1);
  assert.equal(words.map((event) => event.delta.text).join(''), 'one two three');
  assert.equal(events[0].type, 'message_start');
  assert.equal(events.at(-1).type, 'message_stop');
});

test('without the option there are no partial messages', async (t) => {
  const project = await newProject(t);
  assert.deepEqual(ofType(await all(project.query('go')), 'stream_event'), []);
});

test('too many turns end with an error of their own', async (t) => {
  const look = { tool: 'Bash', input: { command: 'echo 1' } };
  const project = await newProject(t, { turns: [{ model: [look, look, look, { text: 'end' }] }] });
  const query = project.query('go', { maxTurns: 2 });
  const messages = [];
  const error = await failure((async () => {
    for await (const message of query) messages.push(message);
  })());
  assert.equal(resultOf(messages).subtype, 'error_max_turns');
  assert.match(error, /Reached maximum number of turns \(2\)/);
});

test('a budget that is spent ends this turn and the next', async (t) => {
  const look = { tool: 'Bash', input: { command: 'echo 1' } };
  const usage = { input_tokens: 100000, output_tokens: 20 };
  const project = await newProject(t, {
    turns: [{ model: [{ ...look, usage }, { ...look, usage }, { text: 'end' }] }],
  });
  const messages = [];
  const error = await failure((async () => {
    for await (const message of project.query('go', { maxBudgetUsd: 0.6 })) messages.push(message);
  })());
  assert.equal(resultOf(messages).subtype, 'error_max_budget_usd');
  assert.equal(toolResults(messages).length, 1);
  assert.match(error, /Reached maximum budget \(\$0.6\)/);
});

test('an API error ends the turn and is told in the result', async (t) => {
  const project = await newProject(t, {
    turns: [{ model: [{ error: { status: 403, type: 'permission_error', message: 'no' } }] }],
  });
  const messages = [];
  await failure((async () => {
    for await (const message of project.query('go')) messages.push(message);
  })());
  assert.equal(resultOf(messages).is_error, true);
  assert.equal(resultOf(messages).api_error_status, 403);
});

test('the end of the process is an error with its exit code', { skip: onRealCli }, async (t) => {
  const project = await newProject(t, { startup: [{ exit: 3 }] });
  assert.match(await failure(all(project.query('go'))), /exited with code 3/);
});

test('what the CLI writes to stderr reaches the callback', { skip: onRealCli }, async (t) => {
  const project = await newProject(t, { startup: [{ stderr: 'a warning\n' }] });
  let text = '';
  await all(project.query('go', { stderr: (data) => (text += data) }));
  assert.match(text, /a warning/);
});

test('an unknown flag ends the start, and stderr names it', async (t) => {
  const project = await newProject(t);
  let text = '';
  const query = project.query('go', {
    extraArgs: { 'no-such-flag': null },
    stderr: (data) => (text += data),
  });
  assert.match(await failure(all(query)), /exited with code 1/);
  assert.match(text, /unknown option '--no-such-flag'/);
});

test('the abort controller ends a running query', async (t) => {
  const project = await newProject(t, {
    turns: [{ model: [{ text: 'a long story', chunks: 3, delay_ms: 60000 }] }],
  });
  const abortController = new AbortController();
  const query = project.query('go', { abortController, includePartialMessages: true });
  const error = await failure((async () => {
    for await (const message of query)
      if (message.type === 'stream_event') abortController.abort();
  })());
  assert.match(error, /abort/i);
});

test('every option that becomes a flag or a field is taken', async (t) => {
  const project = await newProject(t);
  const messages = await all(project.query('hi', {
    additionalDirectories: ['/usr'],
    agent: 'reviewer',
    agentProgressSummaries: true,
    agents: { reviewer: { description: 'reviews', prompt: 'Review.', tools: ['Read'] } },
    allowDangerouslySkipPermissions: true,
    allowedTools: ['Read', 'Bash(ls *)'],
    betas: ['context-1m-2025-08-07'],
    debug: false,
    disallowedTools: ['WebFetch'],
    effort: 'low',
    enableFileCheckpointing: true,
    extraArgs: { 'replay-user-messages': null },
    fallbackModel: 'haiku',
    forwardSubagentText: true,
    includeHookEvents: true,
    includePartialMessages: true,
    maxBudgetUsd: 5,
    maxThinkingTokens: 2000,
    maxTurns: 5,
    model: 'opus',
    perTaskStopAffordance: true,
    permissionMode: 'acceptEdits',
    planModeInstructions: 'Plan well.',
    promptSuggestions: false,
    settingSources: ['project'],
    settings: { model: 'opus' },
    skills: 'all',
    strictMcpConfig: true,
    systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Be brief.' },
    taskBudget: { total: 100000 },
    thinking: { type: 'adaptive' },
    title: 'All at once',
    toolAliases: { Bash: 'Shell' },
    tools: { type: 'preset', preset: 'claude_code' },
  }));
  assert.equal(resultOf(messages).subtype, 'success');
  assert.ok(!initOf(messages).tools.includes('WebFetch'));
});
