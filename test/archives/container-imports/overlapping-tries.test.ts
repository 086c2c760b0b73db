import test from 'ava';
import { ExportAborted } from '../../../shared/archives/exports/export-state.js';
import { runExport, runRelationExport } from '../../../shared/archives/exports/run-export.js';
import { runGroupImport, runProjectImport } from '../../../shared/archives/container-imports/run-import.js';
import { ImportOvertaken, startArchiveImport } from '../../../shared/archives/archive-imports/import-state.js';
import { importProjectArchives } from '../../../shared/archives/archives.jobs.js';
import type { Context } from '../../../shared/core/context/context.js';
import { watchStatements } from '../statements.js';
import { useApp } from '../../core/app.js';
import { importForm, sampleArchive } from './sample-archive.js';
import { sampleProject } from './project-sample.js';

const app = useApp(test);

// No test here has the queue worked off: each runs the job itself.
test.before('let tests ask as often as they like', () => app.set({ project_import_limit: 0, group_import_limit: 0 }));

/** Runs an attempt, and runs another one from start to end before the first statement that contains the fragment. */
function overtakenAt(fragment: string, attempt: () => Promise<void>, other: () => Promise<void>): Promise<void> {
  let met = false;
  return watchStatements(async (statement) => {
    if (met || !statement.includes(fragment)) return;
    met = true;
    await other();
  }, attempt);
}

const getImport = async (column: 'project_id' | 'namespace_id', id: number): Promise<number> => {
  const { rows } = await app.services.db.pool.query<{ id: number }>(
    `select id from archive_imports where ${column} = $1`,
    [id],
  );
  return Number(rows[0]?.id);
};

/** Statements of an attempt outside of transactions: within one, the other attempt waits. */
const STATEMENTS = ['set "phase"', 'insert into "archive_import_rows"'];

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
  for (const [index, fragment] of STATEMENTS.entries()) {
    const form = importForm(sampleProject({ relations }), { path: `overtaken-${index}` });
    const { body } = await app.as(user).raw('POST', '/api/v4/projects/import', form);
    const importId = await getImport('project_id', body.id);
    let overtook = 0;
    const again = () => runProjectImport(app.context(), importId, body.id);
    await overtakenAt(fragment, again, async () => {
      overtook += 1;
      await again();
    });
    t.is(overtook, 1, fragment);
    t.like((await app.as(user).get(`/projects/${body.id}/import`)).body, { import_status: 'finished' }, fragment);
    t.is((await app.as(user).get(`/projects/${body.id}/issues/1/notes`)).body.length, 1, fragment);
    const { rows } = await app.services.db.pool.query(
      'select count(*)::int as failures from archive_import_failures where import_id = $1',
      [importId],
    );
    t.deepEqual(rows, [{ failures: 1 }], fragment);
  }
});

// Contract: group-imports-4.repeat
test('a try of a group import that another one overtakes while it reads changes nothing any more', async (t) => {
  const user = await app.build.user();
  const archive = sampleArchive([
    { id: 1, relations: { labels: [{ id: 1, title: 'bug', color: '#112233' }] } },
    { id: 2, relations: { milestones: [{ id: 1, iid: 1, title: 'One' }] } },
  ]);
  for (const [index, fragment] of STATEMENTS.entries()) {
    const path = `overtaken-${user.id}-${index}`;
    const sent = await app
      .as(user)
      .raw('POST', '/api/v4/groups/import', importForm(archive, { name: 'Overtaken', path }));
    t.is(sent.status, 202);
    const { body: group } = await app.as(user).get(`/groups/${path}`);
    const importId = await getImport('namespace_id', group.id);
    const again = () => runGroupImport(app.context(), importId);
    await overtakenAt(fragment, again, again);
    const importStatus = (await app.as(user).get(`/groups/${group.id}/import`)).body;
    t.like(importStatus, { status: 'finished', failures: [], groups: { total: 2, imported: 2, skipped: 0 } }, fragment);
    t.is((await app.as(user).get(`/groups/${group.id}/subgroups`)).body.length, 1, fragment);
  }
});

// Contract: archives-7.import_repeat
test('a try that the queue believes in and that an older one overtook ends as a failure, so another one follows', async (t) => {
  const user = await app.build.user();
  const form = importForm(sampleProject({ relations: {} }), { path: 'believed' });
  const { body } = await app.as(user).raw('POST', '/api/v4/projects/import', form);
  const importId = await getImport('project_id', body.id);
  const { boss, db } = app.services;
  const { name } = importProjectArchives;
  const fetched = async () => {
    const jobs = await boss.fetch<{ import_id: number }>(name, { batchSize: 100 });
    const job = jobs.find(({ data }) => data.import_id === importId);
    if (!job) throw new Error('The job is not there.');
    return job;
  };
  const state = async (id: string) => {
    const { rows } = await db.pool.query<{ state: string }>(
      'select state from pgboss.job where name = $1 and id = $2',
      [name, id],
    );
    return rows[0]?.state;
  };
  const stalled = await fetched();
  // As the queue does once it has heard nothing of the worker for a while.
  await db.pool.query(`update pgboss.job set state = 'retry', start_after = now() where id = $1`, [stalled.id]);
  const believed = await fetched();
  t.is(believed.id, stalled.id);
  const late = overtakenAt(
    'set "phase"',
    () => runProjectImport(app.context(), importId, body.id),
    async () => {
      await startArchiveImport(app.context(), importId);
    },
  );
  await t.throwsAsync(late, { instanceOf: ImportOvertaken });
  await boss.complete(name, [stalled]);
  t.is(await state(stalled.id), 'active', 'success of a try that the queue has given up is none of this one');
  await boss.fail(name, [believed]);
  t.is(await state(stalled.id), 'retry');
  await runProjectImport(app.context(), importId, body.id);
  t.like((await app.as(user).get(`/projects/${body.id}/import`)).body, { import_status: 'finished' });
});

// Contract: archives-2.1
test('exports know as well that another try works on them', async (t) => {
  const group = await app.build.group({ visibility: 'private' });
  await app.as(group.owner).post(`/groups/${group.id}/export`);
  await app.as(group.owner).post(`/groups/${group.id}/export_relations`);
  const getId = async (table: string) => {
    const { rows } = await app.services.db.pool.query<{ id: string }>(
      `select min(id) as id from ${table} where namespace_id = $1`,
      [group.id],
    );
    return Number(rows[0]?.id);
  };
  const [archive, relation] = [await getId('archive_exports'), await getId('relation_exports')];
  // The first statement of a started attempt reads the user who requested the export.
  const overtaken = (table: string, id: number, run: (ctx: Context, id: number) => Promise<void>) =>
    overtakenAt(
      '"n"."owner_id" = "u"."id"',
      () => run(app.context(), id),
      async () => {
        await app.services.db.pool.query(`update ${table} set attempts = attempts + 1 where id = $1`, [id]);
      },
    );
  const over = { instanceOf: ExportAborted };
  await t.throwsAsync(overtaken('archive_exports', archive, runExport), over);
  await t.throwsAsync(overtaken('relation_exports', relation, runRelationExport), over);
  await runExport(app.context(), archive);
  await runRelationExport(app.context(), relation);
  t.is((await app.as(group.owner).get(`/groups/${group.id}/export`)).body.status, 'finished');
});
