import { readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { runProjectImport } from '../../../shared/archives/container-imports/run-import.js';
import { dieAfter } from '../statements.js';
import { useApp } from '../../core/app.js';
import { contentSteps } from './content-steps.js';

const app = useApp(test);
const { sent, failuresOf, filledProject } = contentSteps(app);

// No test here has the queue work off imports: it runs them itself.
test.before('let tests ask as often as they like', () =>
  app.set({ project_export_limit: 0, project_download_export_limit: 0, project_import_limit: 0 }),
);

const leftOnDisk = () => readdirSync(path.join(app.services.config.dataDir, 'repositories', '@imports'));

// Contract: archives-7.import_repeat
test.serial(
  'a worker that dies among bundles is followed by one that goes on, and nothing is left on disk',
  async (t) => {
    const { project, bytes } = await filledProject();
    const as = app.as(project.owner);
    for (let after = 60; ; after += 15) {
      const { id } = await sent(project.owner, bytes);
      const { rows } = await app.services.db.pool.query('select id from archive_imports where project_id = $1', [id]);
      const importId = Number(rows[0].id);
      const died = await dieAfter(after, () => runProjectImport(app.context(), importId, id));
      await runProjectImport(app.context(), importId, id);
      t.is((await as.get(`/projects/${id}/import`)).body.import_status, 'finished', `after ${after}`);
      t.is((await as.get(`/projects/${id}/wikis`)).body.length, 2, `after ${after}`);
      const { body: snippets } = await as.get(`/projects/${id}/snippets`);
      t.deepEqual(snippets.map((one: { files: unknown[] }) => one.files.length).sort(), [1, 2], `after ${after}`);
      t.deepEqual(await failuresOf(id), [], `after ${after}`);
      if (!died) break;
    }
    t.deepEqual(leftOnDisk(), []);
  },
);

test.serial('two tries at once bring back each wiki and snippet once', async (t) => {
  const { project, bytes } = await filledProject();
  const as = app.as(project.owner);
  const { id } = await sent(project.owner, bytes);
  const { rows } = await app.services.db.pool.query('select id from archive_imports where project_id = $1', [id]);
  const run = () => runProjectImport(app.context(), Number(rows[0].id), id);
  // Each may conflict with the other, and is then retried.
  await Promise.allSettled([run(), run()]);
  await run();
  t.is((await as.get(`/projects/${id}/import`)).body.import_status, 'finished');
  t.is((await as.get(`/projects/${id}/wikis`)).body.length, 2);
  t.is((await as.get(`/projects/${id}/snippets`)).body.length, 2);
  t.deepEqual(await failuresOf(id), []);
  t.deepEqual(leftOnDisk(), []);
});
