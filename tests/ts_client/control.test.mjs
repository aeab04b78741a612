// The other methods of a Query: questions about the session, settings, tasks.
import assert from 'node:assert/strict';
import test from 'node:test';

import { Conversation, failure, initOf, newProject, ofType, resultOf, until } from './host.mjs';

// A session that waits, and ends with the test.
async function idle(t, scenario, options) {
  const project = await newProject(t, scenario);
  const conversation = new Conversation();
  const query = project.query(conversation, options);
  t.after(() => query.close());
  return { project, conversation, query };
}

test('the start tells commands, agents, models and account', async (t) => {
  const agents = { reviewer: { description: 'reviews', prompt: 'Review.' } };
  const { query } = await idle(t, {}, { agents });
  const start = await query.initializationResult();
  assert.ok(start.commands.some(({ name }) => name === 'compact'));
  assert.ok(start.models.length > 0);
  assert.equal(start.output_style, 'default');
  assert.deepEqual(await query.supportedCommands(), start.commands);
  assert.deepEqual(await query.supportedModels(), start.models);
  assert.ok((await query.supportedAgents()).some(({ name }) => name === 'reviewer'));
  assert.deepEqual(await query.accountInfo(), start.account);
});

test('a session may be initialized anew', async (t) => {
  const { query } = await idle(t);
  assert.ok((await query.reinitialize()).models.length > 0);
});

test('context and usage can be asked for', async (t) => {
  const { conversation, query } = await idle(t);
  conversation.say('hi');
  const cost = resultOf(await until(query, 'result')).total_cost_usd;
  const context = await query.getContextUsage();
  assert.ok(context.totalTokens > 0 && context.maxTokens >= context.totalTokens);
  const usage = await query.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET();
  assert.equal(usage.session.total_cost_usd, cost);
});

test('a file of the project can be read, another cannot', async (t) => {
  const { project, query } = await idle(t);
  project.write('a.txt', 'text\n');
  assert.equal((await query.readFile('a.txt')).contents, 'text\n');
  assert.equal(await query.readFile('missing.txt'), null);
});

test('plugins, skills and styles can be read again', async (t) => {
  const { query } = await idle(t);
  assert.ok(Array.isArray((await query.reloadPlugins()).commands));
  assert.ok(Array.isArray((await query.reloadSkills()).skills));
  assert.ok(Array.isArray((await query.reloadOutputStyles()).available_output_styles));
});

test('settings and thinking can be changed', async (t) => {
  const { conversation, query } = await idle(t);
  await query.setMaxThinkingTokens(1000);
  await query.setMaxThinkingTokens(null);
  await query.updateSettings('userSettings', { effortLevel: 'low' });
  assert.match(await failure(query.updateSettings('userSettings', { verbose: true })),
    /keys not allowed: verbose/);
  await query.applyFlagSettings({ model: 'haiku' });
  conversation.say('hi');
  assert.equal(initOf(await until(query, 'result')).model, 'claude-haiku-5-5');
});

test('what was read can be seeded', async (t) => {
  const { project, query } = await idle(t);
  project.write('a.txt', 'text\n');
  await query.seedReadState('a.txt', 1);
});

test('a background task is told of, and can be stopped', async (t) => {
  const input = { command: 'sleep 60', run_in_background: true };
  const { conversation, query } = await idle(t, {
    turns: [{ model: [{ tool: 'Bash', input, finishes_ms: 60000 }, { text: 'Started.' }] }],
  }, { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true });
  conversation.say('go');
  const turn = await until(query, 'result');
  const started = ofType(turn, 'system').find(({ subtype }) => subtype === 'task_started');
  await query.stopTask(started.task_id);
  const after = await until(query, 'system', 'task_notification');
  assert.equal(after.at(-1).status, 'stopped');
});

test('what runs can be put into the background', async (t) => {
  const { query } = await idle(t);
  assert.equal(await query.backgroundTasks(), true);
});

test('a mode for an MCP server that is not there is kept with a warning', async (t) => {
  const { query } = await idle(t);
  const { warning } = await query.setMcpPermissionModeOverride('nobody', 'auto');
  assert.match(warning, /'nobody' is not yet known/);
});

test('a wrong permission mode is refused with the list of right ones', async (t) => {
  const { query } = await idle(t);
  assert.match(await failure(query.setPermissionMode('bogus')), /must be one of acceptEdits/);
});
