// Structured output: the model hands in its answer through a tool, checked against a schema.
import assert from 'node:assert/strict';
import test from 'node:test';

import { all, failure, initOf, newProject, ofType, resultOf, toolResults } from './host.mjs';

const outputFormat = {
  type: 'json_schema',
  schema: {
    type: 'object',
    properties: { sum: { type: 'number' }, words: { type: 'array', items: { type: 'string' } } },
    required: ['sum'],
    additionalProperties: false,
  },
};
const handIn = (input) => ({ tool: 'StructuredOutput', input });

test('an answer that fits comes typed, and as text too', async (t) => {
  const project = await newProject(t, { turns: [{ model: [handIn({ sum: 5, words: ['a'] })] }] });
  const messages = await all(project.query('2 + 3?', { outputFormat }));
  const result = resultOf(messages);
  assert.ok(initOf(messages).tools.includes('StructuredOutput'));
  assert.equal(result.subtype, 'success');
  assert.deepEqual(result.structured_output, { sum: 5, words: ['a'] });
  assert.equal(result.result, '{"sum":5,"words":["a"]}');
});

test('an answer that does not fit goes back to the model with the reason', async (t) => {
  const project = await newProject(t, {
    turns: [{ model: [handIn({ sum: 'many', more: 1 }), handIn({}), handIn({ sum: 5 })] }],
  });
  const messages = await all(project.query('2 + 3?', { outputFormat }));
  const [first, second, third] = toolResults(messages);
  assert.equal(first.content, 'Output does not match required schema: root: must NOT have ' +
    "additional properties ('more' is not allowed), /sum: must be number");
  assert.equal(second.content,
    "Output does not match required schema: root: must have required property 'sum'");
  assert.equal(third.content, 'Structured output provided successfully');
  assert.deepEqual(resultOf(messages).structured_output, { sum: 5 });
});

test('after five wrong answers the turn fails', async (t) => {
  const project = await newProject(t, {
    turns: [{ model: Array(8).fill(handIn({ sum: 'many' })) }],
  });
  const messages = [];
  const error = await failure((async () => {
    for await (const message of project.query('2 + 3?', { outputFormat })) messages.push(message);
  })());
  assert.equal(resultOf(messages).subtype, 'error_max_structured_output_retries');
  assert.equal(toolResults(messages).length, 5);
  assert.match(error, /after 5 attempts .* \/sum: must be number/);
});

test('a model that only talks is reminded once', async (t) => {
  const project = await newProject(t, {
    turns: [{ model: [{ text: 'It is five.' }, { text: 'Really.' }, { text: 'Five.' }] }],
  });
  const messages = await all(project.query('2 + 3?', { outputFormat }));
  const reminders = ofType(messages, 'user').filter((message) => message.isSynthetic);
  assert.equal(reminders.length, 1);
  assert.match(reminders[0].message.content[0].text, /You MUST call the StructuredOutput tool/);
  assert.equal(resultOf(messages).subtype, 'success');
  assert.equal(resultOf(messages).structured_output, undefined);
});

test('the tool needs no permission, and hooks see it', async (t) => {
  const project = await newProject(t, { turns: [{ model: [handIn({ sum: 5 })] }] });
  const seen = [];
  const note = async (input) => {
    seen.push(`${input.hook_event_name} ${input.tool_name ?? ''}`.trim());
    return {};
  };
  await all(project.query('2 + 3?', {
    outputFormat,
    canUseTool: async (name) => assert.fail(`asked for ${name}`),
    hooks: { PreToolUse: [{ hooks: [note] }], PostToolUse: [{ hooks: [note] }],
      Stop: [{ hooks: [note] }] },
  }));
  assert.deepEqual(seen, ['PreToolUse StructuredOutput', 'PostToolUse StructuredOutput', 'Stop']);
});

test('without a schema there is no such tool', async (t) => {
  const project = await newProject(t, { turns: [{ model: [handIn({ sum: 5 }), { text: 'ok' }] }] });
  const messages = await all(project.query('2 + 3?'));
  assert.ok(!initOf(messages).tools.includes('StructuredOutput'));
  assert.match(toolResults(messages)[0].content, /No such tool available: StructuredOutput/);
});

test('a schema that is none ends the start', async (t) => {
  const project = await newProject(t);
  let text = '';
  const query = project.query('hi', {
    extraArgs: { 'json-schema': '5' }, stderr: (data) => (text += data),
  });
  assert.match(await failure(all(query)), /exited with code 1/);
  assert.match(text, /--json-schema must be a JSON object/);
});
