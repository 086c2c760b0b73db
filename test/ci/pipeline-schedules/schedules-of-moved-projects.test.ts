import test from 'ava';
import { tickSchedules } from '../../../shared/ci/pipeline-schedules/tick-schedules.js';
import { useApp } from '../../core/app.js';
import { getPath, ring, getRuns } from './schedule-steps.js';

const app = useApp(test);

/** A project of a group with a schedule for each hour, owned by a Maintainer of the group. */
async function hourly() {
  const group = await app.build.group();
  const project = await app.build.projectIn(group, { empty: false });
  const keeper = await app.build.groupMember(group, 'maintainer');
  const schedule = await app.build.schedule({ project, owner: keeper, cron: '0 * * * *' });
  const owner = app.as(group.owner);
  const target = await app.build.group({ owner: group.owner });
  const nextRun = async () => (await owner.get(getPath(project, `/${schedule.id}`))).body;
  return {
    group,
    project,
    keeper,
    schedule,
    owner,
    target,
    nextRun,
    transfer: () => owner.put(`/projects/${project.id}/transfer`, { namespace: target.id }),
    pipelines: async () => (await owner.get(`/projects/${project.id}/pipelines`)).body.length,
    newest: async () => (await getRuns(app, schedule)).at(-1),
  };
}

async function inAnHour(): Promise<void> {
  app.clock.advance('1 hour');
  await ring(app);
}

const noRight = (username: string) =>
  `The owner ${username} may not create pipelines in this project: that needs at least the Developer role.`;

// Contract: schedules-7.archived
test.serial('a schedule that is due while its project is archived is skipped, and runs again after', async (t) => {
  const { project, owner, pipelines, newest, nextRun } = await hourly();
  await owner.post(`/projects/${project.id}/archive`);
  await inAnHour();
  t.like(await newest(), { state: 'skipped', reason: 'The project is archived.' });
  t.is(await pipelines(), 0);
  t.true((await nextRun()).active);
  await owner.post(`/projects/${project.id}/unarchive`);
  await ring(app);
  t.is(await pipelines(), 0);
  await inAnHour();
  t.like(await newest(), { state: 'fired' });
  t.is(await pipelines(), 1);
});

// Contract: schedules-7.marked
test.serial('a schedule that is due while its project is marked for deletion is skipped', async (t) => {
  const { project, owner, pipelines, newest } = await hourly();
  await owner.delete(`/projects/${project.id}`);
  await inAnHour();
  t.like(await newest(), { state: 'skipped', reason: 'The project is marked for deletion.' });
  await owner.post(`/projects/${project.id}/restore`);
  await inAnHour();
  t.like(await newest(), { state: 'fired' });
  t.is(await pipelines(), 1);
});

// Contract: schedules-7.archived
test.serial('a run that was claimed before its project was archived or marked does not start', async (t) => {
  const [one, other] = [await hourly(), await hourly()];
  app.clock.advance('1 hour');
  await tickSchedules(app.context());
  await one.owner.post(`/projects/${one.project.id}/archive`);
  await other.owner.delete(`/projects/${other.project.id}`);
  await app.work();
  t.like(await one.newest(), { state: 'skipped', reason: 'The project is archived.' });
  t.like(await other.newest(), { state: 'skipped', reason: 'The project is marked for deletion.' });
});

// Contract: schedules-7.marked
test.serial('a schedule of a removed project is gone with it', async (t) => {
  const { project, schedule } = await hourly();
  app.clock.advance('1 hour');
  await tickSchedules(app.context());
  const admin = await app.build.admin();
  await app.as(admin).delete(`/projects/${project.id}?permanently_remove=true`);
  await app.work();
  t.deepEqual(await getRuns(app, schedule), []);
});

// Contract: schedules-7.transferred
test.serial('after a transfer a schedule does not run by the role that its owner had in the old group', async (t) => {
  const { keeper, transfer, pipelines, newest, nextRun } = await hourly();
  t.is((await transfer()).status, 200);
  await inAnHour();
  t.like(await newest(), { state: 'failed', reason: noRight(keeper.username), pipeline_id: null });
  t.is(await pipelines(), 0);
  const { active, next_run_at } = await nextRun();
  t.true(active);
  t.is(next_run_at, new Date(app.clock.now().getTime() + 3_600_000).toISOString());
});

// Contract: schedules-7.transferred
test.serial('a run that was claimed before a transfer starts by the rights after it', async (t) => {
  const { keeper, transfer, pipelines, newest } = await hourly();
  app.clock.advance('1 hour');
  await tickSchedules(app.context());
  t.is((await transfer()).status, 200);
  await app.work();
  t.like(await newest(), { state: 'failed', reason: noRight(keeper.username) });
  t.is(await pipelines(), 0);
});

// Contract: schedules-7.transferred
test.serial('a lower role in the new group is not enough, a role of its own is', async (t) => {
  const { keeper, transfer, target, newest, project } = await hourly();
  await app.build.groupMember(target, 'reporter', keeper);
  await transfer();
  await inAnHour();
  t.like(await newest(), { state: 'failed', reason: noRight(keeper.username) });
  await app.build.member(project, 'maintainer', keeper);
  await inAnHour();
  t.like(await newest(), { state: 'fired', user_id: keeper.id });
});

// Contract: schedules-7.transferred
test.serial('after a transfer somebody of the new group takes the schedule over, and it runs', async (t) => {
  const { project, schedule, transfer, target, newest } = await hourly();
  await transfer();
  const heir = await app.build.groupMember(target, 'maintainer');
  const answer = await app.as(heir).post(getPath(project, `/${schedule.id}/take_ownership`));
  t.is(answer.body.owner.id, heir.id);
  await inAnHour();
  t.like(await newest(), { state: 'fired', user_id: heir.id });
});

test.serial('a schedule of a project in a group that moves keeps to the rights of its new place', async (t) => {
  const { group, keeper, newest } = await hourly();
  const parent = await app.build.group({ owner: group.owner });
  t.is((await app.as(group.owner).post(`/groups/${group.id}/transfer`, { group_id: parent.id })).status, 201);
  await inAnHour();
  // The role is in the group itself, which came along.
  t.like(await newest(), { state: 'fired', user_id: keeper.id });
});

// Contract: schedules-7.archived
test.serial('nobody presses play in an archived or marked project', async (t) => {
  const { project, schedule, owner } = await hourly();
  const play = () => owner.post(getPath(project, `/${schedule.id}/play`));
  await owner.post(`/projects/${project.id}/archive`);
  t.is((await play()).status, 403);
  await owner.post(`/projects/${project.id}/unarchive`);
  await owner.delete(`/projects/${project.id}`);
  t.is((await play()).status, 403);
});
