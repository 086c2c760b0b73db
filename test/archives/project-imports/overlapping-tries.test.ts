import test from 'ava';
import { runGroupImport } from '../../../shared/archives/group-imports/run-group-import.js';
import { runProjectImport } from '../../../shared/archives/project-imports/run-project-import.js';
import type { Context } from '../../../shared/core/context.js';
import { useApp } from '../../core/app.js';
import { importForm, sampleArchive } from '../group-imports/sample-archive.js';
import { sampleProject } from './project-sample.js';

const app = useApp(test);

// No test here has the queue worked off: each runs the job itself.
test.before('let tests ask as often as they like', () => app.set({ project_import_limit: 0, group_import_limit: 0 }));

/** A context that has another try done from its beginning to its end before the first statement with these words. */
function overtakenAt(words: string, other: () => Promise<void>): Context {
  const ctx = app.context();
  const query = ctx.query.bind(ctx);
  let met = false;
  ctx.query = (async (statement: { sql: string }) => {
    if (!met && statement.sql.includes(words)) {
      met = true;
      await other();
    }
    return query(statement as never);
  }) as never;
  return ctx;
}

const importOf = async (column: 'project_id' | 'namespace_id', id: number): Promise<number> => {
  const { rows } = await app.services.db.pool.query<{ id: number }>(
    `select id from archive_imports where ${column} = $1`,
    [id],
  );
  return Number(rows[0]?.id);
};

/** What a try does outside of transactions: within one the other try waits. */
const PLACES = ['set phase', 'insert into archive_import_rows'];

// Contract: archives-7.import_repeat
test('a try of a project import that another one overtakes while it reads changes nothing any more', async (t) => {
  const relations = {
    labels: [
      { id: 1, title: 'bug', color: '#112233' },
      { id: 2, title: 7 },
    ],
    issues: [{ id: 1, iid: 1, title: 'One', notes: [{ id: 1, note: 'Hi' }] }],
  };
  const user = await app.build.user();
  for (const [index, words] of PLACES.entries()) {
    const form = importForm(sampleProject({ relations }), { path: `overtaken-${index}` });
    const { body } = await app.as(user).raw('POST', '/api/v4/projects/import', form);
    const importId = await importOf('project_id', body.id);
    let overtook = 0;
    const ctx = overtakenAt(words, async () => {
      overtook += 1;
      await runProjectImport(app.context(), importId, body.id);
    });
    await runProjectImport(ctx, importId, body.id);
    t.is(overtook, 1, words);
    t.like((await app.as(user).get(`/projects/${body.id}/import`)).body, { import_status: 'finished' }, words);
    t.is((await app.as(user).get(`/projects/${body.id}/issues/1/notes`)).body.length, 1, words);
    const { rows } = await app.services.db.pool.query(
      'select count(*)::int as failures from archive_import_failures where import_id = $1',
      [importId],
    );
    t.deepEqual(rows, [{ failures: 1 }], words);
  }
});

// Contract: group-imports-4.repeat
test('a try of a group import that another one overtakes while it reads changes nothing any more', async (t) => {
  const user = await app.build.user();
  const archive = sampleArchive([
    { id: 1, relations: { labels: [{ id: 1, title: 'bug', color: '#112233' }] } },
    { id: 2, relations: { milestones: [{ id: 1, iid: 1, title: 'One' }] } },
  ]);
  for (const [index, words] of PLACES.entries()) {
    const path = `overtaken-${user.id}-${index}`;
    const sent = await app
      .as(user)
      .raw('POST', '/api/v4/groups/import', importForm(archive, { name: 'Overtaken', path }));
    t.is(sent.status, 202);
    const { body: group } = await app.as(user).get(`/groups/${path}`);
    const importId = await importOf('namespace_id', group.id);
    await runGroupImport(
      overtakenAt(words, () => runGroupImport(app.context(), importId)),
      importId,
    );
    const told = (await app.as(user).get(`/groups/${group.id}/import`)).body;
    t.like(told, { status: 'finished', failures: [], groups: { total: 2, imported: 2, skipped: 0 } }, words);
    t.is((await app.as(user).get(`/groups/${group.id}/subgroups`)).body.length, 1, words);
  }
});
