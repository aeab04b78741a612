// An MCP server in the SDK's own process, called by the model behind claude-sim.
import assert from 'node:assert/strict';
import test from 'node:test';

import { Conversation, all, failure, initOf, newProject, resultOf, sdk, toolResults, until, z }
  from './host.mjs';

const calculator = () => sdk.createSdkMcpServer({
  name: 'calc',
  version: '1.0.0',
  tools: [
    sdk.tool('add', 'Adds two numbers.', { a: z.number(), b: z.number() }, async ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
    }), { annotations: { readOnlyHint: true } }),
    sdk.tool('fail', 'Always fails.', {}, async () => ({
      content: [{ type: 'text', text: 'out of order' }], isError: true,
    })),
    sdk.tool('throw', 'Throws.', {}, async () => { throw new Error('thrown'); }),
  ],
});
const call = (tool, args = {}) => ({ mcp: { server: 'calc', tool, arguments: args } });
const options = (more = {}) => ({
  mcpServers: { calc: calculator() }, allowedTools: ['mcp__calc__*'], ...more,
});
const talk = async (t, more) => {
  const conversation = new Conversation();
  const project = await newProject(t);
  return { conversation, query: project.query(conversation, more) };
};
const textOf = ({ content }) => (typeof content === 'string' ? content : content[0].text);

test('the model finds the tools of the server', async (t) => {
  const project = await newProject(t);
  const init = initOf(await all(project.query('go', options())));
  assert.deepEqual(init.mcp_servers.map(({ name, status }) => ({ name, status })),
    [{ name: 'calc', status: 'connected' }]);
  assert.ok(init.tools.includes('mcp__calc__add'));
});

test('a call runs the handler and its answer reaches the model', async (t) => {
  const project = await newProject(t, {
    turns: [{ model: [call('add', { a: 2, b: 3 }), { text: 'Five.' }] }],
  });
  const messages = await all(project.query('go', options()));
  assert.equal(textOf(toolResults(messages)[0]), '5');
  assert.equal(resultOf(messages).result, 'Five.');
});

test('an error of the handler is an error of the tool', async (t) => {
  const project = await newProject(t, {
    turns: [{ model: [call('fail'), call('throw'), { text: 'ok' }] }],
  });
  const [failed, thrown] = toolResults(await all(project.query('go', options())));
  assert.deepEqual([failed.is_error, thrown.is_error], [true, true]);
  assert.match(textOf(failed), /out of order/);
  assert.match(textOf(thrown), /thrown/);
});

test('arguments that do not fit are refused before the handler', async (t) => {
  const project = await newProject(t, {
    turns: [{ model: [call('add', { a: 'two' }), { text: 'ok' }] }],
  });
  const [refused] = toolResults(await all(project.query('go', options())));
  assert.equal(refused.is_error, true);
});

test('a tool that the server does not have is refused', async (t) => {
  const project = await newProject(t, { turns: [{ model: [call('divide'), { text: 'ok' }] }] });
  const [refused] = toolResults(await all(project.query('go', options())));
  assert.match(textOf(refused), /No such tool available: mcp__calc__divide/);
});

test('a tool of the server has to be permitted like any other', async (t) => {
  const project = await newProject(t, {
    turns: [{ model: [call('fail'), { text: 'ok' }] }],
  });
  const asked = [];
  await all(project.query('go', {
    mcpServers: { calc: calculator() },
    canUseTool: async (name, input) => {
      asked.push(name);
      return { behavior: 'allow', updatedInput: input };
    },
  }));
  assert.deepEqual(asked, ['mcp__calc__fail']);
});

test('mcpServerStatus lists the server and its tools', async (t) => {
  const { conversation, query } = await talk(t, options());
  conversation.say('go');
  await until(query, 'result');
  const [server] = await query.mcpServerStatus();
  assert.equal(server.name, 'calc');
  assert.equal(server.status, 'connected');
  assert.deepEqual(server.serverInfo, { name: 'calc', version: '1.0.0' });
  assert.deepEqual(server.tools.map(({ name }) => name), ['add', 'fail', 'throw']);
  query.close();
});

test('servers may be set while the session runs', async (t) => {
  const { conversation, query } = await talk(t, {});
  assert.deepEqual(await query.mcpServerStatus(), []);
  const { added, removed } = await query.setMcpServers({ calc: calculator() });
  assert.deepEqual([added, removed], [['calc'], []]);
  conversation.say('go');
  assert.ok(initOf(await until(query, 'result')).tools.includes('mcp__calc__add'));
  assert.deepEqual((await query.setMcpServers({})).removed, ['calc']);
  query.close();
});

test('a server may be switched off and on', async (t) => {
  const { conversation, query } = await talk(t, options());
  conversation.say('go');
  await until(query, 'result');
  await query.toggleMcpServer('calc', false);
  assert.equal((await query.mcpServerStatus())[0].status, 'disabled');
  await query.toggleMcpServer('calc', true);
  assert.equal((await query.mcpServerStatus())[0].status, 'connected');
  query.close();
});

test('operations on a server that is not there say so', async (t) => {
  const { query } = await talk(t, {});
  assert.match(await failure(query.toggleMcpServer('nobody', true)), /not found: nobody/);
  assert.match(await failure(query.reconnectMcpServer('nobody')), /not found: nobody/);
  assert.match(await failure(query.readMcpResource('nobody', 'ui://x')), /nobody/);
  query.close();
});
