import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { gitStarts } from '../../../shared/git/index.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { rawRequest, rawSocket } from '../../core/raw-http.js';
import { plainGit } from '../../git/git-fixture.js';
import { basic, git, pkt, getUrl } from './git-client.js';

const app = useApp(test, [], { traffic: { minimumRate: { bytes: 128 * 1024, milliseconds: 300 } } });
const TYPE = { 'Content-Type': 'application/x-git-upload-pack-request' };
const V2 = { 'Git-Protocol': 'version=2' };
const MIB = 1024 * 1024;
const LS_REFS = `${pkt('command=ls-refs\n')}0001${pkt('ref-prefix refs/heads/\n')}0000`;

let path: string;
let sha: string;
let repository: string;

test.before('a public project', async () => {
  const project = await app.build.project({ visibility: 'public' });
  repository = getRepositoryPath(app.context(), project);
  path = `/${project.full_path}.git`;
  sha = plainGit(repository, ['rev-parse', 'main']).trim();
});

const post = (body: string | Buffer, headers: Record<string, string> = {}, at = `${path}/git-upload-pack`) =>
  rawRequest(app.url, { method: 'POST', path: at, headers: { ...TYPE, ...headers }, body });
const get = (at: string, headers: Record<string, string> = {}) => rawRequest(app.url, { path: at, headers });

/** A request as bytes, with a body in chunks. */
const chunked = (headers: string, ...chunks: string[]) =>
  `POST ${path}/git-upload-pack HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE['Content-Type']}\r\n` +
  `Git-Protocol: version=2\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n${headers}\r\n` +
  chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');

// Contract: git-http-1.answers
test('what is there is announced as git does it, and kept by no cache', async (t) => {
  const [first, second] = [
    await get(`${path}/info/refs?service=git-upload-pack`),
    await get(`${path}/info/refs?service=git-upload-pack`, { 'Git-Protocol': 'foo=1:version=2' }),
  ];
  for (const { status, headers } of [first, second]) {
    t.is(status, 200);
    t.is(headers['content-type'], 'application/x-git-upload-pack-advertisement');
    t.is(headers['cache-control'], 'no-cache, max-age=0, must-revalidate');
  }
  t.true(first.text.startsWith(`001e# service=git-upload-pack\n0000`));
  t.true(first.text.includes(`${sha} refs/heads/main\n`));
  t.true(second.text.startsWith('000eversion 2\n'));
  t.false(first.text.includes('refs/keep'));
  const { headers, text } = await post(LS_REFS, V2);
  t.is(headers['content-type'], 'application/x-git-upload-pack-result');
  t.is(text, `${pkt(`${sha} refs/heads/main\n`)}0000`);
});

// Contract: git-http-1.bodies
test('bodies come as they are, as gzip, in chunks, and after 100-continue', async (t) => {
  const expected = `${pkt(`${sha} refs/heads/main\n`)}0000`;
  for (const coding of ['gzip', 'x-gzip', 'GZIP'])
    t.is((await post(gzipSync(LS_REFS), { ...V2, 'Content-Encoding': coding })).text, expected);
  t.true((await rawSocket(app.url, chunked('', ...LS_REFS, ''))).includes(expected));
  const answer = await new Promise<string>((resolve) => {
    const { hostname, port } = new URL(app.url);
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(chunked('Expect: 100-continue\r\n')));
    socket.on('data', (data) => {
      if (text === '' && data.toString().startsWith('HTTP/1.1 100 Continue'))
        socket.write(chunked('', LS_REFS, '').split('\r\n\r\n').slice(1).join('\r\n\r\n'));
      text += data.toString();
    });
    socket.once('close', () => resolve(text));
  });
  t.true(answer.startsWith('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK'), answer);
  t.true(answer.includes(expected));
});

// Contract: git-http-bad.pkt-lines
test('what is no line of the protocol is 400, or an empty answer, and ends git', async (t) => {
  const bad = ['0003', '0001', 'fff1', `fff1${'x'.repeat(65_517)}`, 'zzzz', '-001', 'want', '\0\0\0\0', '{"a":1}'];
  for (const headers of [{}, V2]) {
    for (const body of bad) {
      const { status, text } = await post(body, headers);
      const answer = `${JSON.stringify(body.slice(0, 8))} ${JSON.stringify(headers)}: ${status} ${text}`;
      t.true(status === 400 || (status === 200 && text.length < 200), answer);
      if (status === 400) t.is(text, 'This is no request of git.\n');
    }
    const empty = await post('', headers);
    t.true(empty.status === 400 || empty.text === '', empty.text);
    t.deepEqual([(await post('0000', headers)).status, (await post('0000', headers)).text], [200, '']);
  }
  const unknown = await post(`${pkt(`want ${'1'.repeat(40)} no-progress\n`)}0000${pkt('done\n')}`);
  t.is(unknown.status, 200);
  t.regex(unknown.text, /ERR upload-pack: not our ref 1{40}$/);
});

// Contract: git-http-bad.size
test('a body may have 20 MiB, packed and unpacked, and not a byte more', async (t) => {
  const line = pkt('ref-prefix refs/heads/\n');
  const count = Math.floor((20 * MIB - LS_REFS.length) / line.length);
  const start = LS_REFS.slice(0, -4);
  const full = start + line.repeat(count);
  // An argument of the length that is left.
  const rest = 20 * MIB - full.length - 4;
  const exact = rest > 20 ? `${full}${pkt('ref-prefix '.padEnd(rest - 4, 'x'))}0000` : `${full}0000`;
  const tooLong = exact.padEnd(20 * MIB + 1, '0');
  t.is((await post(exact, V2)).status, 200);
  const plain = await post(tooLong, V2);
  t.deepEqual([plain.status, plain.text], [413, 'The request is too large.\n']);
  t.is((await post(gzipSync(tooLong), { ...V2, 'Content-Encoding': 'gzip' })).status, 413);
  const bomb = gzipSync(Buffer.concat([Buffer.from(start), Buffer.alloc(line.length * 10 * count, line)]));
  t.true(bomb.length < 2 * MIB);
  const before = process.memoryUsage().arrayBuffers;
  t.is((await post(bomb, { ...V2, 'Content-Encoding': 'gzip' })).status, 413);
  t.true(process.memoryUsage().arrayBuffers - before < 40 * MIB);
  t.is(app.services.git.pool('transfer').load.running, 0);
});

// Contract: git-http-bad.gzip
test('what only claims to be gzip, and other codings, are refused', async (t) => {
  const coded = (body: Buffer | string, coding = 'gzip') => post(body, { ...V2, 'Content-Encoding': coding });
  for (const body of [LS_REFS, gzipSync(LS_REFS).subarray(0, -9), Buffer.from('1f8b08', 'hex')])
    t.is((await coded(body)).status, 400);
  for (const coding of ['br', 'deflate', 'gzip, gzip', 'x'.repeat(1000)])
    t.is((await coded(LS_REFS, coding)).status, 415);
  t.is((await rawRequest(app.url, { method: 'POST', path: `${path}/git-upload-pack`, body: LS_REFS })).status, 415);
  t.is((await post(LS_REFS, { 'Content-Type': 'text/plain' })).status, 415);
});

// Contract: git-http-bad.slow
test.serial('clients that send a byte now and then are told so, and hold no place of git', async (t) => {
  let started = 0;
  const hear = () => (started += 1);
  gitStarts.subscribe(hear);
  t.teardown(() => gitStarts.unsubscribe(hear));
  const stopped = chunked('', LS_REFS.slice(0, 5));
  const answers = await Promise.all(Array.from({ length: 50 }, () => rawSocket(app.url, stopped)));
  for (const answer of answers) t.regex(answer, /^HTTP\/1\.1 408 /);
  t.is(started, 0);
  t.is(app.traffic.incoming.held, 0);
});

// Contract: git-http-bad.paths
test('tricks with paths name no project', async (t) => {
  const tricks = [
    '/../../etc/passwd',
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc',
    `${path.slice(0, -4)}/../x`,
    '/--upload-pack=touch/x',
    '/-c/core.pager',
    '/a;id/b',
    '/$(id)/b',
    '/%24%28id%29/`id`',
    '/a%00/b',
    '/a%0a/b',
    '/%/b',
    '/%ff/b',
    '/@hashed/ab',
    `/${'a'.repeat(10_000)}/b`,
    `${path}/x`,
    '//a//b',
    '/a',
    '/',
  ];
  const wrong: string[] = [];
  for (const trick of tricks) {
    const answers = [
      await get(`${trick}.git/info/refs?service=git-upload-pack`),
      await get(`${trick}/info/refs?service=git-upload-pack`),
      await post(LS_REFS, V2, `${trick}/git-upload-pack`),
      await post(LS_REFS, { ...V2, ...basic('x', 'y') }, `${trick}/git-upload-pack`),
    ];
    for (const { status, text } of answers) if (status !== 401) wrong.push(`${trick}: ${status} ${text}`);
  }
  t.deepEqual(wrong, []);
  // Unknown protocol parameters are treated as version 1.
  for (const protocol of ['version=3', 'version=2;id', `${'x:'.repeat(5000)}version=2`, '$(id)']) {
    const { text } = await get(`${path}/info/refs?service=git-upload-pack`, { 'Git-Protocol': protocol });
    t.true(text.startsWith('001e# service'), protocol);
  }
});

// Contract: git-http-1.dumb
test('the dumb protocol is refused in words, to everybody alike', async (t) => {
  const message = 'The dumb protocol is not served. Use git 1.6.6 or newer, without GIT_SMART_HTTP=0.\n';
  for (const at of [path, '/nobody/nothing.git'])
    for (const file of ['info/refs', 'HEAD', 'objects/info/packs', `objects/${sha.slice(0, 2)}/${sha.slice(2)}`]) {
      const { status, text, headers } = await get(`${at}/${file}`);
      t.deepEqual([status, text, headers['content-type']], [403, message, 'text/plain'], file);
    }
  t.is((await get(`${path}/info/refs?service=git-upload-archive`)).status, 403);
  t.is((await get(`${path}/info/refs?service=git-upload-pack&service=git-upload-pack`)).status, 403);
  const result = await git(['ls-remote', getUrl(app, path.slice(1, -4))], { variables: { GIT_SMART_HTTP: '0' } });
  t.is(result.code, 128);
  t.true(result.stderr.includes(`remote: ${message}`), result.stderr);
});

// Contract: git-http-1.lfs
test('large files are not served: their endpoints are 404, also where a project keeps the wish for them', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const read = async () => (await owner.get(`/projects/${project.id}`)).body.lfs_enabled;
  t.false(await read());
  t.true((await owner.put(`/projects/${project.id}`, { lfs_enabled: true })).body.lfs_enabled);
  t.true(await read());
  const response = await owner.post('/projects', { name: 'With large files', lfs_enabled: true });
  t.true(response.body.lfs_enabled);
  for (const endpoint of ['objects/batch', 'locks', 'locks/verify', `objects/${'a'.repeat(64)}`])
    for (const at of [`/${project.full_path}.git`, `/${project.full_path}`])
      for (const [method, body] of [
        ['GET', undefined],
        ['POST', '{"operation":"download","objects":[]}'],
      ] as const) {
        const answer = await owner.raw(method, `${at}/info/lfs/${endpoint}`, body, 'application/vnd.git-lfs+json');
        t.is(answer.status, 404, `${method} ${at}/info/lfs/${endpoint}`);
      }
});

test('other methods are 405, and other paths are nobody of git', async (t) => {
  const refs = `${path}/info/refs?service=git-upload-pack`;
  for (const method of ['HEAD', 'POST', 'PUT', 'DELETE'])
    t.deepEqual((await rawRequest(app.url, { method, path: refs })).headers.allow, 'GET', method);
  const { status, headers } = await get(`${path}/git-upload-pack`);
  t.deepEqual([status, headers.allow], [405, 'POST']);
  t.is((await get(path.slice(0, -4) + '/info/refs')).text, '{"error":"404 Not Found"}');
  t.is((await get('/api/v4/info/refs')).text, '{"error":"404 Not Found"}');
});
