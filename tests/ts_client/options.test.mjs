// Options and functions of the SDK that change what the CLI has: files, agents, plugins, prompts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import {
  all, Conversation, failure, initOf, newProject, ofType, resultOf, sdk, toolResults, until,
} from './host.mjs';

// Writes files of the project, with their folders.
function writeAll(project, files) {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(project.folder, name)), { recursive: true });
    project.write(name, text);
  }
}

const skill = '---\nname: greet\ndescription: Greets\n---\nGreet $ARGUMENTS.\n';

test('skills, commands, agents and styles of the project are there when its files are a source',
  async (t) => {
    const project = await newProject(t, { turns: [{ repeat: true, model: [{ text: 'ok' }] }] });
    writeAll(project, {
      '.claude/skills/greet/SKILL.md': skill,
      '.claude/commands/deep/inner.md': 'Do $ARGUMENTS.\n',
      '.claude/agents/critic.md': '---\nname: critic\ndescription: Criticizes\n---\nCriticize.\n',
      '.claude/output-styles/pirate.md': '---\nname: pirate\ndescription: Arr\n---\nArr.\n',
    });
    const query = project.query('hi', { settingSources: ['project'] });
    const { available_output_styles: styles } = await query.initializationResult();
    assert.equal(styles.at(-1), 'pirate');
    const init = initOf(await all(query));
    assert.deepEqual(init.slash_commands.slice(0, 2), ['greet', 'deep:inner']);
    assert.equal(init.skills[0], 'greet');
    assert.ok(init.agents.includes('critic'));
    const without = initOf(await all(project.query('hi', { settingSources: [] })));
    assert.ok(!without.slash_commands.includes('greet') && !without.agents.includes('critic'));
  });

test('what a plugin brings bears its name', async (t) => {
  const project = await newProject(t, { turns: [{ model: [{ text: 'ok' }] }] });
  writeAll(project, {
    'plug/.claude-plugin/plugin.json': '{"name": "demo", "version": "1.0.0"}',
    'plug/commands/greet.md': 'Greet.\n',
    'plug/skills/sing/SKILL.md': '---\nname: sing\ndescription: Sings\n---\nSing.\n',
    'plug/agents/helper.md': '---\nname: helper\ndescription: Helps\n---\nHelp.\n',
  });
  const folder = path.join(project.folder, 'plug');
  const plugins = [{ type: 'local', path: folder }];
  const init = initOf(await all(project.query('hi', { plugins })));
  assert.deepEqual(init.plugins[0],
    { name: 'demo', path: folder, source: 'demo@inline', version: '1.0.0' });
  assert.ok(init.slash_commands.includes('demo:greet') && init.skills.includes('demo:sing'));
  assert.ok(init.agents.includes('demo:helper'));
});

test('an agent may lead the conversation, with its model and its tools', async (t) => {
  const project = await newProject(t, { turns: [{ model: [{ text: 'ok' }] }] });
  const boss = { description: 'Boss', prompt: 'Lead.', tools: ['Read', 'Bash'], model: 'haiku' };
  const init = initOf(await all(project.query('hi', { agent: 'boss', agents: { boss } })));
  assert.deepEqual(init.tools, ['Read', 'Bash']);
  assert.equal(init.model, 'claude-haiku-5-5');
});

test('a subagent has the tools of its list only', async (t) => {
  const input = { description: 'look', prompt: 'Look.', subagent_type: 'reader',
    run_in_background: false };
  const project = await newProject(t, { turns: [{ model: [
    { tool: 'Agent', input, agent: [
      { tool: 'Bash', input: { command: 'echo hi' } }, { text: 'No.' }] },
    { text: 'Done.' }] }] });
  const reader = { description: 'Reads', prompt: 'Read.', tools: ['Read'] };
  const messages = await all(project.query('go', { agents: { reader } }));
  assert.match(toolResults(messages)[0].content, /Bash is not among the tools available here/);
  assert.equal(resultOf(messages).result, 'Done.');
});

test('without permission prompts, what would ask is denied', async (t) => {
  const project = await newProject(t, { turns: [{ model: [
    { tool: 'Write', input: { file_path: 'a.txt', content: '1' } }, { text: 'No.' }] }] });
  const asked = [];
  const canUseTool = async (tool, input) => {
    asked.push(tool);
    return { behavior: 'allow', updatedInput: input };
  };
  const messages = await all(project.query('go', { canUseTool, permissionPrompts: 'none' }));
  assert.deepEqual(asked, []);
  assert.equal(project.read('a.txt'), null);
  assert.equal(resultOf(messages).permission_denials.length, 1);
});

test('settings of a sandbox are among the settings of the flag', async (t) => {
  const project = await newProject(t, { turns: [{ model: [{ text: 'ok' }] }] });
  const settings = { outputStyle: 'Explanatory' };
  const messages = await all(project.query('hi', { settings, sandbox: { enabled: false } }));
  assert.equal(initOf(messages).output_style, 'Explanatory');
});

test('a host may start the process itself', async (t) => {
  const project = await newProject(t, { turns: [{ model: [{ text: 'Hello.' }] }] });
  const started = [];
  const spawnClaudeCodeProcess = ({ command, args, cwd, env, signal }) => {
    started.push(command);
    return spawn(command, args, { cwd, env, signal, stdio: ['pipe', 'pipe', 'ignore'] });
  };
  const messages = await all(project.query('hi', { spawnClaudeCodeProcess }));
  assert.equal(resultOf(messages).result, 'Hello.');
  assert.equal(started.length, 1);
});

test('prompts that wait together for the end of a turn are one', async (t) => {
  const project = await newProject(t, { turns: [
    { model: [{ text: 'one two three', chunks: 3, delay_ms: 100 }] },
    { when: { prompt_equals: 'b\nc' }, model: [{ text: 'Both.' }] }] });
  const conversation = new Conversation();
  const query = project.query(conversation, { includePartialMessages: true });
  conversation.say('a');
  await until(query, 'stream_event');
  conversation.say('b');
  conversation.say('c');
  await until(query, 'result');
  assert.equal(resultOf(await until(query, 'result')).result, 'Both.');
  conversation.end();
});

test('a session can be put away, taken back and deleted', async (t) => {
  const project = await newProject(t, { turns: [{ model: [{ text: 'ok' }] }] });
  const { session_id: id } = resultOf(await all(project.query('hi')));
  const dir = { dir: project.folder };
  await sdk.archiveSession(id, dir);
  await sdk.unarchiveSession(id, dir);
  assert.equal((await sdk.getSessionInfo(id, dir)).sessionId, id);
  await sdk.deleteSession(id, dir);
  assert.equal(await sdk.getSessionInfo(id, dir), undefined);
  assert.match(await failure(sdk.deleteSession(id, dir)), /not found/i);
});

test('a session on disk can be put into a store', async (t) => {
  const project = await newProject(t, { turns: [{ model: [{ text: 'ok' }] }] });
  const { session_id: id } = resultOf(await all(project.query('remember me')));
  const store = new sdk.InMemorySessionStore();
  await sdk.importSessionToStore(id, store, { dir: project.folder });
  const messages = await sdk.getSessionMessages(id, { dir: project.folder, sessionStore: store });
  assert.equal(ofType(messages, 'user')[0].message.content[0].text, 'remember me');
});

test('settings can be resolved without a session', async (t) => {
  const project = await newProject(t);
  writeAll(project, { '.claude/settings.json': '{"outputStyle": "Concise"}' });
  const resolved = await sdk.resolveSettings({ cwd: project.folder, settingSources: ['project'] });
  assert.equal(resolved.effective.outputStyle, 'Concise');
});
