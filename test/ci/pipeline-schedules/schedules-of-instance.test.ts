import test from 'ava';
import type { ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { parseParams } from '../../../shared/core/operations/params.js';
import { listAllPipelineSchedules } from '../../../shared/ci/pipeline-schedule-runs/list-schedules.js';
import { explainList } from '../../bench/plans.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import type { Client } from '../../core/client.js';
import { NIGHTLY, getPath, ring } from './schedule-steps.js';

const app = useApp(test);

interface Listed {
  id: number;
  description: string;
  next_run_at: string | null;
  project: { id: number; path_with_namespace: string };
  last_run: { state: string; reason: string | null } | null;
}

async function listed(t: ExecutionContext, client: Client, query: string): Promise<Listed[]> {
  const { status, body } = await client.get(`/pipeline_schedules?${query}`);
  t.is(status, 200, JSON.stringify(body));
  return body as Listed[];
}

const descriptions = (schedules: readonly Listed[]) => schedules.map(({ description }) => description);

/** A word that only this test's schedules have in their descriptions. */
let wordCount = 0;
const newWord = () => `word${(wordCount += 1)}z`;

/** Schedules of one owner, each in a project of its own. */
async function schedules(owner: BuiltUser, tag: string, crons: readonly string[]) {
  const created = [];
  for (const [at, cron] of crons.entries())
    created.push(await app.build.schedule({ owner, cron, description: `${tag} ${at}` }));
  return created;
}

// Contract: local.all-schedules
test('schedules of all projects are one list, the next run first, with project and newest run', async (t) => {
  const owner = await app.build.user();
  const tag = newWord();
  const [late, soon] = await schedules(owner, tag, ['0 12 * * *', '30 0 * * *']);
  const all = await listed(t, app.as(owner), `search=${tag.toUpperCase()}`);
  t.deepEqual(
    all.map(({ id }) => id),
    [soon?.id, late?.id],
  );
  t.is(all[0]?.project.id, soon?.project.id);
  t.is(all[0]?.project.path_with_namespace, soon?.project.full_path);
  t.is(all[0]?.last_run, null);
  t.deepEqual(descriptions(await listed(t, app.as(owner), `search=${tag}&sort=desc`)), [`${tag} 0`, `${tag} 1`]);
  t.deepEqual(descriptions(await listed(t, app.as(owner), `search=${tag}&order_by=id`)), [`${tag} 0`, `${tag} 1`]);
});

// Contract: local.all-schedules
test('attention chooses those whose next run will fail or whose newest did, and says why', async (t) => {
  const owner = await app.build.user();
  const tag = newWord();
  const [, gone, failed, stopped] = await schedules(owner, tag, ['0 1 * * *', '0 2 * * *', '0 3 * * *', '0 4 * * *']);
  const ctx = app.context();
  await ctx.query(sql`update pipeline_schedules set ref = 'refs/heads/gone' where id = ${gone!.id}`);
  await ctx.query(sql`
    insert into pipeline_schedule_runs (project_id, pipeline_schedule_id, due_at, trigger, state, created_at)
    values (${failed!.project_id}, ${failed!.id}, ${new Date(Date.UTC(2030, 0, 1))}, 'cron', 'failed', now())`);
  const other = await app.build.member({ id: stopped!.project_id }, 'maintainer');
  await app.as(other).post(getPath({ id: stopped!.project_id }, `/${stopped!.id}/take_ownership`));
  await app.as(await app.build.admin()).post(`/users/${other.id}/block`);
  const getSchedules = async (query: string) =>
    (await listed(t, app.as(owner), `search=${tag}&order_by=id&${query}`)).map((one) => [
      one.description,
      (one as Listed & { attention: string | null }).attention,
    ]);
  const needing = [
    [`${tag} 1`, 'ref_missing'],
    [`${tag} 2`, 'failed'],
    [`${tag} 3`, 'owner_blocked'],
  ];
  t.deepEqual(await getSchedules('attention=true'), needing);
  t.deepEqual(await getSchedules('attention=false'), [[`${tag} 0`, null]]);
  t.deepEqual(await getSchedules(''), [[`${tag} 0`, null], ...needing]);
});

// Contract: local.all-schedules
test('coming_minutes tells each run within up to an hour, and nothing more', async (t) => {
  const owner = await app.build.user();
  const tag = newWord();
  const [often] = await schedules(owner, tag, ['*/20 * * * *', '0 0 1 1 *']);
  const coming = async (query: string) =>
    (await listed(t, app.as(owner), `search=${tag}&order_by=id&${query}`)).map(
      (one) => (one as Listed & { coming_runs?: string[] }).coming_runs,
    );
  const first = often!.next_run_at!.getTime();
  const [runs, none] = await coming('coming_minutes=60');
  t.deepEqual(
    runs,
    [0, 20, 40].map((minutes) => new Date(first + minutes * 60_000).toISOString()),
  );
  t.deepEqual(none, []);
  t.deepEqual(await coming(''), [undefined, undefined]);
  t.is((await app.as(owner).get('/pipeline_schedules?coming_minutes=61')).status, 400);
});

test('it needs a sign-in, and bad filters are refused by name', async (t) => {
  t.is((await app.anonymous.get('/pipeline_schedules')).status, 401);
  const { status, body } = await app
    .as(await app.build.user())
    .get('/pipeline_schedules?due_before=soon&last_run_status=gone&active=perhaps&order_by=cron');
  t.is(status, 400);
  for (const name of ['due_before', 'last_run_status', 'active', 'order_by'])
    t.regex((body as { error: string }).error, new RegExp(name));
});

test.serial('the newest run tells what became of it, and last_run_status chooses by that alone', async (t) => {
  const owner = await app.build.user();
  const tag = newWord();
  const [good, bad] = await schedules(owner, tag, ['0 3 * * *', '0 4 * * *']);
  await app.context().query(sql`update pipeline_schedules set ref = 'refs/heads/gone' where id = ${bad!.id}`);
  app.clock.advance('1 day');
  await ring(app);
  const failed = await listed(t, app.as(owner), `search=${tag}&last_run_status=failed`);
  t.deepEqual(
    failed.map(({ id }) => id),
    [bad?.id],
  );
  t.is(failed[0]?.last_run?.state, 'failed');
  t.truthy(failed[0]?.last_run?.reason);
  // What failed before and has fired since is no failure any more.
  await app.context().query(sql`update pipeline_schedules set ref = 'refs/heads/main' where id = ${bad!.id}`);
  app.clock.advance('1 day');
  await ring(app);
  t.deepEqual(await listed(t, app.as(owner), `search=${tag}&last_run_status=failed`), []);
  const fired = await listed(t, app.as(owner), `search=${tag}&last_run_status=fired&order_by=id`);
  t.deepEqual(
    fired.map(({ id }) => id),
    [good?.id, bad?.id],
  );
});

test.serial('a schedule knows of its newest run whatever writes, ends or removes runs', async (t) => {
  const owner = await app.build.user();
  const tag = newWord();
  const [one] = await schedules(owner, tag, ['0 3 * * *']);
  const ctx = app.context();
  const found = async () => {
    const states: string[] = [];
    for (const state of ['pending', 'fired', 'failed', 'missed', 'skipped'])
      if ((await listed(t, app.as(owner), `search=${tag}&last_run_status=${state}`)).length > 0) states.push(state);
    const two = await listed(t, app.as(owner), `search=${tag}&last_run_status=pending,missed`);
    return two.length > 0 ? [...states, 'of two'] : states;
  };
  const add = (state: string, hour: number) =>
    ctx.query(sql`
      insert into pipeline_schedule_runs (project_id, pipeline_schedule_id, due_at, trigger, state, created_at)
      values (${one!.project_id}, ${one!.id}, ${new Date(Date.UTC(2030, 0, 1, hour))}, 'cron', ${state}, now())`);
  t.deepEqual(await found(), []);
  await add('skipped', 1);
  t.deepEqual(await found(), ['skipped']);
  await add('missed', 2);
  t.deepEqual(await found(), ['missed', 'of two']);
  await add('pending', 3);
  t.deepEqual(await found(), ['pending', 'of two']);
  await ctx.query(sql`
    update pipeline_schedule_runs set state = 'fired' where state = 'pending' and pipeline_schedule_id = ${one!.id}`);
  t.deepEqual(await found(), ['fired']);
  await ctx.query(sql`delete from pipeline_schedule_runs where state = 'fired' and pipeline_schedule_id = ${one!.id}`);
  t.deepEqual(await found(), ['missed', 'of two']);
  await ctx.query(sql`delete from pipeline_schedule_runs where pipeline_schedule_id = ${one!.id}`);
  t.deepEqual(await found(), []);
});

test.serial('those whose newest run failed are found by an index, however many schedules there are', async (t) => {
  const owner = await app.build.user();
  const tag = newWord();
  const [one] = await schedules(owner, tag, ['0 3 * * *']);
  const ctx = app.build.contextOf(owner);
  await ctx.query(sql`
    with made as (
      insert into pipeline_schedules (project_id, owner_id, description, ref, cron, cron_timezone, active, next_run_at,
                                      created_at, updated_at)
      select s.project_id, s.owner_id, 'Many', s.ref, s.cron, s.cron_timezone, true, s.next_run_at, now(), now()
        from pipeline_schedules s, generate_series(1, 8000) where s.id = ${one!.id} returning id, project_id)
    insert into pipeline_schedule_runs (project_id, pipeline_schedule_id, due_at, trigger, state, created_at)
    select m.project_id, m.id, now(), 'cron', case when m.id % 1000 = 0 then 'failed' else 'fired' end, now() from made m`);
  await ctx.query(sql`analyze pipeline_schedules, pipeline_schedule_runs`);
  const input = parseParams(listAllPipelineSchedules.params, { last_run_status: 'failed,missed' });
  const list = await listAllPipelineSchedules.run(ctx, null, input);
  const client = await app.services.db.pool.connect();
  try {
    const { whole, text } = await explainList(client, list);
    t.deepEqual(whole, [], text);
  } finally {
    client.release();
  }
  t.is((await listed(t, app.as(owner), 'last_run_status=failed,missed')).length, 8);
  // Counting is most of what such a page costs: it ends at a thousand.
  const getTotal = async (query: string) =>
    (await app.as(owner).get(`/pipeline_schedules?${query}`)).headers.get('x-total');
  t.is(await getTotal('membership=true'), null);
  t.is(await getTotal('last_run_status=failed&per_page=2'), '8');
});

test('active, owner, due_before and membership choose, and what never runs again comes last', async (t) => {
  const owner = await app.build.user();
  const other = await app.build.user();
  const tag = newWord();
  const [first, second, never] = await schedules(owner, tag, ['0 3 * * *', '0 5 * * *', '0 4 * * *']);
  await app.as(owner).put(getPath(second!.project, `/${second!.id}`), { active: false });
  await app.context().query(sql`update pipeline_schedules set next_run_at = null where id = ${never!.id}`);
  const found = async (query: string, user = owner) =>
    descriptions(await listed(t, app.as(user), `search=${tag}&${query}`));
  t.deepEqual(await found(''), [`${tag} 0`, `${tag} 1`, `${tag} 2`]);
  t.deepEqual(await found('active=true'), [`${tag} 0`, `${tag} 2`]);
  t.deepEqual(await found('active=false'), [`${tag} 1`]);
  t.deepEqual(await found(`owner=${owner.username.toUpperCase()}`), [`${tag} 0`, `${tag} 1`, `${tag} 2`]);
  t.deepEqual(await found(`owner=${other.username}`), []);
  const { body } = await app.as(owner).get(getPath(first!.project, `/${first!.id}`));
  const dueAt = (body as { next_run_at: string }).next_run_at;
  t.deepEqual(await found(`due_before=${new Date(Date.parse(dueAt) + 1).toISOString()}`), [`${tag} 0`]);
  t.deepEqual(await found(`due_before=${dueAt}`), []);
  await app.as(owner).put(`/projects/${first!.project.id}`, { visibility: 'public' });
  t.deepEqual(await found('', other), [`${tag} 0`]);
  t.deepEqual(await found('membership=true', other), []);
  t.deepEqual(await found('membership=true'), [`${tag} 0`, `${tag} 1`, `${tag} 2`]);
});

// Contract: local.all-schedules
test('keyset pages show each schedule once, those without a next run too', async (t) => {
  const owner = await app.build.user();
  const tag = newWord();
  const created = await schedules(owner, tag, ['0 3 * * *', '0 3 * * *', '0 4 * * *', '0 5 * * *', '0 6 * * *']);
  for (const one of created.slice(3))
    await app.context().query(sql`update pipeline_schedules set next_run_at = null where id = ${one.id}`);
  for (const sort of ['asc', 'desc']) {
    const foundIds: number[] = [];
    let path: string | null = `/pipeline_schedules?search=${tag}&pagination=keyset&per_page=2&sort=${sort}`;
    for (let pages = 0; path !== null && pages < 6; pages += 1) {
      const { body, headers } = await app.as(owner).get(path);
      foundIds.push(...(body as Listed[]).map(({ id }) => id));
      path = /<[^>]*\/api\/v4([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
    }
    const ids = created.map(({ id }) => id);
    t.deepEqual(foundIds, sort === 'asc' ? ids : ids.toReversed());
  }
});

/** Combinations of project visibility, access level of builds, and public jobs. */
const CASES = (['private', 'internal', 'public'] as const).flatMap((visibility) =>
  (['enabled', 'private', 'disabled'] as const).flatMap((builds) =>
    [true, false].map((publicJobs) => ({ visibility, builds, publicJobs })),
  ),
);

// Contract: local.all-schedules
test('the list holds just what each caller finds in the projects themselves', async (t) => {
  const tag = newWord();
  const people = [await app.build.user(), await app.build.admin(), await app.build.user({ external: true })];
  const byRole = await Promise.all(
    (['guest', 'reporter', 'developer'] as const).map(async (role) => ({ role, user: await app.build.user() })),
  );
  const projects: number[] = [];
  for (const { visibility, builds, publicJobs } of CASES) {
    const schedule = await app.build.schedule({ description: `${tag} ${visibility} ${builds}`, cron: NIGHTLY.cron });
    const { id } = schedule.project;
    for (const { role, user } of byRole) await app.build.member({ id }, role, user);
    await app.context().query(sql`update projects set visibility = ${visibility}, builds_access_level = ${builds},
      public_jobs = ${publicJobs} where id = ${id}`);
    projects.push(id);
  }
  for (const user of [...people, ...byRole.map((one) => one.user)]) {
    const expected: number[] = [];
    for (const id of projects)
      if ((await app.as(user).get(`/projects/${id}/pipeline_schedules`)).status === 200) expected.push(id);
    const all = await listed(t, app.as(user), `search=${tag}&per_page=100&order_by=id`);
    t.deepEqual(
      all.map(({ project }) => project.id),
      expected,
      user.username,
    );
  }
});
