import test from 'ava';
import { Thread, ThreadTimeout } from '../../shared/core/threads/thread.js';

const sample = () => new Thread<string, string>(new URL('./thread-sample.js', import.meta.url), 'answers a test');

test('a thread answers many questions at once, and asks back for what only this side has', async (t) => {
  const thread = sample();
  const onRequest = (about: unknown) => Promise.resolve({ about, size: 1 });
  t.deepEqual(await Promise.all([thread.ask('one'), thread.ask('request', { onRequest }), thread.ask('two')]), [
    'ONE',
    'got {"about":{"of":"request"},"size":1}',
    'TWO',
  ]);
});

test('what a thread throws reaches whoever asked, and it goes on', async (t) => {
  const thread = sample();
  await t.throwsAsync(thread.ask('throw'), { message: 'I will not.' });
  t.is(await thread.ask('on'), 'ON');
});

test('this thread goes on while the other one is busy; one that takes too long is ended, the next one answers', async (t) => {
  const thread = sample();
  const busy = thread.ask('spin', { timeoutMs: 500 });
  const beside = thread.ask('never');
  let turns = 0;
  const turn = setInterval(() => (turns += 1), 1);
  await t.throwsAsync(busy, { instanceOf: ThreadTimeout, message: /answers a test took longer than 500 ms/ });
  clearInterval(turn);
  t.true(turns > 0);
  await t.throwsAsync(beside, { instanceOf: ThreadTimeout });
  t.is(await thread.ask('again'), 'AGAIN');
});

test('a signal ends what nobody waits for any more, and a thread that ends says so', async (t) => {
  const thread = sample();
  const stop = new AbortController();
  const busy = thread.ask('spin', { signal: stop.signal });
  stop.abort(new Error('enough'));
  await t.throwsAsync(busy, { message: 'enough' });
  await t.throwsAsync(thread.ask('x', { signal: stop.signal }), { message: 'enough' });
  await t.throwsAsync(thread.ask('exit'), { message: 'The thread that answers a test ended.' });
  const onRequest = () => Promise.reject(new Error('There is none.'));
  await t.throwsAsync(thread.ask('request', { onRequest }), { message: 'There is none.' });
  t.is(await thread.ask('again'), 'AGAIN');
});
