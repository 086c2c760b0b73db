import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { createRunner, startPipeline, takeJob } from '../../web/scripted-runner.js';

const app = useApp(test);

const FILE = `
compile: {stage: build, script: make, tags: [linux]}
release: {stage: deploy, script: make release, tags: [linux], when: manual}
`;

// Contract: ci-states.gitbeaker
test('@gitbeaker/rest does the whole cycle of jobs', async (t) => {
  const project = await app.build.project();
  const token = await createRunner(app, project);
  const { Jobs: jobs, Pipelines: pipelines } = new Gitlab({ host: app.url, token: project.owner.token });
  const { id: pipelineId } = await startPipeline(app, project, FILE);
  const find = async (name: string) =>
    (await jobs.all(project.id, { pipelineId })).find((job) => job.name === name) as { id: number; status: string };
  const { id: first } = await find('compile');
  t.is((await jobs.cancel(project.id, first)).status, 'canceled');
  t.like(await jobs.retry(project.id, first), { name: 'compile', status: 'pending' });
  await app.work();

  const compile = await takeJob(app, token);
  t.not(compile?.id, first);
  await compile?.write('$ make\nmade\n');
  await compile?.end('success');
  const { id } = await find('compile');
  t.like(await jobs.show(project.id, id), {
    status: 'success',
    runner: { description: 'Builder' },
    tag_list: ['linux'],
  });
  t.is(await jobs.showLog(project.id, id), '$ make\nmade\n');

  const { id: manual, status } = await find('release');
  t.is(status, 'manual');
  const variables = [{ key: 'CHANNEL', value: 'stable' }];
  t.is((await jobs.play(project.id, manual, { jobVariablesAttributes: variables } as never)).status, 'pending');
  await app.work();
  const release = await takeJob(app, token);
  t.is(release?.id, manual);
  await release?.end('failed', 'script_failure');
  t.like(await jobs.show(project.id, manual), { status: 'failed', failure_reason: 'script_failure' });
  t.is((await pipelines.show(project.id, pipelineId)).status, 'success', 'a manual job may fail');
  t.deepEqual((await jobs.all(project.id, { pipelineId, includeRetried: true })).map((job) => job.name).toSorted(), [
    'compile',
    'compile',
    'release',
  ]);

  await jobs.erase(project.id, id);
  t.is(await jobs.showLog(project.id, id), '');
  t.truthy((await jobs.show(project.id, id)).erased_at);
  t.deepEqual(await jobs.allPipelineBridges(project.id, pipelineId), []);
});

// Contract: ci-states.gitbeaker
test('@gitbeaker/rest plays a schedule, whose pipeline is made of the file', async (t) => {
  const project = await app.build.project();
  const token = await createRunner(app, project);
  const client = new Gitlab({ host: app.url, token: project.owner.token });
  const schedules = client.PipelineSchedules;
  const { id: pipelineId } = await startPipeline(app, project, FILE);
  await client.Pipelines.cancel(project.id, pipelineId);
  const { id } = await schedules.create(project.id, 'nightly', 'main', '0 1 * * *');
  await schedules.run(project.id, id);
  await app.work();
  const job = await takeJob(app, token);
  t.is(job?.name, 'compile');
  await job?.end('success');
  const [pipeline] = await schedules.allTriggeredPipelines(project.id, id);
  t.like(pipeline, { status: 'success', source: 'scheduled' });
});
