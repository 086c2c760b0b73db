import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { runExport, runRelationExport } from '../../../shared/archives/exports/run-export.js';
import { runGroupImport, runProjectImport } from '../../../shared/archives/container-imports/run-import.js';
import type { ObjectStore } from '../../../shared/core/object-store/object-store.js';
import { StoreUnavailable } from '../../../shared/core/object-store/object-store.js';
import { failureOfExports, failureOfRelationExports } from '../../../workers/archives/exports/export.js';
import { failureOfGroupImports, failureOfProjectArchives } from '../../../workers/archives/container-imports/import.js';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import { getBundle } from '../container-imports/bundle-of.js';
import { sampleProject } from '../container-imports/project-sample.js';
import { importForm, sampleArchive } from '../container-imports/sample-archive.js';

const app = useApp(test);

// No test here has the queue worked off: each runs the job itself.
test.before('let tests ask as often as they like', () =>
  app.set({ project_import_limit: 0, group_import_limit: 0, project_export_limit: 0, group_export_limit: 0 }),
);

const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
const TROUBLES: [() => Error, string][] = [
  [full, 'There is no space left.'],
  [() => new StoreUnavailable(), 'The object store does not answer.'],
];

/** Has calls of the store fail: before it does anything, or once some bytes have gone through. */
function failing(call: 'get' | 'put', error: Error, afterPieces: number): void {
  const { objects } = app.services;
  async function* cut(content: AsyncIterable<Uint8Array>) {
    let pieces = 0;
    for await (const piece of content) {
      if (pieces >= afterPieces) throw error;
      pieces += 1;
      yield piece;
    }
    throw error;
  }
  if (call === 'put')
    objects.put = (key, content, signal) => inner.put(key, afterPieces < 0 ? failed(error) : cut(content), signal);
  else
    objects.get = async (key, range, signal) => {
      if (afterPieces < 0) throw error;
      const found = await inner.get(key, range, signal);
      return { ...found, content: Readable.from(cut(found.content)) };
    };
}

// oxlint-disable-next-line require-yield -- content that fails before its first byte
async function* failed(reason: Error): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  throw reason;
}

let inner: Pick<ObjectStore, 'get' | 'put'>;
test.before('keep the store as it is', () => {
  const { objects } = app.services;
  inner = { get: objects.get.bind(objects), put: objects.put.bind(objects) };
});
const repairStore = () => Object.assign(app.services.objects, inner);
test.afterEach.always('mend the store', repairStore);

/** Files in the store that no row names, and what imports keep on disk. */
async function leftOver(): Promise<string[]> {
  const { dataDir } = app.services.config;
  const names = (folder: string) => {
    try {
      return readdirSync(path.join(dataDir, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name);
    } catch {
      return [];
    }
  };
  const { rows } = await app.services.db.pool.query<{ key: string }>('select key from stored_objects');
  const keys = new Set(rows.map(({ key }) => key.split('/')[2]));
  return [...names('objects').filter((name) => !keys.has(name)), ...names(path.join('repositories', '@imports'))];
}

const newest = async (table: string): Promise<number> => {
  const { rows } = await app.services.db.pool.query<{ id: string }>(`select max(id) as id from ${table}`);
  return Number(rows[0]?.id);
};

const giveUp = (handler: object, payload: object) =>
  (handler as { handle(ctx: unknown, payload: object): Promise<void> }).handle(app.context(), payload);

// Contract: archives-trouble
test.serial(
  'an export that meets a full or silent store fails with that reason, and nothing half is kept or served',
  async (t) => {
    const group = await app.build.group({ visibility: 'private' });
    const owner = app.as(group.owner);
    for (let number = 0; number < 30; number += 1)
      await owner.post(`/groups/${group.id}/labels`, { name: `Label ${number}`, color: '#112233' });
    for (const [error, reason] of TROUBLES)
      for (const after of [-1, 0, 1]) {
        t.is((await owner.post(`/groups/${group.id}/export`)).status, 202);
        const id = await newest('archive_exports');
        failing('put', error(), after);
        await t.throwsAsync(runExport(app.context(), id), undefined, reason);
        repairStore();
        t.is((await owner.get(`/groups/${group.id}/export/download`)).status, 404);
        await giveUp(failureOfExports, { export_id: id });
        t.like((await owner.get(`/groups/${group.id}/export`)).body, { status: 'failed', error: reason });
        t.deepEqual(await leftOver(), [], `${reason} after ${after}`);
      }
    t.is((await owner.post(`/groups/${group.id}/export_relations`)).status, 202);
    const { rows } = await app.services.db.pool.query<{ id: string }>(
      `select id from relation_exports where namespace_id = $1 and relation = 'labels'`,
      [group.id],
    );
    const relation = Number(rows[0]?.id);
    failing('put', full(), 0);
    await t.throwsAsync(runRelationExport(app.context(), relation));
    repairStore();
    await giveUp(failureOfRelationExports, { export_id: relation });
    const { body } = await owner.get(`/groups/${group.id}/export_relations/status?relation=labels`);
    t.like(body, { status: -1, error: 'There is no space left.' });
    t.is((await owner.get(`/groups/${group.id}/export_relations/download?relation=labels`)).status, 404);
    t.deepEqual(await leftOver(), []);
  },
);

/** Runs an import until it is abandoned, while the store fails. */
async function failsWith(t: ExecutionContext, run: () => Promise<void>, error: Error, after: number): Promise<void> {
  failing('get', error, after);
  await t.throwsAsync(run);
  repairStore();
}

// Contract: archives-trouble
test.serial('an import that meets a full or silent store fails with that reason, and leaves no bytes', async (t) => {
  const user = await app.build.user();
  const as = app.as(user);
  const groups = sampleArchive([{ id: 1, relations: { labels: [{ id: 1, title: 'bug', color: '#112233' }] } }]);
  const project = sampleProject({
    relations: { labels: [{ id: 1, title: 'bug', color: '#112233' }] },
    bundle: await getBundle([]),
  });
  for (const [error, reason] of TROUBLES)
    for (const after of [-1, 0]) {
      const name = unique();
      const path_ = `trouble-${name}`;
      const sent = await as.raw('POST', '/api/v4/groups/import', importForm(groups, { name: path_, path: path_ }));
      t.is(sent.status, 202);
      const groupImport = await newest('archive_imports');
      await failsWith(t, () => runGroupImport(app.context(), groupImport), error(), after);
      await giveUp(failureOfGroupImports, { import_id: groupImport });
      t.like((await as.get(`/groups/${path_}/import`)).body, { status: 'failed', last_error: reason }, `${after}`);
      const response = await as.raw('POST', '/api/v4/projects/import', importForm(project, { path: path_ }));
      t.is(response.status, 201);
      const ids = { import_id: await newest('archive_imports'), project_id: response.body.id as number };
      await failsWith(t, () => runProjectImport(app.context(), ids.import_id, ids.project_id), error(), after);
      await giveUp(failureOfProjectArchives, ids);
      const status = (await as.get(`/projects/${ids.project_id}/import`)).body;
      t.like(status, { import_status: 'failed', import_error: reason }, `${after}`);
    }
  const { rows } = await app.services.db.pool.query(
    `select (select count(*)::int from archive_import_rows) as rows,
            (select count(*)::int from archive_imports where object_id is not null) as archives,
            (select count(*)::int from stored_objects where kind = 'imports' and removed_at is null) as objects`,
  );
  t.deepEqual(rows, [{ rows: 0, archives: 0, objects: 0 }]);
  t.deepEqual(await leftOver(), []);
});

// Contract: archives-trouble
test.serial('an upload that a store does not take makes neither group nor project', async (t) => {
  const user = await app.build.user();
  const as = app.as(user);
  for (const after of [-1, 0]) {
    failing('put', full(), after);
    const path_ = `full-${unique()}`;
    const group = await as.raw(
      'POST',
      '/api/v4/groups/import',
      importForm(sampleArchive([{ id: 1 }]), { name: path_, path: path_ }),
    );
    const project = await as.raw('POST', '/api/v4/projects/import', importForm(sampleProject({}), { path: path_ }));
    t.deepEqual([group.status, project.status], [507, 507]);
    repairStore();
    t.is((await as.get(`/groups/${path_}`)).status, 404);
    t.is((await as.get(`/projects/${encodeURIComponent(`${user.username}/${path_}`)}`)).status, 404);
  }
  t.deepEqual(await leftOver(), []);
});
