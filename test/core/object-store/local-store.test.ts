import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { LocalStore } from '../../../shared/core/object-store/local-store.js';
import { objectKey } from '../../../shared/core/object-store/object-store.js';
import { pieces, testStore } from './store-rules.js';

const folders: string[] = [];

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'capstan-objects-'));
  folders.push(folder);
  return folder;
}

test.after.always('remove the stores', async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

testStore(test, 'local', async () => new LocalStore(await makeFolder()));

test('local: what a process that died left half written is removed once it is old', async (t) => {
  const folder = await makeFolder();
  const store = new LocalStore(folder);
  await store.put(objectKey('files'), pieces(Buffer.from('whole')));
  const [old, young] = [path.join(folder, '.unfinished', randomUUID()), path.join(folder, '.unfinished', randomUUID())];
  await mkdir(path.dirname(old), { recursive: true });
  for (const file of [old, young]) await writeFile(file, 'half');
  const yesterday = new Date(Date.now() - 86_400_000);
  await utimes(old, yesterday, yesterday);
  t.is(await store.sweepUnfinished(new Date(Date.now() - 3_600_000)), 1);
  t.is(await store.sweepUnfinished(new Date(Date.now() - 3_600_000)), 0);
});

test('local: a full disk is told as what it is, and leaves nothing', async (t) => {
  const folder = await makeFolder();
  const store = new LocalStore(folder);
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  const content = async function* () {
    yield* pieces(Buffer.alloc(100_000));
    throw full;
  };
  t.is(await store.put(objectKey('files'), content()).catch((error: unknown) => error), full);
  t.is(await store.sweepUnfinished(new Date(Date.now() + 60_000)), 0);
});

test('local: a write that fails before its file is made makes none', async (t) => {
  const folder = await makeFolder();
  const store = new LocalStore(folder);
  // oxlint-disable-next-line require-yield -- content that fails before its first byte
  const content = async function* (): AsyncGenerator<Uint8Array> {
    await Promise.resolve();
    throw new Error('nothing came');
  };
  for (let time = 0; time < 50; time += 1)
    await t.throwsAsync(store.put(objectKey('files'), content()), { message: 'nothing came' });
  t.is(await store.sweepUnfinished(new Date(Date.now() + 60_000)), 0);
});
