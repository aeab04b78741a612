// canUseTool: what it is asked, and what each of its answers does.
import assert from 'node:assert/strict';
import test from 'node:test';

import { Conversation, all, newProject, resultOf, toolResults, until } from './host.mjs';

const write = (name, content = '1') => ({ tool: 'Write', input: { file_path: name, content } });
const allow = (updatedInput) => ({ behavior: 'allow', updatedInput });

test('a tool that is allowed runs', async (t) => {
  const project = await newProject(t, { turns: [{ model: [write('a.txt'), { text: 'ok' }] }] });
  const asked = [];
  const messages = await all(project.query('go', {
    canUseTool: async (name, input, options) => {
      asked.push({ name, input, options });
      return allow(input);
    },
  }));
  assert.equal(asked.length, 1);
  assert.equal(asked[0].name, 'Write');
  assert.equal(asked[0].input.content, '1');
  assert.equal(asked[0].options.toolUseID, toolResults(messages)[0].tool_use_id);
  assert.ok(asked[0].options.signal instanceof AbortSignal);
  assert.equal(project.read('a.txt'), '1');
});

test('a tool that is denied does not run, and the model hears why', async (t) => {
  const project = await newProject(t, { turns: [{ model: [write('a.txt'), { text: 'ok' }] }] });
  const messages = await all(project.query('go', {
    canUseTool: async () => ({ behavior: 'deny', message: 'not today' }),
  }));
  assert.equal(project.read('a.txt'), null);
  assert.equal(toolResults(messages)[0].is_error, true);
  assert.equal(toolResults(messages)[0].content, 'not today');
  assert.equal(resultOf(messages).permission_denials[0].tool_name, 'Write');
  assert.equal(resultOf(messages).subtype, 'success');
});

test('a denial may end the turn', async (t) => {
  const project = await newProject(t, { turns: [{ model: [write('a.txt'), { text: 'ok' }] }] });
  const conversation = new Conversation();
  const query = project.query(conversation, {
    canUseTool: async () => ({ behavior: 'deny', message: 'stop', interrupt: true }),
  });
  conversation.say('go');
  const result = resultOf(await until(query, 'result'));
  assert.equal(result.subtype, 'error_during_execution');
  assert.equal(result.terminal_reason, 'aborted_tools');
  query.close();
});

test('an allowed tool runs with the input that the callback gives', async (t) => {
  const project = await newProject(t, { turns: [{ model: [write('a.txt'), { text: 'ok' }] }] });
  await all(project.query('go', {
    canUseTool: async (name, input) => allow({ ...input, content: 'changed' }),
  }));
  assert.equal(project.read('a.txt'), 'changed');
});

test('a rule given back is not asked for again', async (t) => {
  const touch = { tool: 'Bash', input: { command: 'touch made' } };
  const project = await newProject(t, { turns: [{ model: [touch, touch, { text: 'ok' }] }] });
  let asked = 0;
  const messages = await all(project.query('go', {
    canUseTool: async (name, input) => {
      asked += 1;
      return {
        ...allow(input),
        updatedPermissions: [{ type: 'addRules', behavior: 'allow', destination: 'session',
          rules: [{ toolName: 'Bash', ruleContent: 'touch *' }] }],
      };
    },
  }));
  assert.equal(asked, 1);
  assert.equal(toolResults(messages).length, 2);
});

test('the suggestions given back mean always allow', async (t) => {
  const project = await newProject(t, {
    turns: [{ model: [write('a.txt'), write('b.txt'), { text: 'ok' }] }],
  });
  const asked = [];
  await all(project.query('go', {
    canUseTool: async (name, input, { suggestions }) => {
      asked.push(suggestions);
      return { ...allow(input), updatedPermissions: suggestions };
    },
  }));
  assert.equal(asked.length, 1);
  assert.ok(asked[0].length > 0);
  assert.equal(project.read('b.txt'), '1');
});

test('a callback that throws denies', async (t) => {
  const project = await newProject(t, { turns: [{ model: [write('a.txt'), { text: 'ok' }] }] });
  const messages = await all(project.query('go', {
    canUseTool: async () => { throw new Error('broken'); },
  }));
  assert.equal(project.read('a.txt'), null);
  assert.match(toolResults(messages)[0].content, /broken/);
});

test('nobody is asked for a tool that a rule allows', async (t) => {
  const project = await newProject(t, { turns: [{ model: [write('a.txt'), { text: 'ok' }] }] });
  await all(project.query('go', {
    allowedTools: ['Write'],
    canUseTool: async (name) => assert.fail(`asked for ${name}`),
  }));
  assert.equal(project.read('a.txt'), '1');
});

test('without a callback a tool that has to ask is denied', async (t) => {
  const project = await newProject(t, { turns: [{ model: [write('a.txt'), { text: 'ok' }] }] });
  const messages = await all(project.query('go'));
  assert.equal(project.read('a.txt'), null);
  assert.equal(toolResults(messages)[0].is_error, true);
});

for (const [mode, content] of [['acceptEdits', '1'], ['bypassPermissions', '1'], ['dontAsk', null]])
  test(`${mode} decides without asking`, async (t) => {
    const project = await newProject(t, { turns: [{ model: [write('a.txt'), { text: 'ok' }] }] });
    await all(project.query('go', {
      permissionMode: mode,
      allowDangerouslySkipPermissions: mode === 'bypassPermissions',
      canUseTool: async (name) => assert.fail(`asked for ${name}`),
    }));
    assert.equal(project.read('a.txt'), content);
  });

test('a question of the model is answered through the callback', async (t) => {
  const questions = [{ question: 'Which color?', header: 'Color', multiSelect: false,
    options: [{ label: 'Red', description: 'warm' }, { label: 'Blue', description: 'cold' }] }];
  const project = await newProject(t, { turns: [{ model: [{ ask: questions }, { text: 'ok' }] }] });
  const messages = await all(project.query('go', {
    canUseTool: async (name, input) => {
      assert.equal(name, 'AskUserQuestion');
      return allow({ questions: input.questions, answers: { 'Which color?': 'Blue' } });
    },
  }));
  assert.match(toolResults(messages)[0].content, /"Which color\?"="Blue"/);
});
