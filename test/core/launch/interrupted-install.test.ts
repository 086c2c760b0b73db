import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import test from 'ava';
import { Installation } from './installation.js';

// A process of its own: an installation is begun that would take for ever.

/** The descendants of a process, as listed by Linux. */
function below(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = all.map(Number).filter((child) => {
    try {
      return Number(/^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1]) === pid;
    } catch {
      return false;
    }
  });
  return children.flatMap((child) => [child, ...below(child)]);
}

test('Ctrl-C while dependencies are installed ends the start, and leaves nothing running', async (t) => {
  if (process.platform !== 'linux') return t.pass('processes are told as Linux tells them');
  const installation = new Installation({ installed: false });
  t.teardown(() => installation.remove());
  const sockets: Socket[] = [];
  const registry = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    registry.close();
  });
  await once(registry, 'listening');
  const started = installation.begin({
    PORT: '0',
    DATA_DIR: path.join(installation.directory, 'data'),
    npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
    npm_config_cache: path.join(installation.directory, 'npm-cache'),
  });
  await once(registry, 'connection');
  t.regex(started.said, /^Installing dependencies/m);
  const ours = [started.process.pid as number, ...below(started.process.pid as number)];
  t.true(ours.length > 1, 'npm runs');
  const startedAt = performance.now();
  t.is(await started.stop(), 130, started.said);
  t.log(`ended after ${Math.round(performance.now() - startedAt)} ms`);
  t.deepEqual(
    ours.filter((pid) => existsSync(`/proc/${pid}`)),
    [],
  );
});
