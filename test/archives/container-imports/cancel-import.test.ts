import test from 'ava';
import { useApp } from '../../core/app.js';
import { importForm } from './sample-archive.js';
import { sampleProject } from './project-sample.js';

const app = useApp(test);

// Alone in its file: another test that had the queue worked off would have the import done before it is cancelled.
// Contract: project-imports-7.cancel
test('Maintainers cancel an import, which ends it for good, and nobody else does', async (t) => {
  const user = await app.build.user();
  const archive = sampleProject({ relations: { issues: [{ id: 1, iid: 1, title: 'One' }] } });
  const form = importForm(archive, { path: 'cancelled' });
  const { id } = (await app.as(user).raw('POST', '/api/v4/projects/import', form)).body;
  const path = `/projects/${id}/import`;
  t.is((await app.as(await app.build.user()).delete(path)).status, 404);
  const cancelled = await app.as(user).delete(path);
  t.is(cancelled.status, 200);
  t.like(cancelled.body, { import_status: 'failed', import_error: 'The import was cancelled.', phase: 'done' });
  t.is((await app.as(user).delete(path)).status, 409);
  await app.work();
  t.is((await app.as(user).get(`/projects/${id}/issues`)).body.length, 0);
  t.is((await app.as(user).get(path)).body.import_status, 'failed');
  const { id: other, owner } = await app.build.project();
  t.is((await app.as(owner).delete(`/projects/${other}/import`)).status, 404);
});
