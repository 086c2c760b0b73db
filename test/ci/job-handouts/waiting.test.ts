import test from 'ava';
import { sql } from 'kysely';
import { claimJob } from '../../../shared/ci/job-handouts/claim-job.js';
import { useApp } from '../../core/app.js';
import { buildRunner, queueJobs } from './queue-steps.js';

const app = useApp(test);

// Contract: ci-job-queue.waiting
test.serial('a waiting job tells its turn and, to Maintainers, what each runner lacks', async (t) => {
  const group = await app.build.group();
  const project = await app.build.project();
  await app.context().query(sql`update projects set namespace_id = ${group.id} where id = ${project.id}`);
  const own = { runner_type: 'project_type', projects: [project] } as const;
  const runners = {
    untagged: await buildRunner(app, own),
    fitting: await buildRunner(app, { ...own, tag_list: ['a', 'b'] }),
    protected: await buildRunner(app, { ...own, tag_list: ['a'], access_level: 'ref_protected' }),
    paused: await buildRunner(app, { ...own, tag_list: ['a'], paused: true }),
    ofGroup: await buildRunner(app, { runner_type: 'group_type', namespace_id: group.id, tag_list: ['a'] }),
    ofInstance: await buildRunner(app, { tag_list: ['a'] }),
    foreign: await buildRunner(app, { runner_type: 'project_type', projects: [await app.build.project()] }),
  };
  await app
    .context()
    .query(sql`update project_settings set group_runners_enabled = false where project_id = ${project.id}`);
  await app.context().query(sql`update runners set contacted_at = null where id = ${runners.ofInstance.runner.id}`);
  const [first, second, third] = await queueJobs(app, project, 3, { tag_list: ['a'] });
  t.like(await claimJob(app.context(), runners.fitting.runner, runners.fitting.manager), { job_id: first });
  const owner = app.as(project.owner);
  const { status, body } = await owner.get(`/projects/${project.id}/jobs/${third}/queue`);
  t.is(status, 200);
  t.like(body, { status: 'pending', position: 2, queued_at: app.clock.now().toISOString() });
  t.is((await owner.get(`/projects/${project.id}/jobs/${second}/queue`)).body.position, 1);
  const reasonsOf = Object.fromEntries(
    body.runners.map(({ id, fits, reasons }: { id: number; fits: boolean; reasons: string[] }) => [
      id,
      [fits, reasons],
    ]),
  );
  t.deepEqual(reasonsOf, {
    [runners.untagged.runner.id]: [false, ['tags']],
    [runners.fitting.runner.id]: [true, ['busy']],
    [runners.protected.runner.id]: [false, ['protected']],
    [runners.paused.runner.id]: [false, ['paused']],
    [runners.ofGroup.runner.id]: [false, ['kind']],
    [runners.ofInstance.runner.id]: [true, ['offline']],
  });
  t.deepEqual(body.other_runners, { fitting: 0, unfit: 0 });
  const reporter = await app.build.member(project, 'reporter');
  const answer = (await app.as(reporter).get(`/projects/${project.id}/jobs/${third}/queue`)).body;
  t.deepEqual(
    answer.runners.map(({ id }: { id: number }) => id),
    [runners.ofInstance.runner.id],
  );
  t.deepEqual(answer.other_runners, { fitting: 1, unfit: 4 });
});

// Contract: ci-job-queue.waiting
test.serial('a job that waits for no runner has no turn, and a hidden one is not found', async (t) => {
  const project = await app.build.project();
  const built = await buildRunner(app, { runner_type: 'project_type', projects: [project] });
  const [id] = await queueJobs(app, project, 1);
  await claimJob(app.context(), built.runner, built.manager);
  const { body } = await app.as(project.owner).get(`/projects/${project.id}/jobs/${id}/queue`);
  t.deepEqual(body, {
    status: 'running',
    position: null,
    queued_at: null,
    runners: [],
    other_runners: { fitting: 0, unfit: 0 },
  });
  t.is((await app.as(await app.build.user()).get(`/projects/${project.id}/jobs/${id}/queue`)).status, 404);
});

// Contract: ci-job-queue.waiting
test.serial('runners that the caller may see are no others, however many there are', async (t) => {
  await app.context().query(sql`delete from runners`);
  const project = await app.build.project();
  const [id] = await queueJobs(app, project, 1);
  const fitting = await buildRunner(app);
  const now = app.clock.now();
  await app.context().query(sql`
    insert into runners (runner_type, token_digest, tag_list, contacted_at, created_at, updated_at)
    select 'instance_type', decode(md5(n::text), 'hex'), '{}', ${now}, ${now}, ${now} from generate_series(1, 120) n`);
  await app.context().query(sql`update runners set paused = id <> ${fitting.runner.id}`);
  await buildRunner(app, { runner_type: 'project_type', projects: [project] });
  const reporter = await app.build.member(project, 'reporter');
  const { body } = await app.as(reporter).get(`/projects/${project.id}/jobs/${id}/queue`);
  t.is(body.runners.length, 100);
  t.like(body.runners[0], { id: fitting.runner.id, fits: true });
  t.deepEqual(body.other_runners, { fitting: 1, unfit: 0 });
});
