import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { TooLarge } from '../../../shared/core/values/errors.js';
import { objectKey, ObjectMissing } from '../../../shared/core/object-store/object-store.js';
import type { StoredObject } from '../../../shared/core/stored-files/stored-object.entity.js';
import { openObject, releaseObjects, storeBytes, storing } from '../../../shared/core/stored-files/storing.js';
import { removeReleased, sweepObjects } from '../../../shared/core/stored-files/sweep-objects.js';
import { sql } from 'kysely';
import { useApp } from '../app.js';
import { pieces } from './store-rules.js';
import { queryOne } from '../query-one.js';

const app = useApp(test);

const getRow = (id: number) =>
  queryOne<StoredObject>(app.context(), sql`select * from stored_objects where id = ${id}`);

/** Names of the files of a kind. */
function getFiles(kind: string): string[] {
  try {
    const folder = path.join(app.services.config.dataDir, 'objects', kind);
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

const store = (kind: string, bytes: Buffer, limit = 10_000_000) => {
  const ctx = app.context();
  return storing(ctx, kind, pieces(bytes), { limit }, (object) => ctx.transaction(() => object.keep(ctx)));
};

test('bytes are seen with the commit of their row, counted and digested', async (t) => {
  const bytes = randomBytes(300_000);
  const row = await getRow(await store('seen', bytes));
  t.is(row?.bytes, 300_000);
  t.is(row?.sha256, createHash('sha256').update(bytes).digest('hex'));
  t.regex(row?.key ?? '', /^seen\/[0-9a-f]{2}\/[0-9a-f-]{36}$/);
  const ctx = app.context();
  t.true((await buffer(await openObject(ctx, row as StoredObject))).equals(bytes));
  const part = await openObject(ctx, row as StoredObject, { start: 10, end: 19 });
  t.true((await buffer(part)).equals(bytes.subarray(10, 20)));
});

test('beyond the limit, after a rollback and when nobody keeps them, nothing is left', async (t) => {
  await t.throwsAsync(store('over', Buffer.alloc(1001), 1000), { instanceOf: TooLarge });
  const ctx = app.context();
  const fails = storing(ctx, 'over', pieces(Buffer.alloc(10)), { limit: 10 }, (object) =>
    ctx.transaction(async () => {
      await object.keep(ctx);
      throw new Error('changed its mind');
    }),
  );
  await t.throwsAsync(fails, { message: 'changed its mind' });
  t.is(
    await storing(ctx, 'over', pieces(Buffer.alloc(10)), { limit: 10 }, () => Promise.resolve('kept none')),
    'kept none',
  );
  t.deepEqual(getFiles('over'), []);
  t.is(
    await store('over', Buffer.alloc(1000), 1000)
      .then(getRow)
      .then((row) => row?.bytes),
    1000,
  );
});

test('a few bytes stored in a transaction go with its rollback', async (t) => {
  const ctx = app.context();
  const { id } = await ctx.transaction(() => storeBytes(ctx, 'few', Buffer.from('abc')));
  t.is((await getRow(id))?.bytes, 3);
  await t.throwsAsync(
    ctx.transaction(async () => {
      await storeBytes(ctx, 'few', Buffer.from('def'));
      throw new Error('no');
    }),
  );
  await ctx.query(sql`select 1`);
  t.is((await ctx.query<object>(sql`select 1 from stored_objects o where o.kind = 'few'`)).length, 1);
});

test.serial('bytes that were lost or cut short are no part of an answer', async (t) => {
  const row = (await getRow(await store('lost', Buffer.from('abcdef')))) as StoredObject;
  const ctx = app.context();
  await t.throwsAsync(openObject(ctx, { ...row, bytes: 7 }), { instanceOf: ObjectMissing });
  await rm(path.join(app.services.config.dataDir, 'objects', row.key));
  await ctx.query(sql`update stored_objects set created_at = created_at - interval '1 hour' where id = ${row.id}`);
  await t.throwsAsync(openObject(ctx, row), { instanceOf: ObjectMissing });
  t.true((await sweepObjects(app.context())).missing >= 1);
});

test.serial('released bytes are removed by a job, and a second one finds nothing', async (t) => {
  const [remaining, gone] = [await store('released', Buffer.from('a')), await store('released', Buffer.from('b'))];
  const ctx = app.context();
  await ctx.transaction(() => releaseObjects(ctx, [gone]));
  t.is(getFiles('released').length, 2);
  t.true((await removeReleased(ctx)) >= 1);
  t.is(getFiles('released').length, 1);
  t.is(await getRow(gone), null);
  t.truthy(await getRow(remaining));
  await removeReleased(ctx);
  t.is(getFiles('released').length, 1);
});

test.serial('the sweep removes bytes that no row has named for a day, and nothing else', async (t) => {
  const remaining = await store('swept', Buffer.from('a'));
  const { objects, config } = app.services;
  const [old, young] = [objectKey('swept'), objectKey('swept')];
  for (const key of [old, young]) await objects.put(key, pieces(Buffer.from('orphan')));
  const before = new Date(app.clock.now().getTime() - 25 * 3600 * 1000);
  await utimes(path.join(config.dataDir, 'objects', old), before, before);
  const soon = new Date(app.clock.now().getTime() - 3600 * 1000);
  await utimes(path.join(config.dataDir, 'objects', young), soon, soon);
  await sweepObjects(app.context());
  const row = await getRow(remaining);
  t.deepEqual(getFiles('swept').toSorted(), [young, row?.key ?? ''].map((key) => key.split('/')[2] ?? '').toSorted());
});
