import test from 'ava';
import { sql } from 'kysely';
import { playPipelineSchedules } from '../../../shared/ci/ci.jobs.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

async function projectWithSchedule() {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const path = `/projects/${project.id}/pipeline_schedules`;
  const { body } = await client.post(path, { description: 'Nightly', ref: 'main', cron: '0 1 * * *' });
  const play = () =>
    client.graphql(
      `mutation { pipelineSchedulePlay(input: {id: "gid://service/Ci::PipelineSchedule/${body.id}"}) {
        errors pipelineSchedule { id } } }`,
    );
  const runs = async () => (await client.get(`${path}/${body.id}/runs`)).body.length;
  return { client, path: `${path}/${body.id}`, play, runs };
}

// Contract: graphql-1.6.play
test.serial(
  'GraphQL runs a schedule once a minute for each user and schedule, REST as often as one likes',
  async (t) => {
    const { client, path, play, runs } = await projectWithSchedule();
    const other = await projectWithSchedule();
    t.deepEqual((await play()).body.data.pipelineSchedulePlay.errors, []);
    const { status, body } = await play();
    t.is(status, 200);
    t.is(body.errors[0].message, 'This endpoint has been requested too many times. Try again later.');
    t.deepEqual(body.data, { pipelineSchedulePlay: null });
    t.deepEqual((await other.play()).body.data.pipelineSchedulePlay.errors, [], 'another schedule');
    t.is((await client.post(`${path}/play`)).status, 201);
    t.is((await client.post(`${path}/play`)).status, 201);
    t.is(await runs(), 3);
  },
);

// Contract: pipeline-schedules-7.queue-refusal
test.serial('play that the queue refuses is told so and leaves no run behind', async (t) => {
  const { client, path, play, runs } = await projectWithSchedule();
  // The queue is gone, as after a restore that left it out.
  await app.context().query(sql`delete from pgboss.job where name = ${playPipelineSchedules.name}`);
  await app.context().query(sql`delete from pgboss.queue where name = ${playPipelineSchedules.name}`);
  const { status, body } = await client.post(`${path}/play`);
  t.deepEqual([status, body], [500, { message: 'Unable to schedule pipeline run immediately' }]);
  const { body: answer } = await play();
  t.deepEqual(answer.data.pipelineSchedulePlay, {
    errors: ['Unable to schedule a pipeline to run immediately.'],
    pipelineSchedule: null,
  });
  t.is(await runs(), 0);
});
