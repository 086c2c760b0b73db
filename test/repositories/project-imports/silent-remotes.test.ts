import * as net from 'node:net';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { importFromUrl } from '../../../shared/repositories/project-imports/import-from-url.js';
import { updateMirror } from '../../../shared/repositories/project-mirrors/update-mirror.js';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import { gitDaemon, remoteRepository, serveGit, webServer } from '../../git/git-remote.js';

// A long test: servers that say nothing are waited for.

const app = useApp(test);
/** Instead of a minute. */
const SILENCE_MS = 300;
const SLOW_MS = 1000;
const DRIP_MS = 20;
const SILENT = 'The remote repository said nothing for 0 seconds.';
const SLOW = 'The remote repository sent less than 1000 bytes a second for 1 seconds.';
const UNREACHABLE = 'Unable to access repository with the URL and credentials provided';

test.before('let the service fetch from this machine', () =>
  app.set({ allow_local_requests_from_web_hooks_and_services: true }),
);

/**
 * A server that accepts connections, forwards a number of bytes from another server, and then sends nothing more or,
 * with `drips`, one byte at a time forever.
 */
async function fallsSilent(t: ExecutionContext, { port = 0, after = 0, drips = false } = {}): Promise<number> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    if (port === 0) return;
    const source = net.connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.add(source);
    socket.pipe(source);
    let left = after;
    let rest = Buffer.alloc(0);
    source.on('data', (piece: Buffer) => {
      if (left > 0) socket.write(piece.subarray(0, left));
      rest = Buffer.concat([rest, piece.subarray(Math.max(left, 0))]);
      left -= piece.length;
    });
    if (!drips) return;
    const timer = setInterval(() => {
      if (rest.length > 0) socket.write(rest.subarray(0, 1));
      rest = rest.subarray(1);
    }, DRIP_MS);
    socket.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return (server.address() as AddressInfo).port;
}

async function getImport(
  import_url: string,
  timeouts: { silenceMs?: number; slowMs?: number } = { silenceMs: SILENCE_MS },
) {
  const user = await app.build.user();
  const { body } = await app.as(user).post('/projects', { name: `Silent ${unique()}`, import_url });
  await importFromUrl(app.context(), body.id, null, timeouts);
  const after = (await app.as(user).get(`/projects/${body.id}`)).body;
  return { status: after.import_status as string, error: after.import_error as string | null };
}

// Serial: another test's work would do the import meanwhile, and wait for the whole minute.
// Contract: core-5.import_url.silence
test.serial('a server that says nothing ends an import, whatever its protocol', async (t) => {
  const port = await fallsSilent(t);
  t.deepEqual(await getImport(`git://127.0.0.1:${port}/a.git`), { status: 'failed', error: SILENT });
  t.deepEqual(await getImport(`http://127.0.0.1:${port}/a.git`), { status: 'failed', error: UNREACHABLE });
});

// Contract: core-5.import_url.silence
test.serial('so does one that falls silent in the middle of what it has to say', async (t) => {
  const repository = await remoteRepository(t);
  const daemon = await gitDaemon(t, repository, []);
  const web = Number(new URL(await webServer(t, (request, response) => serveGit(repository, request, response))).port);
  for (const after of [20, 200, 700]) {
    const git = await fallsSilent(t, { port: daemon, after });
    t.deepEqual(await getImport(`git://127.0.0.1:${git}/a.git`), { status: 'failed', error: SILENT }, `git ${after}`);
  }
  // The first response is only checked; git sends the request again, and then fetches the objects.
  const http = await fallsSilent(t, { port: web, after: 400 });
  t.deepEqual(await getImport(`http://127.0.0.1:${http}/a.git`), { status: 'failed', error: SILENT });
  const whole = await fallsSilent(t, { port: daemon, after: 1e9 });
  t.deepEqual(await getImport(`git://127.0.0.1:${whole}/a.git`, {}), { status: 'finished', error: null });
});

test.serial('a server that says a byte now and then ends an import, whatever its protocol', async (t) => {
  const repository = await remoteRepository(t);
  const daemon = await gitDaemon(t, repository, []);
  const web = Number(new URL(await webServer(t, (request, response) => serveGit(repository, request, response))).port);
  const timeouts = { slowMs: SLOW_MS };
  for (const after of [0, 200, 700]) {
    const git = await fallsSilent(t, { port: daemon, after, drips: true });
    t.deepEqual(
      await getImport(`git://127.0.0.1:${git}/a.git`, timeouts),
      { status: 'failed', error: SLOW },
      `${after}`,
    );
  }
  const http = await fallsSilent(t, { port: web, after: 400, drips: true });
  t.deepEqual(await getImport(`http://127.0.0.1:${http}/a.git`, timeouts), { status: 'failed', error: SLOW });
});

// Contract: core-5.import_url.silence
test.serial('a mirror of a silent server fails, and says so', async (t) => {
  const port = await fallsSilent(t);
  const project = await app.build.project({ empty: true });
  const as = app.as(project.owner);
  await as.put(`/projects/${project.id}`, { import_url: `git://127.0.0.1:${port}/a.git`, mirror: true });
  await updateMirror(app.context(), project.id, { silenceMs: SILENCE_MS });
  const { body } = await as.get(`/projects/${project.id}/mirror/pull`);
  t.like(body, { update_status: 'failed', last_error: SILENT });
});
