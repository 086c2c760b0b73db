import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { create, getPath, ring } from '../pipeline-schedules/schedule-steps.js';

const app = useApp(test);

/** A project of two branches, and what its owner does with pipelines. */
async function pipelinesIn() {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  await owner.post(`${path}/repository/branches`, { branch: 'other', ref: 'main' });
  let files = 0;
  return {
    project,
    owner,
    path,
    start: async (ref: string): Promise<{ id: number; sha: string }> =>
      (await owner.post(`${path}/pipeline`, { ref })).body,
    commit: async (branch: string) => {
      files += 1;
      const file = { branch, content: 'x', commit_message: 'Add' };
      await owner.post(`${path}/repository/files/f${files}.txt`, file);
    },
    report: (pipeline: { id: number; sha: string }, name: string, state: string) =>
      owner.post(`${path}/statuses/${pipeline.sha}`, { name, state, pipeline_id: pipeline.id }),
    status: async ({ id }: { id: number }) => (await owner.get(`${path}/pipelines/${id}`)).body.status as string,
    jobs: async ({ id }: { id: number }) =>
      (await owner.get(`${path}/pipelines/${id}/jobs`)).body.map(({ status }: { status: string }) => status),
  };
}

// Contract: delivery-3.auto-cancel
test.serial('a newer pipeline cancels those of its ref that are for other commits and have not begun', async (t) => {
  const { start, commit, report, status, jobs } = await pipelinesIn();
  const [pending, running, elsewhere] = [await start('main'), await start('main'), await start('other')];
  await report(pending, 'build', 'pending');
  await report(running, 'build', 'running');
  const same = await start('main');
  t.is(await status(pending), 'pending', 'another pipeline of the same commit');
  await commit('main');
  const newer = await start('main');
  t.deepEqual([await status(pending), await jobs(pending)], ['canceled', ['canceled']]);
  t.is(await status(same), 'canceled');
  t.is(await status(running), 'running');
  t.is(await status(elsewhere), 'pending');
  t.is(await status(newer), 'pending');
});

// Contract: delivery-3.auto-cancel
test.serial('nothing is cancelled where the project does not want it, and nothing older than a week', async (t) => {
  const { project, owner, path, start, commit, status } = await pipelinesIn();
  await owner.put(path, { auto_cancel_pending_pipelines: 'disabled' });
  const first = await start('main');
  await commit('main');
  await start('main');
  t.is(await status(first), 'pending');
  await owner.put(path, { auto_cancel_pending_pipelines: 'enabled' });
  await app.context().query(sql`
    update pipelines set created_at = created_at - interval '8 days' where id = ${first.id} and project_id = ${project.id}`);
  await commit('main');
  await start('main');
  t.is(await status(first), 'pending');
});

// Contract: delivery-3.auto-cancel
test.serial('a run of a schedule neither cancels pipelines nor is cancelled by newer ones', async (t) => {
  const { project, owner, start, commit, status } = await pipelinesIn();
  const { body: schedule } = await create(owner, project, { ref: 'main', cron: '0 * * * *' });
  const before = await start('main');
  await commit('main');
  app.clock.advance('1 hour');
  await ring(app);
  const [run] = (await owner.get(getPath(project, `/${schedule.id}/pipelines`))).body;
  t.is(await status(before), 'pending');
  await commit('main');
  await start('main');
  t.is(await status(before), 'canceled');
  t.is(await status(run), 'pending');
});
