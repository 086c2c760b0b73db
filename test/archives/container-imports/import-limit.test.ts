import test from 'ava';
import { useApp } from '../../core/app.js';
import { importForm } from './sample-archive.js';
import { sampleProject } from './project-sample.js';

const app = useApp(test);

// Contract: archives-6.project_import
test('the seventh import of a project in a minute is refused', async (t) => {
  const user = await app.build.user();
  const statuses: number[] = [];
  for (let at = 0; at < 7; at += 1) {
    const form = importForm(sampleProject({}), { path: `limited-${at}` });
    statuses.push((await app.as(user).raw('POST', '/api/v4/projects/import', form)).status);
  }
  t.deepEqual(statuses, [201, 201, 201, 201, 201, 201, 429]);
});
