import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { failureOf, fullDiskProblem } from '#launch/full-disk.mjs';
import type { ExecutionContext } from 'ava';
import { Installation } from './installation.js';

// A process of its own: starts the service where nothing has room.

test('a full disk is told by the place that is full, with the setting that leads elsewhere', (t) => {
  const of = (error: unknown) => fullDiskProblem(error, '/data');
  const full = (file: string, code = 'ENOSPC') => Object.assign(new Error('no'), { code, path: file });
  t.is(
    of(full('/data/secret_key_base.new-7')),
    'The disk that holds /data/secret_key_base.new-7 is full: make room on it, or set DATA_DIR to a directory on another disk.',
  );
  t.regex(of(new Error('Cannot keep a lock', { cause: full('/data/x', 'EDQUOT') })) ?? '', /holds \/data\/x is full/);
  t.regex(of(full(path.resolve('node_modules'))) ?? '', /, or move the checkout to another disk\.$/);
  t.regex(of(full('/home/somebody/.npm/_cacache')) ?? '', /_cacache is full: make room on it\.$/);
  t.regex(of(Object.assign(new Error('no'), { code: 'ENOSPC' })) ?? '', /A disk is full: .* set DATA_DIR/);
  t.is(of(full('/data', 'EACCES')), null);
  for (const said of [
    'initdb: error: could not write to file "/data/x": No space left on device',
    'npm error code ENOSPC',
    'FATAL: could not extend file: Disk quota exceeded',
  ])
    t.regex(of(failureOf('It failed', said, '/data/postgres')) ?? '', /holds \/data\/postgres is full/, said);
  t.is(of(failureOf('It failed', 'initdb: error: no', '/data/postgres')), null);
  const cache = failureOf('It failed', 'npm error code ENOSPC\nnpm error path /cache/tmp/x\n', '/data');
  t.regex(of(cache) ?? '', /holds \/cache\/tmp\/x is full/);
});

/** Starts with a DATA_DIR on a disk of this size, which only the start sees. */
async function startOnDisk(t: ExecutionContext, size: string, fill: boolean) {
  const installation = new Installation();
  t.teardown(() => installation.remove());
  const disk = path.join(installation.directory, 'disk');
  mkdirSync(disk);
  const filled = fill ? `; head -c 100M /dev/zero 2>/dev/null >'${disk}/fill'` : '';
  const script = `mount -t tmpfs -o size=${size},mode=755 tmpfs '${disk}' || exit 99${filled}; exec "$@"`;
  const through = ['unshare', '--mount', 'sh', '-c', script, 'sh'];
  const started = installation.begin({ PORT: '0', DATA_DIR: path.join(disk, 'data') }, undefined, { through });
  return { code: await started.exitCode(), said: started.said };
}

for (const [what, size, fill, location] of [
  ['with no room for a lock', '64k', true, /data\/service-lock\S*/],
  ['with no room for a database', '8m', false, /data\/postgres\/\S+/],
] as const)
  test.serial(`a start on a disk ${what} says so in words`, async (t) => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return t.pass('only root can make a small disk');
    const { code, said } = await startOnDisk(t, size, fill);
    if (code === 99) return t.pass('nothing can be mounted here');
    t.is(code, 1, said);
    const pattern = `^capstan: The disk that holds \\S+${location.source} is full: make room on it, or set DATA_DIR to .*\\.$`;
    t.regex(said, new RegExp(pattern, 'm'));
    t.notRegex(said, /^ {4}at /m, 'no stack');
  });

test.serial('an installation that runs out of room says so in words', async (t) => {
  const installation = new Installation({ installed: false });
  t.teardown(() => installation.remove());
  const npm = path.join(installation.directory, 'npm-cli.js');
  writeFileSync(
    npm,
    `process.stderr.write('npm error code ENOSPC\\nnpm error path /cache/tmp/x\\n'); process.exit(228);`,
  );
  const started = installation.begin({
    PORT: '0',
    DATA_DIR: path.join(installation.directory, 'data'),
    npm_execpath: npm,
  });
  t.is(await started.exitCode(), 1, started.said);
  t.regex(started.said, /^npm error code ENOSPC$/m, 'what npm says is shown');
  t.regex(started.said, /^capstan: The disk that holds \/cache\/tmp\/x is full: make room on it\.$/m);
});
