import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { PgBoss } from 'pg-boss';
import type { OpenServices } from '../../../shared/core/context/open-services.js';
import { sql } from 'kysely';
import type { Statement } from '../../../shared/core/database/driver/statement.js';
import { notifyAlarms } from '../../../shared/ci/pipeline-schedules/notify-alarms.js';
import { ScheduleAlarm } from '../../../workers/ci/pipeline-schedules/alarm.js';
import { TestApp } from '../../core/app.js';
import { eventually } from '../../core/processes.js';
import { create, getPath } from './schedule-steps.js';

interface Ring {
  at: string;
  key: string | undefined;
}

/** An alarm over an app of its own: alarms see every schedule of a database. */
async function alarmed(t: ExecutionContext, options: { reject?: () => boolean } = {}) {
  const app = new TestApp();
  await app.start();
  const rings: Ring[] = [];
  const boss = {
    send: (_name: string, data: { at: string }, sending: { singletonKey?: string }) => {
      if (options.reject?.()) return Promise.reject(new Error('the database is away'));
      rings.push({ at: data.at, key: sending.singletonKey });
      return Promise.resolve('id');
    },
  } as unknown as Pick<PgBoss, 'send'>;
  const alarm = new ScheduleAlarm();
  const start = (services: OpenServices = app.services) => alarm.start(services, boss);
  t.teardown(async () => {
    await alarm.stop();
    await app.stop();
  });
  const project = await app.build.project();
  const { body: schedule } = await create(app.as(project.owner), project, { cron: '0 * * * *' });
  return { app, alarm, start, rings, project, schedule: schedule as { id: number; next_run_at: string } };
}

/** Sets the clock shortly before the schedule's time: timers run in real time, the clock stands still. */
const justBefore = (at: string, ms = 30) => new Date(Date.parse(at) - ms).toISOString();

test('an alarm rings once at the earliest next run', async (t) => {
  const { app, start, rings, schedule } = await alarmed(t);
  app.clock.set(justBefore(schedule.next_run_at));
  await start();
  await eventually(() => Promise.resolve(rings.length > 0));
  t.deepEqual(rings, [{ at: schedule.next_run_at, key: schedule.next_run_at }]);
});

test('an alarm hears of a schedule that comes earlier', async (t) => {
  const { app, start, rings, project } = await alarmed(t);
  app.clock.set('2030-01-01T00:29:59.950Z');
  await start();
  await create(app.as(project.owner), project, { cron: '30 0 * * *' });
  await eventually(() => Promise.resolve(rings.length > 0));
  t.is(rings[0]?.at, '2030-01-01T00:30:00.000Z');
});

test('a moment that is still due rings again, each time with a key of its own', async (t) => {
  const { app, start, rings, schedule } = await alarmed(t);
  app.clock.set(justBefore(schedule.next_run_at));
  await start();
  await eventually(() => Promise.resolve(rings.length > 0));
  app.clock.set(schedule.next_run_at);
  const ctx = app.context();
  await notifyAlarms(ctx, null);
  await eventually(() => Promise.resolve(rings.length > 2));
  t.deepEqual(
    rings.slice(0, 3).map((ring) => ring.key),
    [schedule.next_run_at, `${schedule.next_run_at} ring 2`, `${schedule.next_run_at} ring 3`],
  );
});

test('a change that is heard while the table is being read is not lost', async (t) => {
  const { app, start, rings, project, schedule } = await alarmed(t);
  app.clock.set('2030-01-01T00:29:59.950Z');
  let slow = false;
  let release = () => {};
  const db = {
    query: async (statement: Statement) => {
      const rows = await app.services.db.query(statement);
      if (slow) await new Promise<void>((resolve) => (release = resolve));
      return rows;
    },
  } as unknown as OpenServices['db'];
  await start({ ...app.services, db });
  await pause(50);
  slow = true;
  await notifyAlarms(app.context(), null);
  await pause(50);
  // The poll in hand has read the table, and now a schedule comes that is due first.
  await app.context().query(sql`
    update pipeline_schedules set next_run_at = '2030-01-01T00:30:00Z' where id = ${schedule.id}`);
  await notifyAlarms(app.context(), new Date('2030-01-01T00:30:00Z'));
  await pause(20);
  slow = false;
  release();
  await eventually(() => Promise.resolve(rings.length > 0));
  t.is(rings[0]?.at, '2030-01-01T00:30:00.000Z');
  t.truthy(project);
});

test('a tick that cannot be sent is sent by the next look', async (t) => {
  let away = true;
  const { app, start, rings, schedule } = await alarmed(t, { reject: () => away });
  app.clock.set(justBefore(schedule.next_run_at));
  await start();
  await pause(100);
  app.clock.set(schedule.next_run_at);
  away = false;
  await eventually(() => Promise.resolve(rings.length > 0));
  t.is(rings[0]?.at, schedule.next_run_at);
});

// Contract: issue-03.7-database
test('an alarm lives through lost connections and refused ones', async (t) => {
  const { app, start, rings, schedule } = await alarmed(t);
  await start();
  await app.context().query(sql`
    select pg_terminate_backend(a.pid) from pg_stat_activity a
     where a.datname = current_database() and a.application_name = 'capstan-listener'`);
  app.clock.set(justBefore(schedule.next_run_at));
  await eventually(() => Promise.resolve(rings.length > 0));
  t.is(rings[0]?.at, schedule.next_run_at);
});

test('after it was stopped an alarm sets no timer and rings no more', async (t) => {
  const { app, alarm, start, rings, project, schedule } = await alarmed(t);
  await start();
  app.clock.set(justBefore(schedule.next_run_at));
  const looking = notifyAlarms(app.context(), null);
  await alarm.stop();
  await looking;
  await pause(150);
  t.deepEqual(rings, []);
  await app.as(project.owner).put(getPath(project, `/${schedule.id}`), { cron: '* * * * *' });
  await pause(50);
  t.deepEqual(rings, []);
});
