import test from 'ava';
import { sql } from 'kysely';
import { runSchedules } from '../../../shared/ci/pipeline-schedule-runs/run-schedules.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

async function tree() {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const sub = await app.build.group({ owner, parent: group });
  const project = await app.build.projectIn({ ...sub, owner }, { empty: false });
  const archive = (of: { id: number }) => app.as(owner).post(`/groups/${of.id}/archive`);
  const unarchive = (of: { id: number }) => app.as(owner).post(`/groups/${of.id}/unarchive`);
  const archived = async (kind: 'groups' | 'projects', of: { id: number }) =>
    (await app.as(owner).get(`/${kind}/${of.id}`)).body.archived as boolean;
  return { owner, group, sub, project, archive, unarchive, archived };
}

// Contract: core-3.archive
test('what lies in an archived group counts as archived, and as before once it is unarchived', async (t) => {
  const { group, sub, project, owner, archive, unarchive, archived } = await tree();
  const { status, body } = await archive(group);
  t.is(status, 200);
  t.true(body.archived);
  t.true(await archived('groups', sub));
  t.true(await archived('projects', project));
  const listed = async (query: string) =>
    ((await app.as(owner).get(`/projects?membership=true&${query}`)).body as unknown[]).length;
  t.deepEqual([await listed('archived=true'), await listed('archived=false'), await listed('active=true')], [1, 0, 0]);
  const back = await unarchive(group);
  t.is(back.status, 200);
  t.false(back.body.archived);
  t.false(await archived('groups', sub));
  t.false(await archived('projects', project));
  t.deepEqual([await listed('archived=true'), await listed('archived=false'), await listed('active=true')], [0, 1, 1]);
});

test('a group that was archived by itself stays so when the one above it is unarchived', async (t) => {
  const { group, sub, archive, unarchive, archived } = await tree();
  await archive(sub);
  t.false(await archived('groups', group));
  await archive(group);
  await unarchive(group);
  t.true(await archived('groups', sub));
});

// Contract: core-3.archive
test('archiving twice, or what is archived or frozen from above, is 422', async (t) => {
  const { group, sub, owner, archive, unarchive } = await tree();
  t.deepEqual((await unarchive(group)).body, { message: 'Group is already unarchived!' });
  await archive(group);
  for (const [answer, message] of [
    [await archive(group), 'Group is already archived!'],
    [await archive(sub), 'Cannot archive group since one of the ancestor groups is already archived!'],
    [await unarchive(sub), 'Cannot unarchive group since one of the ancestor groups is archived!'],
  ] as const) {
    t.is(answer.status, 422);
    t.deepEqual(answer.body, { message });
  }
  await unarchive(group);
  await app.as(owner).delete(`/groups/${group.id}`);
  t.is((await archive(sub)).status, 422);
});

// Contract: core-3.archive
test('in an archived group nothing is made or changed, and schedules do not run', async (t) => {
  const { group, sub, project, owner, archive } = await tree();
  const schedule = await app.build.schedule({ project, owner });
  await archive(group);
  const post = async (path: string, body: object) => (await app.as(owner).post(path, body)).status;
  t.is(await post('/groups', { name: 'New', path: 'new-group', parent_id: sub.id }), 403);
  t.is(await post('/projects', { name: 'New', namespace_id: sub.id }), 400);
  t.is(await post(`/projects/${project.id}/repository/branches`, { branch: 'x', ref: 'main' }), 403);
  app.clock.advance('1 day');
  await app.context().query(sql`
    insert into pipeline_schedule_runs (project_id, pipeline_schedule_id, due_at, trigger, user_id, state, created_at)
    values (${project.id}, ${schedule.id}, ${app.clock.now()}, 'cron', ${owner.id}, 'pending', ${app.clock.now()})`);
  const runs = await app.context().query<{ id: number }>(sql`
    select x.id from pipeline_schedule_runs x where x.pipeline_schedule_id = ${schedule.id}`);
  await runSchedules(
    app.context(),
    runs.map(({ id }) => id),
  );
  const { body } = await app.as(owner).get(`/projects/${project.id}/pipeline_schedules/${schedule.id}/runs`);
  t.like(body[0], { state: 'skipped', reason: 'The project is archived.' });
});

// Contract: core-3.archive
test('only Owners archive a group; it is told in its audit events', async (t) => {
  const { group, archive } = await tree();
  const maintainer = await app.build.groupMember(group, 'maintainer');
  t.is((await app.as(maintainer).post(`/groups/${group.id}/archive`)).status, 403);
  t.is((await app.as(await app.build.user()).post(`/groups/${group.id}/archive`)).status, 404);
  await archive(group);
  const events = await app.context().query<{ event_name: string }>(sql`
    select e.event_name from audit_events e where e.entity_type = 'Group' and e.entity_id = ${group.id} order by e.id`);
  t.deepEqual(
    events.map(({ event_name }) => event_name),
    ['group_created', 'group_archived'],
  );
});
