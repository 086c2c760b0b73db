import test from 'ava';
import { sql } from 'kysely';
import { callInTurn } from '../../../shared/repositories/repositories/call-transfers.js';
import { importProjects } from '../../../shared/repositories/repositories.jobs.js';
import { sendDueUpdates } from '../../../shared/repositories/project-mirrors/mirror-state.js';
import { importOfProjects, failureOfImports } from '../../../workers/repositories/project-imports/import.js';
import { callOfTransfers } from '../../../workers/repositories/repositories.registry.js';
import { TestApp, useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';
import { remoteRepository, serveGit, webServer } from '../../git/git-remote.js';
import { handled } from '../../core/handled.js';

const app = useApp(test);
const UNREACHABLE = 'http://127.0.0.1:1027/nobody.git';

test.before('let the service fetch from this machine', () =>
  app.set({ allow_local_requests_from_web_hooks_and_services: true }),
);

async function getImport(user: BuiltUser, attributes: object = {}): Promise<number> {
  const sent = { name: `Import ${unique()}`, import_url: UNREACHABLE, ...attributes };
  return (await app.as(user).post('/projects', sent)).body.id;
}

const call = () => callInTurn(app.context());
const ofSome = (ids: readonly number[]) => sql`(j.data ->> 'project_id')::bigint = any(${ids}::bigint[])`;
/** Which of some projects have a job that runs or is about to. */
async function running(ids: readonly number[]): Promise<number[]> {
  const rows = await app.context().query<{ id: number }>(sql`
    select (j.data ->> 'project_id')::bigint as "id" from pgboss.job j
     where j.name in ('project_imports.import', 'project_mirrors.update', 'project_forks.import')
       and j.state in ('created', 'retry', 'active') and ${ofSome(ids)} order by 1`);
  return rows.map(({ id }) => id);
}
const setState = (ids: readonly number[], state: string) =>
  app.context().query(sql`
    update pgboss.job j set state = ${state}::pgboss.job_state where ${ofSome(ids)} and j.state <> 'completed'`);
const waiting = async () =>
  (await app.context().query(sql`select t.id from repository_transfers t where t.job_id is null`)).length;

// Contract: core-5.import_url.turns
test.serial('of one user two transfers run at a time; the next one comes when one of them ends', async (t) => {
  const [user, other] = [await app.build.user(), await app.build.user()];
  const mine = [await getImport(user), await getImport(user), await getImport(user), await getImport(user)];
  const theirs = [await getImport(other)];
  await call();
  t.deepEqual(await running([...mine, ...theirs]), [mine[0], mine[1], ...theirs]);
  await call();
  t.is((await running(mine)).length, 2);
  const job = { project_id: mine[0] };
  await handled(app, importOfProjects, [job]);
  await setState([mine[0] as number], 'completed');
  await call();
  t.deepEqual(await running(mine), [mine[1], mine[2]]);
  await app.work();
  for (const id of mine) t.is((await app.as(user).get(`/projects/${id}`)).body.import_status, 'failed');
  t.is(await waiting(), 0);
});

// Contract: core-5.import_url.turns
test.serial('in one top-level group four run at a time, wherever in it', async (t) => {
  const owner = await app.build.user();
  const group = (await app.as(owner).post('/groups', { name: 'Top', path: `top-${unique()}` })).body;
  const inner = { name: 'Inner', path: `inner-${unique()}`, parent_id: group.id };
  const below = (await app.as(owner).post('/groups', inner)).body;
  const ids: number[] = [];
  for (const parent of [group, below, group]) {
    const user = await app.build.user();
    await app.as(owner).post(`/groups/${group.id}/members`, { user_id: user.id, access_level: 40 });
    for (const _ of [1, 2]) ids.push(await getImport(user, { namespace_id: parent.id }));
  }
  await call();
  t.deepEqual(await running(ids), ids.slice(0, 4));
  await app.work();
  t.deepEqual(await running(ids), []);
});

// Contract: core-5.import_url.turns
test.serial('several processes that call at the same time call no more', async (t) => {
  const beside = new TestApp([], { beside: app });
  await beside.start();
  const user = await app.build.user();
  const ids = [await getImport(user), await getImport(user), await getImport(user)];
  await Promise.all([call(), callInTurn(beside.context()), call(), callInTurn(beside.context())]);
  t.is((await running(ids)).length, 2);
  await beside.stop();
  await app.work();
});

test.serial('mirrors and forks count like imports, and people who wait come before the clock', async (t) => {
  const user = await app.build.user();
  const projects = [];
  for (const _ of [1, 2, 3]) projects.push(await app.build.project({ owner: user, empty: true }));
  const mirrors = projects.map(({ id }) => id).toSorted((a, b) => a - b);
  for (const id of mirrors) await app.as(user).put(`/projects/${id}`, { mirror: true, import_url: UNREACHABLE });
  await app.work();
  app.clock.advance('2 hours');
  await sendDueUpdates(app.context());
  const imported = await getImport(user);
  const upstream = await app.build.project({ visibility: 'public' });
  const fork = (await app.as(user).post(`/projects/${upstream.id}/fork`)).body.id as number;
  const all = [...mirrors, imported, fork];
  await call();
  t.deepEqual(await running(all), [imported, fork]);
  await app.work();
  t.deepEqual(await running(all), []);
  t.is((await app.as(user).get(`/projects/${fork}`)).body.import_status, 'finished');
});

// Contract: core-5.import_url.turns
test.serial('the place of a job that is killed for good is free again; one that is tried again keeps it', async (t) => {
  const user = await app.build.user();
  const ids = [await getImport(user), await getImport(user), await getImport(user), await getImport(user)];
  await call();
  await setState(ids.slice(0, 2), 'retry');
  await call();
  t.deepEqual(await running(ids), ids.slice(0, 2));
  await setState(ids.slice(0, 1), 'failed');
  await call();
  t.deepEqual(await running(ids), ids.slice(1, 3));
  // The final failure of a job is reported, and also frees its slot.
  await handled(app, failureOfImports, [{ project_id: ids[1] }]);
  t.is((await app.as(user).get(`/projects/${ids[1]}`)).body.import_status, 'failed');
  await setState(ids.slice(1, 2), 'failed');
  await call();
  t.deepEqual(await running(ids), ids.slice(2));
  await app.work();
  t.is(await waiting(), 0);
});

test.serial('a job that was not called takes its turn, and holds no worker meanwhile', async (t) => {
  const repository = await remoteRepository(t);
  const url = await webServer(t, (request, response) => serveGit(repository, request, response));
  const user = await app.build.user();
  const id = await getImport(user, { import_url: url });
  // As an earlier version of the service sent it.
  await app.context().query(sql`delete from repository_transfers where project_id = ${id}`);
  await app.services.jobs.send(importProjects, { project_id: id });
  for (const _ of [1, 2]) await handled(app, importOfProjects, [{ project_id: id }]);
  t.is((await app.as(user).get(`/projects/${id}`)).body.import_status, 'scheduled');
  await app.work();
  t.is((await app.as(user).get(`/projects/${id}`)).body.import_status, 'finished');
  for (const _ of [1, 2]) await handled(app, importOfProjects, [{ project_id: id }]);
  await app.work();
  t.is((await app.as(user).get(`/projects/${id}`)).body.import_status, 'finished');
  t.is(await waiting(), 0);
});

test.serial('what is asked for again while it is done is done again; calls may be repeated', async (t) => {
  const repository = await remoteRepository(t);
  let count = 0;
  const url = await webServer(t, (request, response) => {
    if (request.method === 'GET') count += 1;
    serveGit(repository, request, response);
  });
  const project = await app.build.project({ empty: true });
  const as = app.as(project.owner);
  await as.put(`/projects/${project.id}`, { mirror: true, import_url: url });
  await call();
  app.clock.advance('30 minutes');
  await sendDueUpdates(app.context());
  for (const _ of [1, 2]) await handled(app, callOfTransfers, [{}]);
  t.is((await running([project.id])).length, 1);
  await app.work();
  const before = count;
  t.true(before > 0);
  t.is((await as.get(`/projects/${project.id}/mirror/pull`)).body.update_status, 'finished');
  await app.work();
  t.is(count, before);
  t.is(await waiting(), 0);
});
