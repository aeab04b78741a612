// Streaming input: several prompts in one session, and what can be changed while it runs.
import assert from 'node:assert/strict';
import test from 'node:test';

import { Conversation, all, failure, initOf, newProject, ofType, resultOf, until }
  from './host.mjs';

const talk = (project, options = {}) => {
  const conversation = new Conversation();
  return { conversation, query: project.query(conversation, options) };
};

test('each prompt of a conversation gets its own result', async (t) => {
  const project = await newProject(t, {
    turns: [{ model: [{ text: 'one' }] }, { model: [{ text: 'two' }] }],
  });
  const { conversation, query } = talk(project);
  conversation.say('first');
  const first = await until(query, 'result');
  conversation.say('second');
  const second = await until(query, 'result');
  conversation.end();
  assert.deepEqual(await all(query).then((rest) => ofType(rest, 'result')), []);
  assert.deepEqual([resultOf(first).result, resultOf(second).result], ['one', 'two']);
  assert.equal(resultOf(first).session_id, resultOf(second).session_id);
});

test('streamInput adds prompts to a conversation that runs', async (t) => {
  const project = await newProject(t);
  const { conversation, query } = talk(project);
  conversation.say('first');
  await until(query, 'result');
  const more = new Conversation();
  more.say('second');
  more.end();
  await query.streamInput(more);
  assert.equal(resultOf(await until(query, 'result')).result, 'You said: second');
  query.close();
});

test('a prompt with images and text blocks is taken', async (t) => {
  const project = await newProject(t, { turns: [{ model: [{ text: 'A dot.' }] }] });
  const { conversation, query } = talk(project);
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9' +
    'awAAAABJRU5ErkJggg==';
  conversation.say([
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
    { type: 'text', text: 'What is this?' }]);
  conversation.end();
  assert.equal(resultOf(await all(query)).result, 'A dot.');
});

test('an interrupt ends the turn and the next prompt works', async (t) => {
  const project = await newProject(t, {
    turns: [{ model: [{ text: 'a long story', chunks: 3, delay_ms: 60000 }] },
      { model: [{ text: 'short' }] }],
  });
  const { conversation, query } = talk(project, { includePartialMessages: true });
  conversation.say('tell');
  await until(query, 'stream_event');
  const receipt = await query.interrupt();
  assert.deepEqual(receipt.still_queued, []);
  const cut = resultOf(await until(query, 'result'));
  assert.equal(cut.subtype, 'error_during_execution');
  assert.equal(cut.terminal_reason, 'aborted_streaming');
  conversation.say('and now?');
  assert.equal(resultOf(await until(query, 'result')).result, 'short');
  query.close();
});

test('an interrupt when nothing runs changes nothing', async (t) => {
  const project = await newProject(t);
  const { conversation, query } = talk(project);
  await query.interrupt();
  conversation.say('hi');
  assert.equal(resultOf(await until(query, 'result')).is_error, false);
  query.close();
});

test('setModel shows in the next turn', async (t) => {
  const project = await newProject(t);
  const { conversation, query } = talk(project);
  conversation.say('one');
  assert.equal(initOf(await until(query, 'result')).model, 'claude-opus-5-5');
  await query.setModel('haiku');
  conversation.say('two');
  const turn = await until(query, 'result');
  assert.equal(initOf(turn).model, 'claude-haiku-5-5');
  assert.equal(ofType(turn, 'assistant')[0].message.model, 'claude-haiku-5-5');
  await query.setModel();
  conversation.say('three');
  assert.equal(initOf(await until(query, 'result')).model, 'claude-opus-5-5');
  query.close();
});

test('setPermissionMode holds from the next tool on', async (t) => {
  const write = { tool: 'Write', input: { file_path: 'a.txt', content: '1' } };
  const project = await newProject(t, { turns: [{ model: [write, { text: 'ok' }] }] });
  const asked = [];
  const { conversation, query } = talk(project, {
    canUseTool: async (name, input) => {
      asked.push(name);
      return { behavior: 'allow', updatedInput: input };
    },
  });
  await query.setPermissionMode('acceptEdits');
  conversation.say('write');
  const turn = await until(query, 'result');
  assert.equal(initOf(turn).permissionMode, 'acceptEdits');
  assert.deepEqual(asked, []);
  assert.equal(project.read('a.txt'), '1');
  query.close();
});

test('bypassPermissions has to be allowed at the start', async (t) => {
  const project = await newProject(t);
  const { query } = talk(project);
  assert.match(await failure(query.setPermissionMode('bypassPermissions')), /not launched with/);
  query.close();
  const { query: open } = talk(project, { allowDangerouslySkipPermissions: true });
  await open.setPermissionMode('bypassPermissions');
  open.close();
});

test('close ends the conversation', async (t) => {
  const project = await newProject(t);
  const { conversation, query } = talk(project);
  conversation.say('hi');
  await until(query, 'result');
  query.close();
  assert.deepEqual(ofType(await all(query), 'result'), []);
});

test('a local command answers without the model', async (t) => {
  const project = await newProject(t);
  const { conversation, query } = talk(project);
  conversation.say('hello');
  await until(query, 'result');
  conversation.say('/clear');
  const cleared = resultOf(await until(query, 'result'));
  assert.equal(cleared.num_turns, 0);
  query.close();
});
