import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { LocalStore } from '../../../shared/core/object-store/local-store.js';
import { objectKey, StoreUnavailable } from '../../../shared/core/object-store/object-store.js';
import type { ObjectStore } from '../../../shared/core/object-store/object-store.js';
import { TimeLimitedStore } from '../../../shared/core/object-store/time-limited-store.js';
import { pieces, testStore } from './store-rules.js';

const folders: string[] = [];

async function localStore(): Promise<LocalStore> {
  const folder = await mkdtemp(path.join(tmpdir(), 'capstan-patient-'));
  folders.push(folder);
  return new LocalStore(folder);
}

test.after.always('remove the stores', async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

testStore(test, 'patient', async () => new TimeLimitedStore(await localStore()));

const never = () => new Promise<never>(() => {});

test('patient: a store that stalls at any call is unavailable', async (t) => {
  const stalled: ObjectStore = {
    put: never,
    get: never,
    remove: never,
    async *list() {
      yield await never();
    },
    sweepUnfinished: never,
    close: () => Promise.resolve(),
  };
  const store = new TimeLimitedStore(stalled, 20);
  const key = objectKey('files');
  const calls = [
    () => store.put(key, pieces(Buffer.alloc(10))),
    () => store.get(key),
    () => store.remove([key]),
    () => store.list().next(),
    () => store.sweepUnfinished(new Date()),
  ];
  for (const call of calls) await t.throwsAsync<Error>(call, { instanceOf: StoreUnavailable });
});

test('patient: a store that stalls between two pieces, or behind the last one, is unavailable and keeps nothing', async (t) => {
  const local = await localStore();
  for (const stallsAt of [1, 3, Infinity]) {
    const key = objectKey('files');
    let resume = () => {};
    let resolveRemoved = (_keys: readonly string[]) => {};
    const removed = new Promise<readonly string[]>((resolve) => (resolveRemoved = resolve));
    const stalling = Object.assign(Object.create(local) as LocalStore, {
      put: async (name: string, content: AsyncIterable<Uint8Array>) => {
        let at = 0;
        const parts: Uint8Array[] = [];
        for await (const piece of content) {
          parts.push(piece);
          at += 1;
          if (at === stallsAt) await new Promise<void>((resolve) => (resume = resolve));
        }
        if (stallsAt === Infinity) await new Promise<void>((resolve) => (resume = resolve));
        await local.put(name, pieces(Buffer.concat(parts)));
      },
      remove: async (keys: readonly string[]) => {
        await local.remove(keys);
        resolveRemoved(keys);
      },
    });
    const store = new TimeLimitedStore(stalling, 20);
    await t.throwsAsync(store.put(key, pieces(randomBytes(300_000))), { instanceOf: StoreUnavailable });
    // It does its work after all.
    resume();
    t.deepEqual(await removed, [key]);
  }
});

/** More than a busy disk needs for a file. */
const TIMEOUT_MS = 1000;

test('patient: a sender and a reader may take their time', async (t) => {
  const store = new TimeLimitedStore(await localStore(), TIMEOUT_MS);
  const key = objectKey('files');
  const slow = async function* () {
    yield Buffer.from('one ');
    await pause(TIMEOUT_MS + 200);
    yield Buffer.from('two');
    await pause(TIMEOUT_MS + 200);
  };
  await store.put(key, slow());
  const { content } = await store.get(key);
  await pause(TIMEOUT_MS + 200);
  t.is((await buffer(content)).toString(), 'one two');
});
