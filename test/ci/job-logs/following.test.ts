import test from 'ava';
import { sql } from 'kysely';
import { LOG_FEED_LIMITS, getLogFeed } from '../../../shared/ci/job-logs/log-feed.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { createRunningJob } from './running-job.js';
import type { RunningJob } from './running-job.js';

const app = useApp(test);

interface LogEvent {
  event: string;
  id: string;
  data: unknown;
}

/** One event of a stream; null for comments. */
function parseEvent(block: string): LogEvent | null {
  const fields = new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s) as [string, string]));
  const data = fields.get('data');
  if (data === undefined) return null;
  return { event: fields.get('event') ?? 'message', id: fields.get('id') ?? '', data: JSON.parse(data) };
}

/** Follows the log of a job. */
async function openStream(job: RunningJob, user: BuiltUser = job.project.owner, lastId = '') {
  const controller = new AbortController();
  const response = await fetch(`${app.url}/api/v4${job.path}/trace?follow=1`, {
    headers: {
      'PRIVATE-TOKEN': user.token,
      Accept: 'text/event-stream',
      ...(lastId === '' ? {} : { 'Last-Event-ID': lastId }),
    },
    signal: controller.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let unread = '';
  /** The next event; null at the end of the stream. */
  const next = async (): Promise<LogEvent | null> => {
    for (;;) {
      const end = unread.indexOf('\n\n');
      if (end >= 0) {
        const found = parseEvent(unread.slice(0, end));
        unread = unread.slice(end + 2);
        if (found) return found;
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return null;
      unread += value;
    }
  };
  return { response, next, close: () => controller.abort() };
}

// Contract: ci-job-logs.follow
test.serial('a follower gets what there is, then what comes, then the end', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'first\n');
  const { response, next } = await openStream(job);
  t.is(response.headers.get('content-type'), 'text/event-stream');
  t.deepEqual(await next(), { event: 'message', id: '6', data: 'first\n' });
  const patched = await job.patch('6-', 'second\n');
  t.is(patched.headers.get('x-gitlab-trace-update-interval'), '3');
  t.deepEqual(await next(), { event: 'message', id: '13', data: 'second\n' });
  await job.end('failed');
  await job.seal();
  t.deepEqual(await next(), { event: 'end', id: '13', data: 'failed' });
  t.is(await next(), null);
});

// Contract: ci-job-logs.interval
test.serial('a log that is followed is asked for every 3 s, also after the first minute of its job', async (t) => {
  const job = await createRunningJob(app);
  await app.context().query(sql`update jobs set started_at = '2020-01-01' where id = ${job.id}`);
  const update = () => app.anonymous.put(`/jobs/${job.id}`, { token: job.token, state: 'running' });
  const getInterval = ({ headers }: { headers: Headers }) => headers.get('x-gitlab-trace-update-interval');
  t.is(getInterval(await job.patch('0-', 'a')), '60');
  t.is(getInterval(await update()), '60');
  const { next, close } = await openStream(job);
  await next();
  t.is(getInterval(await job.patch('1-', 'b')), '3');
  t.is(getInterval(await update()), '3');
  close();
});

// Contract: ci-job-logs.follow
test.serial('a stream goes on behind the last event that the client has', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', '0123456789');
  await job.end();
  const running = await openStream(job, undefined, '4');
  t.deepEqual(await running.next(), { event: 'message', id: '10', data: '456789' });
  t.deepEqual(await running.next(), { event: 'end', id: '10', data: 'success' });
  await job.seal();
  const sealed = await openStream(job, undefined, '7');
  t.deepEqual(await sealed.next(), { event: 'message', id: '10', data: '789' });
  t.deepEqual(await sealed.next(), { event: 'end', id: '10', data: 'success' });
  const over = await openStream(job, undefined, '10');
  t.deepEqual(await over.next(), { event: 'end', id: '10', data: 'success' });
});

// Contract: ci-job-logs.follow
test.serial('no character is torn between two events, whatever the patches', async (t) => {
  const job = await createRunningJob(app);
  const euro = Buffer.from('a€');
  await job.patch('0-', euro.subarray(0, 2));
  const { next } = await openStream(job);
  t.deepEqual(await next(), { event: 'message', id: '1', data: 'a' });
  await job.patch('2-', euro.subarray(2));
  t.deepEqual(await next(), { event: 'message', id: '4', data: '€' });
  await job.patch('4-', Buffer.from([0xe2, 0x82]));
  await job.end();
  await job.seal();
  t.deepEqual(await next(), { event: 'message', id: '6', data: '\u{FFFD}' });
  t.is((await next())?.event, 'end');
});

// Contract: ci-job-logs.rights
test.serial('a stream ends before a log shows values of variables; who may see them asks again', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'first\n');
  const reporter = await app.build.member(job.project as never, 'reporter');
  const stream = await openStream(job, reporter);
  t.deepEqual(await stream.next(), { event: 'message', id: '6', data: 'first\n' });
  await job.patch('6-', 'SECRET=1\n', '?debug_trace=true');
  t.is(await stream.next(), null);
  t.is((await openStream(job, reporter, '6')).response.status, 403);
  const { next, close } = await openStream(job, undefined, '6');
  t.deepEqual(await next(), { event: 'message', id: '15', data: 'SECRET=1\n' });
  await job.patch('15-', 'more\n', '?debug_trace=true');
  t.deepEqual(await next(), { event: 'message', id: '20', data: 'more\n' });
  close();
});

// Contract: ci-job-logs.follow
test.serial('a long log is followed as a whole', async (t) => {
  const job = await createRunningJob(app);
  const text = Array.from({ length: 200_000 }, (_, index) => `line ${index} ü\n`).join('');
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1_000_000) await job.patch(`${at}-`, bytes.subarray(at, at + 1_000_000));
  await job.end();
  const { next } = await openStream(job);
  let read = '';
  for (let found = await next(); found?.event === 'message'; found = await next()) read += String(found.data);
  t.true(read === text);
});

// Contract: ci-job-logs.follow
test.serial('a client that accepts no events gets the log as it is', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'text');
  const { text, headers } = await job.owner.get(`${job.path}/trace?follow=1`);
  t.deepEqual([text, headers.get('content-type')], ['text', 'text/plain; charset=utf-8']);
});

// Contract: ci-job-logs.follow
test.serial('a user has six streams at most, and an invalid position is refused', async (t) => {
  const job = await createRunningJob(app);
  const streams = [];
  for (let count = 0; count < LOG_FEED_LIMITS.caller; count += 1) streams.push(await openStream(job));
  t.deepEqual(
    streams.map(({ response }) => response.status),
    streams.map(() => 200),
  );
  const refused = await openStream(job);
  t.is(refused.response.status, 429);
  const other = await app.build.member(job.project as never, 'developer');
  const bad = await openStream(job, other, 'x');
  t.is(bad.response.status, 400);
  const theirs = await openStream(job, other);
  t.is(theirs.response.status, 200);
  for (const { close } of [...streams, theirs]) close();
});

// Contract: ci-job-logs.follow
test.serial('streams end when the process stops', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'x');
  const { next } = await openStream(job);
  await next();
  getLogFeed(app.services).stop();
  t.is(await next(), null);
  t.is((await openStream(job)).response.status, 503);
});
