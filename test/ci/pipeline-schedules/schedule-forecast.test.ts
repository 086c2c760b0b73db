import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { getPath } from './schedule-steps.js';

const app = useApp(test);

const HOUR = 3_600_000;

/** The day after the test clock's, whose start does not change when another test moves the clock by a second. */
const tomorrow = () => (Math.floor(app.clock.now().getTime() / (24 * HOUR)) + 1) * 24 * HOUR;
const at = (hours: number) => new Date(tomorrow() + hours * HOUR).toISOString();

interface Forecast {
  from: string;
  schedules: number;
  left_out: number;
  hours: number[];
  stampedes: { at: string; count: number; days: number }[];
  outage: { by_policy: Record<string, object> } | null;
}

/** Schedules in one project of one owner. */
async function schedules(crons: readonly (string | Record<string, unknown>)[]) {
  await app.set({ ci_pipeline_schedules: 0 });
  const project = await app.build.project();
  const created = [];
  for (const input of crons)
    created.push(
      await app.build.schedule({
        project,
        owner: project.owner,
        ...(typeof input === 'string' ? { cron: input } : input),
      }),
    );
  const client = app.as(project.owner);
  const forecast = async (query: string): Promise<Forecast> =>
    (await client.get(`/pipeline_schedules/forecast?project_id=${project.id}&${query}`)).body;
  return { project, created, client, forecast };
}

// Contract: schedules-forecast.hours
test('the forecast counts runs by the hour, in each schedule’s own zone, and leaves inactive ones out', async (t) => {
  const { forecast } = await schedules([
    '30 2 * * *',
    '30 2 * * *',
    '0,20,40 5 * * *',
    { cron: '0 8 * * *', cron_timezone: 'Asia/Tokyo' },
    { cron: '0 9 * * *', active: false },
  ]);
  const found = await forecast(`from=${at(0)}&days=2`);
  t.is(found.from, at(0));
  t.is(found.schedules, 4);
  t.is(found.left_out, 0);
  t.is(found.hours.length, 48);
  const day = { 2: 2, 5: 3, 23: 1 };
  for (const [hour, count] of found.hours.entries())
    t.is(count, day[(hour % 24) as keyof typeof day] ?? 0, `hour ${hour}`);
  t.is((await forecast('')).hours.length, 168);
  for (const query of ['days=8', 'days=0', 'from=2300-01-01', 'crowd=1', `down_from=${at(0)}`])
    t.is((await app.as(await app.build.user()).get(`/pipeline_schedules/forecast?${query}`)).status, 400, query);
});

// Contract: schedules-forecast.stampedes
test('minutes at which very many fire are named once for their time of day', async (t) => {
  const { forecast } = await schedules([...Array.from({ length: 4 }, () => '0 2 * * *'), '*/5 * * * *', '7 2 * * *']);
  const { stampedes } = await forecast(`from=${at(0)}&days=3&crowd=3`);
  t.deepEqual(stampedes, [{ at: at(2), count: 5, days: 3 }]);
});

// Contract: schedules-forecast.outage
test('an outage is told by missed policy: which catch up, and what is missed', async (t) => {
  const hourly = '0 * * * *';
  const { forecast, client, project, created } = await schedules([
    { cron: hourly, missed_policy: 'last' },
    { cron: hourly, missed_policy: 'skip' },
    { cron: hourly, missed_policy: 'all' },
    { cron: '0 12 * * *', missed_policy: 'all' },
  ]);
  const down = `down_from=${at(0.5)}&down_to=${at(4.5)}`;
  const { outage } = await forecast(down);
  t.deepEqual(outage?.by_policy, {
    last: { schedules: 1, due: 4, fires: 1, missed: 3 },
    skip: { schedules: 1, due: 4, fires: 0, missed: 4 },
    all: { schedules: 1, due: 4, fires: 4, missed: 0 },
  });
  t.is((await forecast('')).outage, null);
  const { body } = await client.get(
    `/pipeline_schedules/forecast/schedules?project_id=${project.id}&from=${at(0.5)}&to=${at(4.5)}&missed_policy=skip`,
  );
  t.is(body.length, 1);
  t.like(body[0], {
    id: created[1]?.id,
    moments: 4,
    first_at: at(1),
    last_at: at(4),
    after_outage: { fires: 0, missed: 4 },
  });
});

// Contract: schedules-forecast.schedules
test('what fires within a time is listed by keyset, and is what the caller may see alone', async (t) => {
  const { client, created, project } = await schedules(['0 2 * * *', '15 2 * * *', '0 3 * * *', '59 2 * * *']);
  const within = `from=${at(2)}&to=${at(3)}`;
  const ids: number[] = [];
  let next: string | null = `/pipeline_schedules/forecast/schedules?${within}&pagination=keyset&per_page=2`;
  for (let pages = 0; next !== null && pages < 5; pages += 1) {
    const { body, headers } = await client.get(next);
    ids.push(...body.map(({ id }: { id: number }) => id));
    next = /<[^>]*\/api\/v4([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
  }
  t.deepEqual(ids, [created[0]?.id, created[1]?.id, created[3]?.id]);
  const stranger = app.as(await app.build.user());
  t.deepEqual((await stranger.get(`/pipeline_schedules/forecast/schedules?${within}`)).body, []);
  t.is((await stranger.get(`/pipeline_schedules/forecast?project_id=${project.id}`)).status, 404);
  t.is((await client.get(`/pipeline_schedules/forecast/schedules?from=${at(3)}&to=${at(2)}`)).status, 400);
});

// Contract: schedules-scope
test('what crosses projects is narrowed to a project, or to a group with those below it', async (t) => {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const below = await app.build.group({ owner, parent: group });
  const client = app.as(owner);
  const response = await client.post('/projects', {
    name: 'Inside',
    namespace_id: below.id,
    initialize_with_readme: true,
  });
  const path = `/projects/${response.body.id}/pipeline_schedules`;
  const inside = (await client.post(path, { description: 'Nightly', ref: 'main', cron: '0 1 * * *' })).body;
  const outside = await app.build.schedule({ owner });
  const ids = async (query: string) =>
    (await client.get(`/pipeline_schedules?order_by=id&${query}`)).body.map(({ id }: { id: number }) => id);
  t.deepEqual(await ids(''), [inside.id, outside.id]);
  t.deepEqual(await ids(`group_id=${group.id}`), [inside.id]);
  t.deepEqual(await ids(`group_id=${encodeURIComponent(group.full_path)}`), [inside.id]);
  t.deepEqual(await ids(`project_id=${outside.project_id}`), [outside.id]);
  t.is((await client.get('/pipeline_schedules?group_id=0')).status, 404);
  const guest = await app.build.user();
  await app.build.member(outside.project, 'guest', guest);
  await app.context().query(sql`update projects set public_jobs = false where id = ${outside.project_id}`);
  t.is((await app.as(guest).get(`/pipeline_schedules?project_id=${outside.project_id}`)).status, 403);
});

// Contract: schedules-preview
test('the next runs of values that are not saved are told, and refused as on saving', async (t) => {
  const client = app.as(await app.build.user());
  const preview = (query: Record<string, string>) =>
    client.get(`/pipeline_schedules/next_runs?${new URLSearchParams(query)}`);
  const { body } = await preview({ cron: ' 30 2 29 2 * ', cron_timezone: 'Europe/Berlin', count: '2' });
  t.deepEqual(
    body.map((run: { local_time: string }) => run.local_time),
    ['2032-02-29T02:30:00', '2036-02-29T02:30:00'],
  );
  t.is((await preview({ cron: '0 * * * *' })).body.length, 5);
  const bad = await preview({ cron: '61 * * * *', cron_timezone: 'Nowhere' });
  t.is(bad.status, 400);
  t.deepEqual(bad.body.message, { cron: ['syntax is invalid'], cron_timezone: ['syntax is invalid'] });
  t.regex(bad.help.hint ?? '', /^minute: "61" cannot be read/);
  t.is((await app.anonymous.get('/pipeline_schedules/next_runs?cron=*')).status, 401);
});

// Contract: schedules-edit-meanwhile
test('the second of two editors is told where it says what it saw, and nothing is overwritten', async (t) => {
  const schedule = await app.build.schedule();
  const client = app.as(schedule.ownedBy);
  const path = getPath(schedule.project, `/${schedule.id}`);
  const updatedAt = (await client.get(path)).body.updated_at;
  app.clock.advance('1 second');
  t.is((await client.put(path, { description: 'First', unchanged_since: updatedAt })).status, 200);
  const second = await client.put(path, { description: 'Second', unchanged_since: updatedAt });
  t.is(second.status, 409);
  t.deepEqual(second.body, { message: '409 Conflict: the schedule was changed meanwhile' });
  t.is((await client.get(path)).body.description, 'First');
  t.is((await client.put(path, { description: 'Third' })).status, 200);
});

// Contract: schedules-forecast.size
test('many schedules are forecast by their different times, and the page of what fires stays quick', async (t) => {
  const { project, created, forecast, client } = await schedules(['0 2 * * *']);
  await app.context().query(sql`
    insert into pipeline_schedules (project_id, owner_id, description, ref, cron, cron_timezone, active, next_run_at,
                                    created_at, updated_at)
    select s.project_id, s.owner_id, 'Many', s.ref, (i % 60) || ' ' || (i / 60 % 24) || ' * * *', 'UTC', true,
           s.next_run_at, now(), now()
      from pipeline_schedules s, generate_series(1, 100000) i where s.id = ${created[0]?.id}`);
  const started = performance.now();
  const { hours, schedules: all } = await forecast(`from=${at(0)}`);
  const took = performance.now() - started;
  t.log(`${Math.round(took)} ms for 100,001 schedules`);
  t.is(all, 100_001);
  t.is(
    hours.reduce((sum, count) => sum + count, 0),
    100_001 * 7,
  );
  t.true(took < 10_000, `${took} ms`);
  const { body } = await client.get(
    `/pipeline_schedules/forecast/schedules?project_id=${project.id}&from=${at(2)}&to=${at(3)}&per_page=100`,
  );
  t.is(body.length, 100);
});
