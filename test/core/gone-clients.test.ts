import { connect } from 'node:net';
import test from 'ava';
import { get, post, routes } from '../../api/core/routes.js';
import { maybe, text } from '../../shared/core/fields.js';
import { instance, operation } from '../../shared/core/operation.js';
import { useApp } from './app.js';

/** The signals of requests, by the name each gave itself, as soon as its operation runs. */
const running = new Map<string, PromiseWithResolvers<AbortSignal>>();

function signalOf(name: string): Promise<AbortSignal> {
  const known = running.get(name) ?? Promise.withResolvers<AbortSignal>();
  running.set(name, known);
  return known.promise;
}

const hang = operation({
  subject: instance,
  gate: 'open',
  kind: 'read',
  scopes: ['api', 'read_api'],
  summary: 'Wait until the client is gone',
  params: { name: text(), at_once: maybe(text()) },
  async run(ctx, _instance, input) {
    void signalOf(input.name);
    running.get(input.name)?.resolve(ctx.signal);
    if (input.at_once === undefined) await ended(ctx.signal);
    return {};
  },
});

const app = useApp(test, routes('', [get('/hang', hang), post('/hang', hang)]));

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Writes requests to one connection, which goes away once every named one runs. */
async function sendAndGo(requests: string, names: readonly string[]): Promise<AbortSignal[]> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname, () => socket.write(requests));
  const signals = await Promise.all(names.map(signalOf));
  for (const { aborted } of signals) if (aborted) throw new Error('The client was still there.');
  socket.destroy();
  return signals;
}

const getOf = (name: string) => `GET /api/v4/hang?name=${name} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('the signal of a request ends with its client', async (t) => {
  for (const signal of await sendAndGo(getOf('get'), ['get'])) await ended(signal);
  const body = 'name=post';
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const request = `POST /api/v4/hang HTTP/1.1\r\nHost: x\r\n${form}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  for (const signal of await sendAndGo(request, ['post'])) await ended(signal);
  t.pass();
});

test('requests that wait behind another one on their connection end with it', async (t) => {
  const names = ['first', 'second', 'third'];
  const signals = await sendAndGo(names.map(getOf).join(''), names);
  await Promise.all(signals.map(ended));
  t.pass();
});

test('the signal of a request that was answered stays as it is', async (t) => {
  const { status } = await app.anonymous.get('/hang?name=answered&at_once=yes');
  t.is(status, 200);
  await sendAndGo(getOf('another'), ['another']);
  t.false((await signalOf('answered')).aborted);
});

test('a context of no request and of no job has a signal that never ends', (t) => {
  t.false(app.context().signal.aborted);
});
