import { setTimeout as pause } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import test from 'ava';
import { planProjectArchives, importProjectArchives, sweepImports } from '../../../shared/archives/archives.jobs.js';
import { handlers } from '../../../workers/domains.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { handled } from '../../core/handled.js';
import { eventually } from '../../core/processes.js';
import { importForm } from '../container-imports/sample-archive.js';
import { sampleProject } from '../container-imports/project-sample.js';
import { bombReasons, lineBombs } from './line-bombs.js';
import { whileWorking } from './planned.js';

const app = useApp(test);

test.before('let tests ask as often as they like', () => app.set({ project_import_limit: 0, group_import_limit: 0 }));

const archive = sampleProject({ relations: { labels: [{ id: 1, title: 'bug', color: '#112233' }] } });

const send = (user: BuiltUser, kind: 'projects' | 'groups', bytes: Buffer, path: string, dry_run = true) =>
  app.as(user).raw('POST', `/api/v4/${kind}/import`, importForm(bytes, { name: path, path, dry_run }));

const getHandler = (name: string) => handlers.find(({ kind }) => kind.name === name)!;

interface StoredPlan {
  id: number;
  status: string;
  object_id: number | null;
}

async function getPlans(user: BuiltUser): Promise<StoredPlan[]> {
  const { rows } = await app.services.db.pool.query<StoredPlan>(
    'select id::int as id, status, object_id from import_plans where user_id = $1 order by id',
    [user.id],
  );
  return rows;
}

/** Requests a plan whose job is not processed, and advances the clock by half a minute. */
async function requestPlan(user: BuiltUser, path: string) {
  const before = (await getPlans(user)).length;
  const answer = send(user, 'projects', archive, path);
  await eventually(async () => (await getPlans(user)).length > before);
  app.clock.advance('30 seconds');
  return answer;
}

// Tests one after the other: some move the clock.

// Contract: group-imports-1.plan-later, archives-7.project_plan_later
test.serial(
  'a plan that takes longer is read for an hour where the answer says, by whoever asked for it',
  async (t) => {
    const user = await app.build.user();
    const answer = await requestPlan(user, 'later');
    t.is(answer.status, 202, answer.text);
    t.like(answer.body, { kind: 'project', status: 'waiting', reason: null, plan: null, finished_at: null });
    const planPath = `/import_plans/${answer.body.id}`;
    t.is(answer.headers.get('location'), `/api/v4${planPath}`);
    t.is(answer.body._links.self, `http://capstan.test/api/v4${planPath}`);
    t.like((await app.as(user).get(planPath)).body, { status: 'waiting', plan: null });
    await handled(app, getHandler(planProjectArchives.name), [{ plan_id: answer.body.id }]);
    const { status, body } = await app.as(user).get(planPath);
    t.is(status, 200);
    t.like(body, { status: 'finished', plan: { full_path: `${user.username}/later`, failures_count: 0 } });
    t.deepEqual(body.plan.relations, [{ relation: 'labels', total: 1, skipped: 0 }]);
    for (const other of [await app.build.user(), await app.build.admin()])
      t.is((await app.as(other).get(planPath)).status, 404);
    t.is((await app.anonymous.get(planPath)).status, 401);
    t.is((await app.as(user).get('/import_plans/0')).status, 404);
    app.clock.advance('59 minutes');
    t.is((await app.as(user).get(planPath)).status, 200);
    app.clock.advance('1 minute');
    t.is((await app.as(user).get(planPath)).status, 404);
    await handled(app, getHandler(sweepImports.name), [{}]);
    t.deepEqual(await getPlans(user), []);
  },
);

// Contract: group-imports-1.plan-later
test.serial('a plan that is ready within half a minute is the answer, and nothing of it is kept', async (t) => {
  const user = await app.build.user();
  const { status, body } = await whileWorking(app, send(user, 'projects', archive, 'ready'));
  t.is(status, 200);
  t.is(body.full_path, `${user.username}/ready`);
  t.deepEqual(await getPlans(user), []);
  const { rows } = await app.services.db.pool.query(
    `select 1 from stored_objects where kind = 'imports' and removed_at is null`,
  );
  t.deepEqual(rows, []);
});

test.serial('a request hears of its plan, and holds no connection while it waits', async (t) => {
  const user = await app.build.user();
  app.changes.start();
  await eventually(() => Promise.resolve(app.changes.hearing));
  const answer = send(user, 'projects', archive, 'heard');
  const [plan] = await eventually(async () => {
    const found = await getPlans(user);
    return found.length > 0 && found;
  });
  await eventually(() => Promise.resolve(app.services.db.pool.idleCount === app.services.db.pool.totalCount));
  await handled(app, getHandler(planProjectArchives.name), [{ plan_id: plan!.id }]);
  t.is((await answer).status, 200);
});

// Contract: group-imports-1.plan-bounds
test.serial('plans are bounded by user: who has too many is answered 429, others are not', async (t) => {
  const user = await app.build.user();
  for (let count = 0; count < 5; count += 1) t.is((await requestPlan(user, `many-${count}`)).status, 202);
  const sixth = await send(user, 'projects', archive, 'many-5');
  t.is(sixth.status, 429);
  t.deepEqual(Object.keys(sixth.body.message), ['error']);
  t.is(sixth.headers.get('retry-after'), '30');
  t.is((await getPlans(user)).length, 5);
  const other = await app.build.user();
  t.is((await whileWorking(app, send(other, 'projects', archive, 'mine'))).status, 200);
  app.clock.advance('1 hour');
  t.is((await whileWorking(app, send(user, 'projects', archive, 'again'))).status, 200);
});

// Contract: group-imports-1.plan-bounds
test.serial('plans are bounded by instance', async (t) => {
  const [user, other] = [await app.build.user(), await app.build.user()];
  await app.services.db.pool.query(
    `insert into import_plans (user_id, kind, input, status, created_at)
     select $1, 'project', '{}', 'waiting', $2 from generate_series(1, 100)`,
    [other.id, app.clock.now()],
  );
  const answer = await send(user, 'projects', archive, 'full');
  t.is(answer.status, 503);
  t.is(answer.headers.get('retry-after'), '30');
  await app.services.db.pool.query('delete from import_plans where user_id = $1', [other.id]);
});

// Contract: group-imports-1.plan-ends
test.serial('a plan whose process dies, whose job is given up, cancelled or lost says so', async (t) => {
  const user = await app.build.user();
  const died = (await requestPlan(user, 'died')).body.id;
  const failedId = (await requestPlan(user, 'given-up')).body.id;
  const lost = (await requestPlan(user, 'lost')).body.id;
  const handlerOfPlans = getHandler(planProjectArchives.name) as never as {
    onProcessExit(ctx: unknown, payload: object, reason: string): Promise<void>;
  };
  await handlerOfPlans.onProcessExit(app.context(), { plan_id: died }, 'It took more memory than a job may.');
  await handled(app, getHandler('import_plans.fail'), [{ plan_id: failedId }]);
  await app.services.db.pool.query(`delete from pgboss.job where data ->> 'plan_id' = $1`, [String(lost)]);
  await handled(app, getHandler(sweepImports.name), [{}]);
  const read = async (id: number) => (await app.as(user).get(`/import_plans/${id}`)).body;
  const begun = 'The plan could not be made: ';
  t.like(await read(died), { status: 'failed', reason: `${begun}It took more memory than a job may.`, plan: null });
  t.like(await read(failedId), { status: 'failed', reason: `${begun}its job failed.` });
  t.like(await read(lost), { status: 'failed', reason: 'The job of the plan was lost.' });
  // The job of a plan that is over does nothing.
  await handled(app, getHandler(planProjectArchives.name), [{ plan_id: died }]);
  t.is((await read(died)).status, 'failed');
  t.deepEqual(
    (await getPlans(user)).map(({ object_id }) => object_id),
    [null, null, null],
  );
});

test.serial('a plan whose client leaves is dropped', async (t) => {
  const user = await app.build.user();
  const leaving = new AbortController();
  const answer = fetch(`${app.url}/api/v4/projects/import`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': user.token },
    body: importForm(archive, { path: 'left', dry_run: true }),
    signal: leaving.signal,
  });
  await eventually(async () => (await getPlans(user)).length === 1);
  leaving.abort();
  await t.throwsAsync(answer);
  await eventually(async () => (await getPlans(user)).length === 0);
  t.pass();
});

// Contract: group-imports-5.values
test.serial(
  'a bomb in a line is rejected with file and line, whether it is planned or imported; others are answered',
  async (t) => {
    const user = await app.build.user();
    for (const kind of ['projects', 'groups'] as const) {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      let others = 0;
      let over = false;
      const asking = (async () => {
        while (!over) {
          if ((await app.as(user).get('/user')).status === 200) others += 1;
          await pause(1);
        }
      })();
      const plan = await whileWorking(app, send(user, kind, lineBombs[kind], `bomb-${kind}`));
      over = true;
      await asking;
      delay.disable();
      t.is(plan.status, 422);
      t.deepEqual(plan.body, { message: { error: bombReasons[kind] } });
      t.true(others > 0);
      // Milliseconds, where such a line took many seconds.
      t.true(delay.max / 1e6 < 2_000, `the loop stood still for ${delay.max / 1e6} ms`);
      const real = await send(user, kind, lineBombs[kind], `bomb-${kind}`, false);
      t.is(real.status, kind === 'groups' ? 202 : 201);
      await app.work();
      const path = kind === 'groups' ? 'bomb-groups' : `${user.username}%2Fbomb-projects`;
      const { body } = await app.as(user).get(`/${kind}/${path}/import`);
      if (kind === 'groups') t.like(body, { status: 'failed', last_error: bombReasons.groups });
      else t.like(body, { import_status: 'failed', import_error: bombReasons.projects });
    }
    t.is(importProjectArchives.isolated, 'long');
  },
);
