import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: interface-2.2.next-run-at
test("the next run follows the schedule's time zone", async (t) => {
  const project = await app.build.project();
  const { status, body } = await app.as(project.owner).post(`/projects/${project.id}/pipeline_schedules`, {
    description: 'Nightly',
    ref: 'main',
    cron: '0 1 * * *',
    cron_timezone: 'Asia/Tokyo',
  });
  t.is(status, 201);
  t.is(body.next_run_at, '2030-01-01T16:00:00.000Z');
  t.is(body.ref, 'refs/heads/main');
  t.is(body.last_pipeline, null);
});
