import test from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { eventually, ROOT_TOKEN, startService } from '../../core/processes.js';

// A process of its own: it waits for the minute of a schedule.

test('@gitbeaker/rest makes a project and a schedule, plays it, and sees its pipeline', async (t) => {
  const service = await startService(t);
  const client = new Gitlab({ host: service.url, token: ROOT_TOKEN });

  const project = await client.Projects.create({ name: 'Rocket', initializeWithReadme: true });
  t.is(project.default_branch, 'main');

  const schedule = await client.PipelineSchedules.create(project.id, 'Every minute', 'main', '* * * * *');
  t.is(schedule.ref, 'refs/heads/main');

  await client.PipelineSchedules.run(project.id, schedule.id);
  const played = await eventually(async () => {
    const pipelines = await client.PipelineSchedules.allTriggeredPipelines(project.id, schedule.id);
    return pipelines.find((pipeline) => pipeline.source === 'scheduled');
  });
  t.is(played.ref, 'main');
  t.is(played.status, 'pending');

  const edited = await client.PipelineSchedules.edit(project.id, schedule.id, { active: false });
  t.false(edited.active);
  const details = await client.PipelineSchedules.show(project.id, schedule.id);
  t.is(details.last_pipeline.id, played.id);
  await client.PipelineSchedules.remove(project.id, schedule.id);
  t.deepEqual(await client.PipelineSchedules.all(project.id), []);
});

// Contract: schedules-6.2
test('a schedule that is due fires at its moment, by itself', async (t) => {
  const service = await startService(t);
  const project = (await service.root.post('/projects', { name: 'Clock', initialize_with_readme: true })).body;
  const path = `/projects/${project.id}/pipeline_schedules`;
  const schedule = (await service.root.post(path, { description: 'Soon', ref: 'main', cron: '0 0 1 1 *' })).body;
  // Due in two seconds, as though its minute came: the worker hears of it as of any edit.
  const { rows } = await service.database.query(
    `update pipeline_schedules set next_run_at = date_trunc('second', now()) + interval '2 seconds' where id = $1
     returning next_run_at, pg_notify('capstan_pipeline_schedules', '')`,
    [schedule.id],
  );
  const [pipeline] = await eventually(async () => {
    const { body } = await service.root.get(`${path}/${schedule.id}/pipelines`);
    return body.length > 0 && body;
  });
  t.is(pipeline.source, 'scheduled');
  t.true(new Date(pipeline.created_at) >= rows[0].next_run_at, 'never early');
});
