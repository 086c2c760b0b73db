import test from 'ava';
import { FEED_LIMITS, getQueueFeed } from '../../../shared/instance/queues/queue-feed.js';
import { UserCaller } from '../../../shared/core/context/callers.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { eventually } from '../../core/processes.js';
import { makeQueue, storeJobs } from './stored-jobs.js';

const app = useApp(test);
let admin: BuiltUser;

test.serial.before('who listens', async () => {
  admin = await app.build.admin();
});

/** Opens the stream, and reads it until it is closed. */
async function listen(user: BuiltUser) {
  const controller = new AbortController();
  const response = await fetch(`${app.url}/api/v4/admin/jobs/events`, {
    headers: { 'PRIVATE-TOKEN': user.token, Accept: 'text/event-stream' },
    signal: controller.signal,
  });
  const heard = { text: '', over: false };
  const read = async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      heard.text += Buffer.from(chunk).toString();
  };
  void read()
    .catch(() => undefined)
    .finally(() => (heard.over = true));
  return { response, heard, leave: () => controller.abort() };
}

const saying = (text: string, queue: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .flatMap((line) => JSON.parse(line.slice(6)) as { name: string; ready: number }[])
    .filter(({ name }) => name === queue);

// Contract: jobs-14.events
test.serial('who listens is told how the queues stand, and of each change within two seconds', async (t) => {
  const queue = await makeQueue(app, 'test.events');
  const one = await listen(admin);
  const two = await listen(admin);
  t.is(one.response.headers.get('content-type'), 'text/event-stream');
  t.is(one.response.headers.get('cache-control'), 'no-store, no-transform');
  await eventually(() => Promise.resolve(saying(one.heard.text, queue).length > 0));
  await storeJobs(app, [{ queue }]);
  t.true(await eventually(() => Promise.resolve(saying(one.heard.text, queue).some(({ ready }) => ready === 1)), 2));
  await eventually(() => Promise.resolve(saying(two.heard.text, queue).some(({ ready }) => ready === 1)));
  one.leave();
  await eventually(() => Promise.resolve(getQueueFeed(app.services).size === 1));
  two.leave();
  await eventually(() => Promise.resolve(getQueueFeed(app.services).size === 0));
  // Without listeners there is no polling.
  const before = app.services.db.statements;
  const quiet = Promise.withResolvers<void>();
  setTimeout(quiet.resolve, 1_500);
  await quiet.promise;
  t.is(app.services.db.statements, before);
});

// Contract: jobs-14.events
test.serial('one caller listens only so often', async (t) => {
  const all = await Promise.all(Array.from({ length: FEED_LIMITS.caller }, () => listen(admin)));
  t.true(all.every(({ response }) => response.status === 200));
  const more = await listen(admin);
  t.is(more.response.status, 429);
  t.is((await listen(await app.build.admin())).response.status, 200);
  for (const { leave } of all) leave();
});

// Contract: jobs-14.events
test.serial('a process has only so many listeners, looks once for all, and ends them when it stops', async (t) => {
  const feed = getQueueFeed(app.services);
  await eventually(() => Promise.resolve(feed.size <= 1));
  let heard = 0;
  let over = 0;
  const contexts = await Promise.all(Array.from({ length: 20 }, () => app.build.admin()));
  const join = (index: number) =>
    feed.join(app.context(new UserCaller(contexts[index % 20] as BuiltUser)), {
      send: () => (heard += 1),
      end: () => (over += 1),
    });
  const free = FEED_LIMITS.process - feed.size;
  for (let index = 0; index < free; index += 1) await join(index);
  await t.throwsAsync(join(0), { message: '503 Service Unavailable' });
  const before = app.services.db.statements;
  const heardBefore = heard;
  await eventually(() => Promise.resolve(heard >= heardBefore + free));
  t.true(app.services.db.statements - before <= 2);
  feed.stop();
  t.true(over >= free);
});
