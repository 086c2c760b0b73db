import test from 'ava';
import { existsSync } from 'node:fs';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: readme-decision-23.projects
test('without a deletion period a project is hidden at once and removed by a job', async (t) => {
  await app.set({ deletion_adjourned_period: 0 });
  const project = await app.build.project();
  t.is((await app.as(project.owner).delete(`/projects/${project.id}`)).status, 202);
  t.is((await app.as(project.owner).get(`/projects/${project.id}`)).status, 404);
  const again = await app.as(project.owner).post('/projects', { name: project.name, path: project.path });
  t.is(again.status, 201);
  await app.work();
  t.false(existsSync(getRepositoryPath(app.context(), project)));
});
