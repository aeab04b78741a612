// Settings, commands and agents from files, and which of them are read.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';

import { all, initOf, newProject } from './host.mjs';

async function configured(t) {
  const project = await newProject(t);
  for (const folder of ['.claude/commands/deep', '.claude/agents'])
    fs.mkdirSync(`${project.folder}/${folder}`, { recursive: true });
  project.write('.claude/settings.json', JSON.stringify({ model: 'haiku' }));
  project.write('.claude/settings.local.json', JSON.stringify({ outputStyle: 'my-style' }));
  project.write('.claude/commands/ship.md', '---\ndescription: Ships it\n---\nShip.');
  project.write('.claude/commands/deep/dive.md', 'Dive.');
  project.write('.claude/agents/helper.md',
    '---\nname: helper\ndescription: Helps\nmodel: haiku\n---\nHelp.');
  return project;
}

test('without the option all sources are read', async (t) => {
  const project = await configured(t);
  const init = initOf(await all(project.query('hi')));
  assert.equal(init.model, 'claude-haiku-5-5');
  assert.equal(init.output_style, 'my-style');
  assert.deepEqual(init.slash_commands.slice(0, 2), ['deep:dive', 'ship']);
  assert.ok(init.agents.includes('helper'));
});

test('an empty list reads no files', async (t) => {
  const project = await configured(t);
  const init = initOf(await all(project.query('hi', { settingSources: [] })));
  assert.equal(init.model, 'claude-opus-5-5');
  assert.equal(init.output_style, 'default');
  assert.ok(!init.slash_commands.includes('ship'));
  assert.ok(!init.agents.includes('helper'));
});

test('only the sources that are named are read', async (t) => {
  const project = await configured(t);
  const local = initOf(await all(project.query('hi', { settingSources: ['local'] })));
  assert.equal(local.output_style, 'my-style');
  assert.ok(!local.slash_commands.includes('ship'));
  const own = initOf(await all(project.query('hi', { settingSources: ['project'] })));
  assert.equal(own.output_style, 'default');
  assert.ok(own.slash_commands.includes('ship'));
});

test('the start describes commands and agents of files', async (t) => {
  const project = await configured(t);
  const query = project.query('hi', { agents: { zoe: { description: 'Z', prompt: 'z' } } });
  const { commands, agents } = await query.initializationResult();
  assert.equal(commands.find(({ name }) => name === 'ship').description, 'Ships it (project)');
  assert.equal(agents.find(({ name }) => name === 'helper').model, 'haiku');
  assert.equal(agents.at(-1).name, 'zoe');
  await all(query);
});

test('debugging goes to stderr on request', async (t) => {
  const project = await newProject(t);
  let text = '';
  await all(project.query('hi', {
    extraArgs: { 'debug-to-stderr': null },
    stderr: (data) => (text += data),
  }));
  assert.match(text, /\[DEBUG\]/);
});

test('settings may be given as an object or as a file', async (t) => {
  const project = await newProject(t);
  project.write('extra.json', JSON.stringify({ model: 'haiku' }));
  const settings = { model: 'sonnet', permissions: { deny: ['WebFetch'] } };
  const given = initOf(await all(project.query('hi', { settings })));
  assert.equal(given.model, 'claude-sonnet-5-5');
  assert.ok(!given.tools.includes('WebFetch'));
  const file = initOf(await all(project.query('hi', { settings: `${project.folder}/extra.json` })));
  assert.equal(file.model, 'claude-haiku-5-5');
});
