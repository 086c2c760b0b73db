import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import test from 'ava';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { plainGit } from '../../git/git-fixture.js';

// One slot of each kind per caller, no queue, and readers are cut off as soon as they stop reading.
const own = { perCaller: 1, waiting: 0 };
const app = useApp(test, [], { git: { pools: { stream: own, long: own }, stallMs: 50 } });

/** More than the sockets between two processes hold. */
const LARGE = 20 * 1024 * 1024;

let project: Awaited<ReturnType<typeof app.build.project>>;
/** A commit of one large file, which no branch has. */
let sha: string;
let path: string;

test.serial.before('a large file', async () => {
  project = await app.build.project();
  path = `/projects/${project.id}/repository`;
  const repository = getRepositoryPath(app.context(), project);
  const blob = plainGit(repository, ['hash-object', '-w', '--stdin'], randomBytes(LARGE)).trim();
  const tree = plainGit(repository, ['mktree'], `100644 blob ${blob}\tlarge.bin\n`).trim();
  sha = plainGit(repository, ['commit-tree', tree, '-m', 'Large']).trim();
});

/** A response whose body is not read yet. */
async function unread(user: BuiltUser, url: string): Promise<IncomingMessage> {
  const request = get(`${app.url}/api/v4${url}`, { headers: { 'PRIVATE-TOKEN': user.token } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Resolves when nothing runs in a pool. */
async function idle(name: 'stream'): Promise<void> {
  while (app.services.git.pool(name).load.running > 0) await new Promise((resolve) => setImmediate(resolve));
}

// Contract: delivery-5a.load
test.serial('content that is sent to one caller leaves room for what others read', async (t) => {
  const raw = `${path}/files/large.bin/raw?ref=${sha}`;
  const release = await app.services.git.pool('stream').take({ caller: `user ${project.owner.id}`, project: '' });
  const second = await unread(project.owner, raw);
  t.deepEqual([second.statusCode, second.headers['retry-after']], [503, '5']);
  t.is((await app.as(project.owner).get(`${path}/files/README.md/raw`)).status, 200);
  const other = await unread(await app.build.member(project, 'reporter'), raw);
  t.is(other.statusCode, 200);
  other.destroy();
  release();
});

// Contract: delivery-5a.load
test.serial('content that its reader does not take is cut off', async (t) => {
  const slow = await unread(project.owner, `${path}/files/large.bin/raw?ref=${sha}`);
  t.is(slow.statusCode, 200);
  await idle('stream');
  let size = 0;
  await t.throwsAsync(
    async () => {
      for await (const chunk of slow) size += (chunk as Buffer).length;
    },
    { code: 'ECONNRESET' },
  );
  t.true(size < LARGE);
});

// Contract: delivery-5a.load
test.serial('a client that goes away leaves its slot to the next request', async (t) => {
  const raw = `${path}/files/large.bin/raw?ref=${sha}`;
  const gone = await unread(project.owner, raw);
  t.is(gone.statusCode, 200);
  gone.destroy();
  await idle('stream');
  const next = await unread(project.owner, raw);
  t.is(next.statusCode, 200);
  next.destroy();
});

// Contract: delivery-5a.load
test.serial('long work of one caller waits for their own, and keeps no file waiting', async (t) => {
  const owner = app.as(project.owner);
  const release = await app.services.git.pool('long').take({ caller: `user ${project.owner.id}`, project: '' });
  const { status, headers, body } = await owner.get(`${path}/commits?with_stats=true`);
  t.deepEqual([status, headers.get('retry-after'), body], [503, '5', { message: '503 Service Unavailable' }]);
  t.is((await owner.get(`${path}/files/README.md?ref=main`)).status, 200);
  t.is((await owner.get(`${path}/commits`)).status, 200);
  const other = app.as(await app.build.member(project, 'reporter'));
  t.is((await other.get(`${path}/commits?with_stats=true`)).status, 200);
  release();
  t.is((await owner.get(`${path}/commits?with_stats=true`)).status, 200);
});

test.serial('a commit that cannot be told of is not made', async (t) => {
  const owner = app.as(project.owner);
  const release = await app.services.git.pool('long').take({ caller: `user ${project.owner.id}`, project: '' });
  const actions = [{ action: 'create', file_path: 'new.txt', content: 'x' }];
  const commit = { branch: 'main', commit_message: 'New', actions };
  t.is((await owner.post(`${path}/commits`, commit)).status, 503);
  t.is((await owner.get(`${path}/files/new.txt/raw?ref=main`)).status, 404);
  release();
  t.is((await owner.post(`${path}/commits`, commit)).status, 201);
});

// Contract: delivery-5a.sizes
test.serial('content of more than 10 MiB is read raw, not as JSON', async (t) => {
  const owner = app.as(project.owner);
  const file = `${path}/files/large.bin`;
  const { status, body } = await owner.get(`${file}?ref=${sha}`);
  t.deepEqual([status, body], [413, { message: '413 Request Entity Too Large' }]);
  t.is((await owner.get(`${file}/blame?ref=${sha}`)).status, 413);
  const head = await owner.head(`${file}/raw?ref=${sha}`);
  t.deepEqual([head.status, head.headers.get('content-length')], [200, String(LARGE)]);
  t.is(head.headers.get('content-type'), 'text/plain');
});

/** Two objects that are 800,800 entries: a thousand folders, each the same one of eight hundred files. */
async function projectWithLargeTree() {
  const { id, owner } = await app.build.project();
  const repository = getRepositoryPath(app.context(), { id });
  const write = (args: string[], input: string) => plainGit(repository, args, input).trim();
  const name = (index: number) => `${String(index).padStart(4, '0')}-${'a long name '.repeat(2)}`;
  const lines = (count: number, mode: string, type: string, id: string) =>
    Array.from({ length: count }, (_, index) => `${mode} ${type} ${id}\t${name(index)}\n`).join('');
  const blob = write(['hash-object', '-w', '--stdin'], 'x');
  const folder = write(['mktree'], lines(800, '100644', 'blob', blob));
  const tree = write(['mktree'], lines(1000, '040000', 'tree', folder));
  const commit = write(['commit-tree', tree, '-m', 'Large'], '');
  return { owner: app.as(owner), url: `/projects/${id}/repository/tree?ref=${commit}`, name };
}

// Contract: core-9.tree
test.serial('a tree of any size is read a page at a time, by number and by token', async (t) => {
  const { owner, url, name } = await projectWithLargeTree();
  const first = await owner.get(`${url}&recursive=true&per_page=2`);
  t.is(first.status, 200);
  t.deepEqual([first.headers.get('x-total'), first.headers.get('x-next-page')], [null, '2']);
  const paths = ({ body }: { body: { path: string }[] }) => body.map((entry) => entry.path);
  t.deepEqual(paths(first), [name(0), name(1)]);
  // The thousand folders come first: the files begin behind them.
  const files = [`${name(0)}/${name(0)}`, `${name(0)}/${name(1)}`];
  t.deepEqual(paths(await owner.get(`${url}&recursive=true&per_page=2&page=501`)), files);
  const last = await owner.get(`${url}&recursive=true&per_page=100&page=8010`);
  t.deepEqual([last.body.length, last.headers.get('x-next-page')], [100, '']);
  t.is(paths(last)[99], `${name(999)}/${name(799)}`);
  t.deepEqual((await owner.get(`${url}&recursive=true&page=99999999`)).body, []);

  const from = (token: string) => `${url}&recursive=true&pagination=keyset&per_page=2&page_token=${token}`;
  const getToken = (text: string) => Buffer.from(text).toString('base64url');
  const middle = await owner.get(from(getToken(`tree ${name(998)}`)));
  t.deepEqual(paths(middle), [name(999), files[0]]);
  const link = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(middle.headers.get('link') ?? '')?.[1];
  t.is(paths(await owner.get(link!))[0], files[1]);
  t.deepEqual((await owner.get(from(getToken('tree gone')))).body, { error: 'page_token is invalid' });
  t.deepEqual((await owner.get(from('zzz'))).body, { error: 'page_token is invalid' });
});
