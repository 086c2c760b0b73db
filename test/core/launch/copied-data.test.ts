import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { Installation, LAUNCH_MS } from './installation.js';

// A separate process: starts the whole service, and two copies of it in addition.

const installation = new Installation();
const dataDir = path.join(installation.directory, 'data');
const copy = path.join(installation.directory, 'copy');

test.after.always('remove the installation', () => installation.remove());

/** The claims of a running service: its locks, and the pid file of its database. */
const isClaim = (file: string) => /-lock\.\d+$|postmaster\.pid$/.test(file);

test.serial('a copy of a DATA_DIR whose service runs starts beside it, and leaves the original alone', async (t) => {
  t.timeout(LAUNCH_MS);
  const first = await installation.start({ DATA_DIR: dataDir });
  t.is((await first.root.post('/projects', { name: 'Copied', initialize_with_readme: true })).status, 201);
  await first.stop();
  // The files of a database that does not run, with the claims of one that does.
  execFileSync('cp', ['-a', dataDir, copy]);
  const original = await installation.start({ DATA_DIR: dataDir });
  const before = original.processes();
  for (const file of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(isClaim))
    execFileSync('cp', ['-a', path.join(dataDir, file), path.join(copy, file)]);

  const listed = await installation.admin(['list-users'], { DATA_DIR: copy });
  t.is(listed.code, 0, listed.stderr);
  t.is((await original.root.get('/user')).status, 200, 'a command on the copy leaves it alone as well');
  for (const name of readdirSync(dataDir).filter((file) => file.startsWith('service-lock')))
    execFileSync('cp', ['-a', path.join(dataDir, name), path.join(copy, name)]);

  const second = await installation.start({ DATA_DIR: copy });
  t.regex(second.said, new RegExp(`^capstan: ${copy} is a copy of ${dataDir}, made while a service ran there`, 'm'));
  t.is((await second.root.get('/projects/root%2Fcopied')).status, 200);
  t.deepEqual(original.processes(), before, 'none of its processes was ended');
  t.is((await original.root.get('/projects/root%2Fcopied')).status, 200);

  const third = installation.begin({ PORT: '0', DATA_DIR: copy });
  t.is(await third.exitCode(), 1);
  t.regex(third.said, /already running .*copy/, 'its own claim holds');
  t.is(await second.stop(), 0);
  t.is(await original.stop(), 0);
});

test.serial('a DATA_DIR that was moved while its service runs is still taken', async (t) => {
  t.timeout(LAUNCH_MS);
  const running = await installation.start({ DATA_DIR: copy });
  const moved = path.join(installation.directory, 'moved');
  renameSync(copy, moved);
  const again = installation.begin({ PORT: '0', DATA_DIR: moved });
  t.is(await again.exitCode(), 1);
  t.regex(again.said, /^Capstan is already running/m);
  renameSync(moved, copy);
  t.is(await running.stop(), 0);
});
