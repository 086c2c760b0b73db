import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { Lifecycle } from '../../../api/core/server/lifecycle.js';

test('an answer that takes longer than a process may take to stop is cut off, and nothing before that', async (t) => {
  const lifecycle = new Lifecycle();
  const outcomes: string[] = [];
  const server = createServer((incoming, response) => {
    lifecycle.opened(response);
    response.once('close', () => outcomes.push(`${incoming.url} ${response.writableFinished ? 'whole' : 'cut'}`));
    response.write('begun');
    // Simulates a clone with a slow reader.
    if (incoming.url === '/short') response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string) => {
    const sent = request({ port, path, host: '127.0.0.1', agent: false });
    sent.on('error', () => undefined);
    sent.end();
    const [response] = await once(sent, 'response');
    response.on('error', () => undefined).resume();
    return { closed: new Promise((resolve) => response.once('close', resolve)) };
  };
  const long = await ask('/long');
  await (
    await ask('/short')
  ).closed;
  const before = performance.now();
  await lifecycle.drain(0, 0.3);
  t.true(performance.now() - before >= 250);
  await long.closed;
  t.deepEqual(outcomes, ['/short whole', '/long cut']);
});
