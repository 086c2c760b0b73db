import { readdirSync, truncateSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import test from 'ava';
import { StoreUnavailable } from '../../../shared/core/object-store/object-store.js';
import { removeReleased } from '../../../shared/core/stored-files/sweep-objects.js';
import { useApp } from '../../core/app.js';
import { fileAt, getPackageProject, publish } from './publish.js';

const app = useApp(test);

const CONTENT = Buffer.alloc(1_000_000, 'x');

let inner: Pick<typeof app.services.objects, 'get' | 'put' | 'remove'>;
test.before('keep the store as it is', () => {
  const { objects } = app.services;
  inner = { get: objects.get.bind(objects), put: objects.put.bind(objects), remove: objects.remove.bind(objects) };
});
const repairStore = () => Object.assign(app.services.objects, inner);
test.afterEach.always('mend the store', repairStore);

const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

/** Lets some pieces through, and then fails. */
async function* cut(content: AsyncIterable<Uint8Array>, pieces: number, error: Error): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const piece of content) {
    if (count >= pieces) throw error;
    count += 1;
    yield piece;
  }
  throw error;
}

const filesBelow = (): string[] => {
  const folder = path.join(app.services.config.dataDir, 'objects');
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)));
  } catch {
    return [];
  }
};

async function counts(): Promise<unknown> {
  const { rows } = await app.services.db.pool.query(
    `select (select count(*)::int from packages) as packages, (select count(*)::int from package_files) as files,
            (select count(*)::int from stored_objects where kind = 'package_files') as objects`,
  );
  return rows[0];
}

// Contract: packages-1.trouble
test.serial(
  'an upload that the store refuses, is too full for, or breaks off leaves neither package nor bytes',
  async (t) => {
    const { project, developer } = await getPackageProject(app);
    const { objects } = app.services;
    const before = [filesBelow().length, await counts()];
    for (const [error, status] of [
      [() => new StoreUnavailable(), 503],
      [full, 507],
    ] as const)
      for (const pieces of [0, 1, 5, Infinity]) {
        objects.put = (key, content, signal) => inner.put(key, cut(content, pieces, error()), signal);
        const answer = await publish(developer, project.id, { content: CONTENT });
        t.is(answer.status, status, `after ${pieces} pieces`);
      }
    objects.put = async (key, content, signal) => {
      await inner.put(key, content, signal);
      throw new StoreUnavailable();
    };
    // It was stored although the client got an error: the sweep finds it a day later.
    t.is((await publish(developer, project.id, { content: CONTENT })).status, 503);
    const left = filesBelow().filter((name) => name.startsWith('package_files'));
    t.is(left.length, 1);
    repairStore();
    await inner.remove(left);
    t.deepEqual([filesBelow().length, await counts()], before);
    t.is((await publish(developer, project.id, { content: CONTENT })).status, 201);
  },
);

// Contract: packages-1.trouble
test.serial(
  'a download of what the store does not give, has lost or breaks off is never taken for the file',
  async (t) => {
    const { project, developer } = await getPackageProject(app);
    const { objects } = app.services;
    t.is((await publish(developer, project.id, { content: CONTENT })).status, 201);
    objects.get = () => Promise.reject(new StoreUnavailable());
    t.is((await developer.get(fileAt(project.id))).status, 503);
    const whole = async () => {
      const response = await fetch(`${app.url}/api/v4${fileAt(project.id)}`, {
        headers: { 'PRIVATE-TOKEN': project.owner.token },
      });
      return Buffer.from(await response.arrayBuffer());
    };
    for (const pieces of [0, 1]) {
      objects.get = async (key, range, signal) => {
        const found = await inner.get(key, range, signal);
        return {
          ...found,
          content: Readable.from(cut(found.content, pieces, new StoreUnavailable()), { objectMode: false }),
        };
      };
      await t.throwsAsync(whole, undefined, `after ${pieces} pieces`);
    }
    repairStore();
    t.true((await whole()).equals(CONTENT));
    const { rows } = await app.services.db.pool.query<{ key: string }>(
      'select o.key from stored_objects o join package_files f on f.object_id = o.id where f.project_id = $1',
      [project.id],
    );
    const file = path.join(app.services.config.dataDir, 'objects', rows[0]?.key ?? '');
    truncateSync(file, 500_000);
    t.is((await developer.get(fileAt(project.id))).status, 500, 'a part was lost');
    t.is((await developer.with({ Range: 'bytes=0-9' }).get(fileAt(project.id))).status, 500);
    rmSync(file);
    t.is((await developer.get(fileAt(project.id))).status, 500);
  },
);

// Contract: packages-1.trouble
test.serial('bytes that the store does not remove are removed by the next job', async (t) => {
  const { project, developer, maintainer, at } = await getPackageProject(app);
  t.is((await publish(developer, project.id)).status, 201);
  const [{ id } = { id: 0 }] = (await developer.get(at)).body as { id: number }[];
  const stored = filesBelow();
  t.is((await maintainer.delete(`${at}/${id}`)).status, 204);
  app.services.objects.remove = () => Promise.reject(new StoreUnavailable());
  await t.throwsAsync(removeReleased(app.context()), { instanceOf: StoreUnavailable });
  t.deepEqual(filesBelow(), stored);
  repairStore();
  t.true((await removeReleased(app.context())) >= 1);
  t.true(filesBelow().length < stored.length);
});
