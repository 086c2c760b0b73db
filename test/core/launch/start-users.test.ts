import { chmodSync, chownSync, lchownSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { allBelow, Installation, readableBy, LAUNCH_MS } from './installation.js';
import type { Started } from './installation.js';

// A process of its own: starts the whole service, again and again, as several users.

const SERVICE = 65_530;
const DATABASE = 65_534;
const SOMEBODY = 65_529;
/** One that has a name everywhere, as people have. */
const ORDINARY = 65_534;

const asRoot = process.getuid?.() === 0;
const installation = new Installation();
const dataDir = path.join(installation.directory, 'data');
const inData = (name: string) => path.join(dataDir, name);

test.after.always('remove the installation', () => installation.remove());

const start = (env: NodeJS.ProcessEnv = {}) => installation.start({ DATA_DIR: dataDir, ...env });

/** Notes of moves go while one looks. */
const modesBelow = (directory: string) =>
  allBelow(directory).flatMap((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? [[file, found.mode] as const] : [];
  });

const openToOthers = () =>
  modesBelow(dataDir)
    .filter(([, mode]) => mode & 0o077)
    .map(([file, mode]) => `${(mode & 0o777).toString(8)} ${path.relative(dataDir, file)}`);

/** Whether the rest of a test can run; reports why if not. */
function canChangeUsers(t: ExecutionContext): boolean {
  if (process.platform !== 'linux') t.pass('processes are told as Linux tells them');
  else if (!asRoot) t.pass('only root starts processes as other users');
  else if (readableBy(SERVICE, [installation.checkout, path.resolve('node_modules')]).length === 2) return true;
  else t.pass('the checkout, or the temporary directory, is closed to other users');
  return false;
}

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A project with a repository and a picture. */
async function makeProject(t: ExecutionContext, { root }: Started, name: string): Promise<void> {
  const { status, text } = await root.post('/projects', { name, initialize_with_readme: true, visibility: 'private' });
  t.is(status, 201, text);
  const form = new FormData();
  form.append('avatar', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'picture.png');
  t.is((await root.raw('PUT', `/api/v4/projects/root%2F${name}`, form)).status, 200);
}

/** Reads a project's file, then commits: git both reads and writes existing files. */
async function useProject(t: ExecutionContext, { root }: Started, name: string): Promise<void> {
  const url = `/projects/root%2F${name}/repository`;
  t.regex((await root.get(`${url}/files/README.md/raw?ref=main`)).text, new RegExp(name));
  const actions = [{ action: 'create', file_path: `file-${Date.now()}`, content: 'text' }];
  const { status, text } = await root.post(`${url}/commits`, { branch: 'main', commit_message: 'More', actions });
  t.is(status, 201, text);
}

const getUids = (started: Started) =>
  Object.fromEntries(
    started.processes().map(({ uid, command }) => [/(api|workers)\/main|postgres/.exec(command)?.[0] ?? command, uid]),
  );

test.serial('everything below DATA_DIR is closed to other users, also what an earlier version left open', async (t) => {
  mkdirSync(dataDir, { mode: asRoot ? 0o711 : 0o700 });
  for (const name of ['repositories', 'objects', 'lock', 'compile-cache']) {
    mkdirSync(inData(name));
    chmodSync(inData(name), 0o755);
  }
  const service = await start();
  await makeProject(t, service, 'rocket');
  t.true(allBelow(inData('repositories')).length > 5);
  t.true(allBelow(inData('objects')).length > 0);
  t.true(allBelow(inData('compile-cache')).length > 0);
  t.deepEqual(openToOthers(), []);
  const locks = path.join(installation.checkout, '.data', 'lock');
  t.deepEqual(
    [locks, ...allBelow(locks)].filter((file) => statSync(file).mode & 0o077),
    [],
  );
  t.is(await service.stop(), 0);
});

test.serial(
  'started as root, service and database run as users of their own, and nobody reads what another keeps',
  async (t) => {
    if (!canChangeUsers(t)) return;
    t.timeout(LAUNCH_MS);
    const service = await start();
    await useProject(t, service, 'rocket');
    t.deepEqual(getUids(service), { 'api/main': SERVICE, 'workers/main': SERVICE, postgres: DATABASE });
    t.notRegex(service.said, /as root/);
    const below = (name: string) => allBelow(inData(name));
    const ofService = ['repositories', 'objects', 'incoming', 'compile-cache'].flatMap(below);
    const ofDatabase = below('postgres');
    t.deepEqual(readableBy(SOMEBODY, [dataDir, ...allBelow(dataDir)]), []);
    t.deepEqual(
      readableBy(DATABASE, allBelow(dataDir)).filter(
        (file) => !ofDatabase.includes(file) && file !== inData('postgres'),
      ),
      [],
    );
    t.true(readableBy(DATABASE, ofDatabase).length > 100);
    const read = readableBy(SERVICE, allBelow(dataDir));
    t.deepEqual(
      read.filter((file) => ofDatabase.includes(file)),
      [],
    );
    t.true(ofService.every((file) => read.includes(file)));
    for (const name of ['secret_key_base', 'postgres-password']) t.false(read.includes(inData(name)), name);
    await service.stop();
  },
);

test.serial('where others may write to DATA_DIR, root changes nothing of theirs and says so', async (t) => {
  if (!canChangeUsers(t)) return;
  t.timeout(LAUNCH_MS);
  const shared = path.join(installation.directory, 'shared');
  const elsewhere = path.join(installation.directory, 'elsewhere');
  for (const directory of [shared, elsewhere]) mkdirSync(directory);
  chmodSync(shared, 0o777);
  symlinkSync(elsewhere, path.join(shared, 'repositories'));
  const service = await start({ DATA_DIR: shared });
  t.regex(service.said, new RegExp(`^capstan: .* run as root: others may write to ${shared}\\.$`, 'm'));
  t.is(statSync(elsewhere).uid, 0);
  t.is(statSync(elsewhere).mode & 0o777, 0o755 & ~process.umask());
  await service.stop();
});

/** A privileged port that is currently free. */
async function rootsPort(): Promise<number> {
  for (let port = 1023; ; port -= 1) {
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}

test.serial('what root kept and left open is handed over once, and a port of root stays usable', async (t) => {
  if (!canChangeUsers(t)) return;
  t.timeout(LAUNCH_MS);
  const handed = ['repositories', 'incoming', 'objects', 'compile-cache'].map(inData);
  for (const file of handed.flatMap((directory) => [directory, ...allBelow(directory)])) {
    lchownSync(file, 0, 0);
    chmodSync(file, statSync(file).isDirectory() ? 0o755 : 0o644);
  }
  chmodSync(inData('lock'), 0o755);
  chmodSync(inData('secret_key_base'), 0o644);
  chmodSync(inData('postgres'), 0o755);
  const port = await rootsPort();
  const first = await start({ PORT: String(port) });
  t.is(first.url, `http://127.0.0.1:${port}`);
  t.regex(first.said, /^Giving \S+\/repositories to uid 65530 \.\.\.$/m);
  await useProject(t, first, 'rocket');
  t.is(getUids(first)['api/main'], SERVICE);
  t.deepEqual(openToOthers(), []);
  t.deepEqual(readableBy(SOMEBODY, allBelow(dataDir)), []);
  await first.stop();
  const second = await start();
  t.notRegex(second.said, /Giving/);
  await second.stop();
});

test.serial(
  'where its own user cannot reach the checkout, the service runs as root and says why; later it is handed over',
  async (t) => {
    if (!canChangeUsers(t)) return;
    t.timeout(LAUNCH_MS);
    chmodSync(installation.checkout, 0o700);
    const closed = await start();
    const lines = closed.said.split('\n').filter((line) => line.includes('as root'));
    const reason = `uid ${SERVICE} cannot enter ${installation.checkout}`;
    t.deepEqual(lines, [`capstan: API, workers and git run as root: ${reason}.`]);
    t.deepEqual(getUids(closed), { 'api/main': 0, 'workers/main': 0, postgres: DATABASE });
    await makeProject(t, closed, 'probe');
    await useProject(t, closed, 'rocket');
    t.deepEqual(openToOthers(), []);
    t.deepEqual(readableBy(SOMEBODY, allBelow(dataDir)), []);
    await closed.stop();
    chmodSync(installation.checkout, 0o755);
    const open = await start();
    t.is(getUids(open)['api/main'], SERVICE);
    await useProject(t, open, 'probe');
    await useProject(t, open, 'rocket');
    await open.stop();
  },
);

test.serial('an ordinary user runs all of it alone', async (t) => {
  if (!canChangeUsers(t)) return;
  t.timeout(LAUNCH_MS);
  const directory = path.join(installation.directory, 'of-somebody');
  mkdirSync(directory);
  chownSync(directory, ORDINARY, ORDINARY);
  rmSync(path.join(installation.checkout, '.data'), { recursive: true });
  const service = await installation.start({ DATA_DIR: path.join(directory, 'data') }, ORDINARY);
  await makeProject(t, service, 'rocket');
  t.deepEqual(getUids(service), { 'api/main': ORDINARY, 'workers/main': ORDINARY, postgres: ORDINARY });
  t.deepEqual(
    modesBelow(directory).filter(([, mode]) => mode & 0o077),
    [],
  );
  t.deepEqual(readableBy(SERVICE, allBelow(directory)), []);
  t.is(await service.stop(), 0);
});
