import { randomBytes, randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ExecutionContext, TestFn } from 'ava';
import { objectKey, ObjectMissing } from '../../../shared/core/object-store/object-store.js';
import type { ObjectStore } from '../../../shared/core/object-store/object-store.js';

/** Bytes in pieces of a size that no store writes at a time. */
export async function* pieces(bytes: Buffer, size = 50_000): AsyncGenerator<Buffer> {
  await Promise.resolve();
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Gives some bytes, and then fails. */
async function* failing(bytes: Buffer, error: Error): AsyncGenerator<Buffer> {
  yield* pieces(bytes);
  throw error;
}

async function getKeys(store: ObjectStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of store.list()) keys.push(...page.map(({ key }) => key));
  return keys;
}

async function absent(t: ExecutionContext, store: ObjectStore, key: string): Promise<void> {
  await t.throwsAsync(store.get(key), { instanceOf: ObjectMissing });
}

/** What every object store does; `make` opens one that is empty. */
export function testStore(test: TestFn, name: string, make: () => Promise<ObjectStore>): void {
  test(`${name}: what is stored is read again, whole and in ranges`, async (t) => {
    const store = await make();
    for (const size of [0, 1, 70_000, 12 * 1024 * 1024 + 7]) {
      const bytes = randomBytes(size);
      const key = objectKey('files');
      await store.put(key, pieces(bytes));
      const read = await store.get(key);
      t.is(read.bytes, size);
      t.true((await buffer(read.content)).equals(bytes));
      if (size < 70_000) continue;
      for (const [start, end] of [
        [0, 1],
        [size - 1, size - 1],
        [1, 65_536],
        [0, size - 1],
      ] as const) {
        const part = await store.get(key, { start, end });
        t.is(part.bytes, size);
        t.true((await buffer(part.content)).equals(bytes.subarray(start, end + 1)), `${start}-${end} of ${size}`);
      }
    }
    await store.close();
  });

  test(`${name}: what is removed is gone, and may be removed again`, async (t) => {
    const store = await make();
    const keys = [objectKey('files'), objectKey('files'), objectKey('pictures')];
    for (const key of keys) await store.put(key, pieces(Buffer.from(key)));
    const [first = '', second = '', third = ''] = keys;
    await store.remove([first, third]);
    await store.remove([first, objectKey('files')]);
    await absent(t, store, first);
    await absent(t, store, third);
    t.is((await buffer((await store.get(second)).content)).toString(), second);
    await store.close();
  });

  test(`${name}: a listing names every object once, in the order of the keys' bytes`, async (t) => {
    const store = await make();
    const keys = ['pictures', 'files', 'files', 'files_of_others', 'pictures'].map((kind) => objectKey(kind));
    for (const key of keys) await store.put(key, pieces(Buffer.from('content')));
    t.deepEqual(await getKeys(store), keys.toSorted());
    await store.close();
  });

  test(`${name}: a write that fails or is cut leaves nothing, however much came before`, async (t) => {
    const store = await make();
    const error = new Error('the client went away');
    for (const size of [0, 1000, 12 * 1024 * 1024]) {
      const key = objectKey('files');
      t.is(await store.put(key, failing(randomBytes(size), error)).catch((thrown: unknown) => thrown), error);
      await absent(t, store, key);
    }
    const cut = new AbortController();
    const key = objectKey('files');
    // The stream stalls: it sends nothing more and never ends.
    const stalled = new PassThrough({ signal: cut.signal });
    stalled.write(randomBytes(100_000), () => cut.abort());
    await t.throwsAsync(store.put(key, stalled, cut.signal), { name: 'AbortError' });
    await absent(t, store, key);
    t.deepEqual(await getKeys(store), []);
    t.is(await store.sweepUnfinished(new Date(Date.now() + 60_000)), 0);
    await store.close();
  });

  test(`${name}: a key that the service never makes reaches nothing`, async (t) => {
    const store = await make();
    for (const key of ['', '..', '../../etc/passwd', 'files/../../x', `files/ab/${randomUUID()}/..`, 'files/ab/\0'])
      await absent(t, store, key);
    await store.close();
  });
}
