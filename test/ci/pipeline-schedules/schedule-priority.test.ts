import test from 'ava';
import { importForm } from '../../archives/container-imports/sample-archive.js';
import { sampleProject } from '../../archives/container-imports/project-sample.js';
import { useApp } from '../../core/app.js';
import { create, getPath, NIGHTLY } from './schedule-steps.js';

const app = useApp(test);

// Contract: schedules-priority
test('the priority of a schedule is from 0 to 10, and 0 unless somebody says otherwise', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const { body: schedule } = await create(owner, project);
  t.is(schedule.priority, 0);
  const path = getPath(project, `/${schedule.id}`);
  for (const priority of [10, 0, 7]) t.is((await owner.put(path, { priority })).body.priority, priority);
  for (const [priority, problem] of [
    [-1, 'must be greater than or equal to 0'],
    [11, 'must be less than or equal to 10'],
  ] as const)
    for (const answer of [await owner.put(path, { priority }), await create(owner, project, { priority })]) {
      t.is(answer.status, 400);
      t.deepEqual(answer.body, { message: { priority: [problem] } });
    }
  t.is((await owner.put(path, { priority: 'high' })).status, 400);
  t.is((await owner.get(path)).body.priority, 7);
});

// Contract: schedules-priority
test('an import takes the priorities of its schedules, and leaves out schedules with another', async (t) => {
  const user = await app.build.user();
  const rows = [{ priority: 4 }, {}, { priority: 11 }].map((row, id) => ({ ...NIGHTLY, ...row, id: id + 1 }));
  const archive = sampleProject({ relations: { pipeline_schedules: rows } });
  const { body: project } = await app
    .as(user)
    .raw('POST', '/api/v4/projects/import', importForm(archive, { path: 'prioritized' }));
  await app.work();
  const { body: status } = await app.as(user).get(`/projects/${project.id}/import`);
  t.is(status.import_status, 'finished');
  t.is(status.failed_relations.length, 1);
  const { body } = await app.as(user).get(getPath(project));
  t.deepEqual(body.map(({ priority }: { priority: number }) => priority).toSorted(), [0, 4]);
});
