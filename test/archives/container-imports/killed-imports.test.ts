import test from 'ava';
import { runProjectImport } from '../../../shared/archives/container-imports/run-import.js';
import { dieAfter } from '../statements.js';
import { useApp } from '../../core/app.js';
import { importForm } from './sample-archive.js';
import { getBundle } from './bundle-of.js';
import { sampleProject } from './project-sample.js';

const app = useApp(test);

// No test here has the queue worked off: each runs the job itself.
test.before('let tests ask as often as they like', () => app.set({ project_import_limit: 0 }));

// Contract: archives-7.import_repeat
test('a worker that dies after any statement is followed by one that ends the import as if nothing had been', async (t) => {
  const relations = {
    labels: [{ id: 1, title: 'bug', color: '#112233' }],
    issues: [
      { id: 1, iid: 1, title: 'One', notes: [{ id: 1, note: 'Hi' }], label_links: [{ label: { title: 'bug' } }] },
    ],
    boards: [{ id: 1, name: 'B' }],
    environments: [{ id: 1, name: 'production' }],
    merge_requests: [
      { id: 1, iid: 1, title: 'Merge it', state: 'closed', source_branch: 'side', target_branch: 'main' },
    ],
  };
  const archive = sampleProject({ relations, bundle: await getBundle([]) });
  const user = await app.build.user();
  for (let after = 3; ; after += 11) {
    const { body } = await app
      .as(user)
      .raw('POST', '/api/v4/projects/import', importForm(archive, { path: `killed-${after}` }));
    const { rows } = await app.services.db.pool.query<{ id: number }>(
      'select id from archive_imports where project_id = $1',
      [body.id],
    );
    const importId = Number(rows[0]?.id);
    const died = await dieAfter(after, () => runProjectImport(app.context(), importId, body.id));
    await runProjectImport(app.context(), importId, body.id);
    await runProjectImport(app.context(), importId, body.id);
    t.like(
      (await app.as(user).get(`/projects/${body.id}/import`)).body,
      { import_status: 'finished', import_error: null },
      `after ${after}`,
    );
    const asUser = app.as(user);
    const base = `/projects/${body.id}`;
    const counts = await Promise.all(
      ['labels', 'issues', 'boards', 'issues/1/notes', 'repository/branches', 'environments', 'merge_requests'].map(
        async (list) => (await asUser.get(`${base}/${list}`)).body.length as number,
      ),
    );
    t.deepEqual(counts, [1, 1, 1, 1, 1, 1, 1], `after ${after}`);
    if (!died) break;
  }
});
