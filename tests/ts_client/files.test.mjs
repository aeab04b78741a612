// File checkpoints: what rewindFiles takes back, in the same session and in a resumed one.
import assert from 'node:assert/strict';
import test from 'node:test';

import { Conversation, all, failure, newProject, ofType, resultOf, until } from './host.mjs';

const options = {
  permissionMode: 'acceptEdits',
  enableFileCheckpointing: true,
  extraArgs: { 'replay-user-messages': null },
};
const promptId = (messages) => ofType(messages, 'user').find(({ isReplay }) => isReplay).uuid;

// Edits old.txt and makes a new file.
const change = (folder, from, to) => ({ model: [
  { tool: 'Read', input: { file_path: `${folder}/old.txt` } },
  { tool: 'Edit', input: { file_path: `${folder}/old.txt`, old_string: from, new_string: to } },
  { tool: 'Write', input: { file_path: `${folder}/${to}.txt`, content: 'new\n' } },
  { text: 'ok' }] });

// The scenario names files of the folder, so the prompt carries it.
const asPrompt = (turn) => `go @@${JSON.stringify(turn.model)}@@`;

async function changedProject(t) {
  const project = await newProject(t);
  project.write('old.txt', 'one\n');
  const prompt = asPrompt(change(project.folder, 'one', 'two'));
  const messages = await all(project.query(prompt, options));
  return { project, id: promptId(messages), session: resultOf(messages).session_id };
}

test('rewindFiles takes back what was done since a prompt', async (t) => {
  const project = await newProject(t);
  project.write('old.txt', 'one\n');
  const conversation = new Conversation();
  const query = project.query(conversation, options);
  conversation.say(asPrompt(change(project.folder, 'one', 'two')));
  const first = promptId(await until(query, 'result'));
  conversation.say(asPrompt(change(project.folder, 'two', 'three')));
  const second = promptId(await until(query, 'result'));

  await query.rewindFiles(second);
  assert.equal(project.read('old.txt'), 'two\n');
  assert.equal(project.read('three.txt'), null);
  assert.equal(project.read('two.txt'), 'new\n');
  await query.rewindFiles(first);
  assert.equal(project.read('old.txt'), 'one\n');
  assert.equal(project.read('two.txt'), null);
  query.close();
});

test('a dry run tells what would change and changes nothing', async (t) => {
  const { project, id, session } = await changedProject(t);
  const query = project.query(new Conversation(), { ...options, resume: session });
  const preview = await query.rewindFiles(id, { dryRun: true });
  assert.equal(preview.canRewind, true);
  assert.deepEqual(preview.filesChanged.toSorted(),
    [`${project.folder}/old.txt`, `${project.folder}/two.txt`]);
  assert.deepEqual([preview.insertions, preview.deletions], [1, 2]);
  assert.equal(project.read('old.txt'), 'two\n');
  query.close();
});

test('a resumed session can rewind what an earlier process did', async (t) => {
  const { project, id, session } = await changedProject(t);
  const query = project.query(new Conversation(), { ...options, resume: session });
  await query.rewindFiles(id);
  assert.equal(project.read('old.txt'), 'one\n');
  assert.equal(project.read('two.txt'), null);
  query.close();
});

test('without the option there is nothing to rewind', async (t) => {
  const project = await newProject(t);
  const query = project.query(new Conversation());
  const nobody = '11111111-1111-4111-8111-111111111111';
  assert.match(await failure(query.rewindFiles(nobody)), /File rewinding is not enabled/);
  assert.equal((await query.rewindFiles(nobody, { dryRun: true })).canRewind, false);
  query.close();
});

test('a prompt that never was cannot be rewound', async (t) => {
  const project = await newProject(t);
  const query = project.query(new Conversation(), options);
  assert.match(await failure(query.rewindFiles('11111111-1111-4111-8111-111111111111')),
    /No file checkpoint found/);
  query.close();
});
