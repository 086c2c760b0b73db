import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import test from 'ava';
import { gitStarts } from '../../../shared/git/index.js';
import type { GitStart } from '../../../shared/git/index.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';

const app = useApp(test, [], { git: { pools: { transfer: { perCaller: 1, waiting: 0 } }, stallMs: 2000 } });

/** More than the sockets between two processes hold. */
const LARGE = 20 * 1024 * 1024;

async function projectWithLargeFile() {
  const project = await app.build.project();
  const repository = getRepositoryPath(app.context(), project);
  const blob = plainGit(repository, ['hash-object', '-w', '--stdin'], randomBytes(LARGE)).trim();
  const tree = plainGit(repository, ['mktree'], `100644 blob ${blob}\tlarge.bin\n`).trim();
  const sha = plainGit(repository, ['commit-tree', tree, '-m', 'Large']).trim();
  const url = `${app.url}/api/v4/projects/${project.id}/repository/archive.tar?sha=${sha}`;
  /** A response whose body is not read yet. */
  const unread = async (): Promise<IncomingMessage> => {
    const request = get(url, { headers: { 'PRIVATE-TOKEN': project.owner.token } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  };
  return { project, repository, unread };
}

async function idle(): Promise<void> {
  while (app.services.git.pool('transfer').load.running > 0) await new Promise((resolve) => setImmediate(resolve));
}

/** The bytes that come until the end. */
async function read(response: IncomingMessage): Promise<number> {
  let size = 0;
  for await (const chunk of response) size += (chunk as Buffer).length;
  return size;
}

// Contract: repository-api.archive-stream
test.serial('an archive is cut off where its reader takes nothing, and its slot is free', async (t) => {
  const { unread } = await projectWithLargeFile();
  const slow = await unread();
  t.is(slow.statusCode, 200);
  await idle();
  await t.throwsAsync(read(slow), { code: 'ECONNRESET' });
});

// Contract: repository-api.archive-stream
test.serial('an archive ends with its client, who may ask again', async (t) => {
  const { unread } = await projectWithLargeFile();
  (await unread()).destroy();
  await idle();
  const again = await unread();
  t.is(again.statusCode, 200);
  t.true((await read(again)) > LARGE);
});

// Contract: repository-api.archive-stream
test.serial('who has no slot left is told when to come again', async (t) => {
  const { project, unread } = await projectWithLargeFile();
  const release = await app.services.git.pool('transfer').take({ caller: `user ${project.owner.id}`, project: '' });
  const rejection = await unread();
  t.deepEqual([rejection.statusCode, rejection.headers['retry-after']], [503, '5']);
  rejection.destroy();
  release();
});

// Contract: repository-api.archive-stream, repository-api.broken
test.serial('an archive whose git process is killed does not look whole', async (t) => {
  const { unread, repository } = await projectWithLargeFile();
  let pid: number | undefined;
  const note = (start: unknown) => {
    const started = start as GitStart;
    if (started.repository === repository && started.command === 'archive') pid = started.pid;
  };
  gitStarts.subscribe(note);
  t.teardown(() => {
    gitStarts.unsubscribe(note);
  });
  const response = await unread();
  process.kill(pid!, 'SIGKILL');
  await t.throwsAsync(read(response), { code: 'ECONNRESET' });
  await idle();
});
