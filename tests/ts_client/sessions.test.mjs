// Sessions on disk: going on with one, and what the SDK itself finds in its file.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';

import { Conversation, all, blocks, failure, initOf, newProject, ofType, resultOf, sdk, until }
  from './host.mjs';

const nobody = '11111111-1111-4111-8111-111111111111';
const echo = { tool: 'Bash', input: { command: 'echo hi' } };

// One session with one turn, and its messages.
async function talked(t) {
  const project = await newProject(t);
  const steps = JSON.stringify([echo, { text: 'One.' }]);
  const messages = await all(project.query(`first @@${steps}@@`));
  return { project, messages, id: resultOf(messages).session_id };
}

const said = async (id) => (await sdk.getSessionMessages(id)).map(({ type, message }) => {
  const [block] = Array.isArray(message.content) ? message.content : [{ text: message.content }];
  return `${type}: ${block.text?.split(' @@')[0] ?? block.type}`;
});

test('a resumed session keeps its id and shows no old messages', async (t) => {
  const { project, id } = await talked(t);
  const messages = await all(project.query('second', { resume: id }));
  assert.equal(initOf(messages).session_id, id);
  assert.equal(blocks(messages).length, 1);
  assert.deepEqual(await said(id), ['user: first', 'assistant: tool_use', 'user: tool_result',
    'assistant: One.', 'user: second', 'assistant: You said: second']);
});

test('continue goes on with the newest session of the folder', async (t) => {
  const { project, id } = await talked(t);
  const messages = await all(project.query('second', { continue: true }));
  assert.equal(resultOf(messages).session_id, id);
});

test('with nothing to continue a new session begins', async (t) => {
  const project = await newProject(t);
  assert.equal(resultOf(await all(project.query('hi', { continue: true }))).subtype, 'success');
});

test('costs go on where the session was left', async (t) => {
  const { project, messages, id } = await talked(t);
  const again = resultOf(await all(project.query('second', { resume: id })));
  assert.ok(again.total_cost_usd > resultOf(messages).total_cost_usd);
});

test('a fork has the past and an id of its own', async (t) => {
  const { project, id } = await talked(t);
  const fork = resultOf(await all(project.query('aside', { resume: id, forkSession: true })));
  assert.notEqual(fork.session_id, id);
  assert.equal((await said(fork.session_id)).length, 6);
  assert.equal((await said(id)).length, 4);
});

test('a fork may be given its id', async (t) => {
  const { project, id } = await talked(t);
  const sessionId = crypto.randomUUID();
  const fork = await all(project.query('aside', { resume: id, forkSession: true, sessionId }));
  assert.equal(resultOf(fork).session_id, sessionId);
});

test('resumeSessionAt forgets what came after that message', async (t) => {
  const { project, messages, id } = await talked(t);
  const last = ofType(messages, 'assistant').at(-1).uuid;
  await all(project.query('second', { resume: id }));
  const fork = await all(project.query('other', {
    resume: id, forkSession: true, resumeSessionAt: last,
  }));
  assert.deepEqual((await said(resultOf(fork).session_id)).slice(3),
    ['assistant: One.', 'user: other', 'assistant: You said: other']);
});

test('a session that is not there cannot be resumed', async (t) => {
  const project = await newProject(t);
  const start = (options) => all(project.query('hi', { stderr: () => {}, ...options }));
  assert.match(await failure(start({ resume: nobody })),
    /No conversation found with session ID: 11111111/);
  assert.match(await failure(start({ resume: 'no title' })), /does not match any session title/);
});

test('a message that is not there cannot be resumed at', async (t) => {
  const { project, id } = await talked(t);
  const query = project.query('hi', { resume: id, resumeSessionAt: nobody, stderr: () => {} });
  assert.match(await failure(all(query)), /No message found with message.uuid of: 11111111/);
});

test('an id that is in use is refused', async (t) => {
  const { project, id } = await talked(t);
  let text = '';
  await failure(all(project.query('hi', { sessionId: id, stderr: (data) => (text += data) })));
  assert.match(text, /is already in use/);
});

test('a session that is not kept leaves no file', async (t) => {
  const project = await newProject(t);
  const { session_id } = resultOf(await all(project.query('hi', { persistSession: false })));
  assert.equal(await sdk.getSessionInfo(session_id), undefined);
  assert.match(await failure(all(project.query('x', { resume: session_id, stderr: () => {} }))),
    /No conversation found/);
});

test('a session can be resumed from another folder', async (t) => {
  const { project, id } = await talked(t);
  const folder = `${project.folder}/below`;
  fs.mkdirSync(folder);
  const messages = await all(project.query('second', { resume: id, cwd: folder }));
  assert.equal(resultOf(messages).session_id, id);
  assert.equal((await said(id)).length, 6);
});

test('listSessions finds the sessions of a folder, newest first', async (t) => {
  const { project, id } = await talked(t);
  const other = resultOf(await all(project.query('other topic'))).session_id;
  const sessions = await sdk.listSessions({ dir: project.folder });
  assert.deepEqual(sessions.map(({ sessionId }) => sessionId), [other, id]);
  assert.equal(sessions[0].firstPrompt, 'other topic');
  assert.equal(sessions[0].cwd, project.folder);
});

test('messages on disk have the uuids of those that were streamed', async (t) => {
  const { messages, id } = await talked(t);
  const streamed = messages.filter(({ type }) => type === 'assistant' || type === 'user');
  const kept = await sdk.getSessionMessages(id);
  assert.deepEqual(kept.slice(1).map(({ uuid }) => uuid), streamed.map(({ uuid }) => uuid));
});

test('a session that the SDK renamed, tagged or forked can be resumed', async (t) => {
  const { project, id } = await talked(t);
  await sdk.renameSession(id, 'My session');
  await sdk.tagSession(id, 'good');
  const info = await sdk.getSessionInfo(id);
  assert.equal(info.customTitle, 'My session');
  assert.equal(info.tag, 'good');
  const { sessionId } = await sdk.forkSession(id);
  const messages = await all(project.query('on', { resume: sessionId }));
  assert.equal(resultOf(messages).session_id, sessionId);
  assert.equal((await said(sessionId)).length, 6);
});

test('a session can be resumed by its title', async (t) => {
  const { project, id } = await talked(t);
  await sdk.renameSession(id, 'The one');
  assert.equal(resultOf(await all(project.query('on', { resume: 'The one' }))).session_id, id);
});

test('a store of the host gets every row and can bring the session back', async (t) => {
  const project = await newProject(t);
  const sessionStore = new sdk.InMemorySessionStore();
  const { session_id } = resultOf(await all(project.query('stored', { sessionStore })));
  const again = await all(project.query('again', { sessionStore, resume: session_id }));
  assert.equal(resultOf(again).session_id, session_id);
  const kept = await sdk.getSessionMessages(session_id, { sessionStore, dir: project.folder });
  assert.deepEqual(kept.map(({ type }) => type), ['user', 'assistant', 'user', 'assistant']);
});

test('the id may be chosen before the start', async (t) => {
  const project = await newProject(t);
  const sessionId = crypto.randomUUID();
  const conversation = new Conversation();
  const query = project.query(conversation, { sessionId });
  conversation.say('hi');
  assert.equal(initOf(await until(query, 'result')).session_id, sessionId);
  query.close();
});
