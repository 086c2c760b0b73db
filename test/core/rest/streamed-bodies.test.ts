import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../app.js';
import type { TestApp } from '../app.js';
import { rawSocket } from '../raw-http.js';
import { streamedRoutes, STREAM_LIMIT } from './streamed.js';
import { Unfinished, until } from './unfinished.js';

const app = useApp(test, streamedRoutes);
/** A very short timeout. */
const hasty = useApp(test, streamedRoutes, { traffic: { minimumRate: { bytes: 1000, milliseconds: 100 } } });

const BOUNDARY = '-----------------X';
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const RAW = 'application/octet-stream';

const field = (name: string, value: string) =>
  Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
const fileHead = (name = 'file', filename = '../../etc/passwd') =>
  Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: text/x\r\n\r\n`,
  );
const getFile = (bytes: Buffer, name?: string) => Buffer.concat([fileHead(name), bytes, Buffer.from('\r\n')]);
const end = Buffer.from(`--${BOUNDARY}--\r\n`);

/** Everything below the folder of stored bytes. */
function getFiles({ services }: TestApp): string[] {
  try {
    return readdirSync(path.join(services.config.dataDir, 'objects'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Files in the store that no row names: none, once every request is over. */
async function leftOver(one: TestApp): Promise<string[]> {
  const rows = await one.context().query<{ key: string }>(sql`select key as "key" from stored_objects`);
  const storedNames = new Set(rows.map(({ key }) => key.split('/')[2]));
  return getFiles(one).filter((name) => !storedNames.has(name));
}

test('a file between fields arrives with them, however many pieces it comes in', async (t) => {
  const { token } = await app.build.user();
  const bytes = randomBytes(1_000_000);
  const body = Buffer.concat([
    field('name', 'before'),
    field('tags[]', 'a'),
    getFile(bytes),
    field('number', '7'),
    end,
  ]);
  const headers = { 'Content-Type': FORM, 'Transfer-Encoding': 'chunked', 'PRIVATE-TOKEN': token };
  const sent = new Unfinished(app, 'POST', '/api/v4/folders/1/files', headers);
  for (let at = 0; at < body.length; at += 99_991) sent.write(body.subarray(at, at + 99_991));
  const { status, text } = await sent.end();
  t.is(status, 200, text);
  const { id, ...answered } = JSON.parse(text) as Record<string, unknown>;
  t.deepEqual(answered, {
    name: 'before',
    tags: ['a'],
    number: 7,
    filename: '../../etc/passwd',
    type: 'text/x',
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  t.is((await app.anonymous.get(`/stored/${String(id)}`)).status, 200);
});

test('a body that is the file itself is stored as it came, whatever type it claims', async (t) => {
  const { token } = await app.build.user();
  for (const [type, content] of [
    [RAW, 'some bytes'],
    ['application/json', '{"number": 1'],
    ['application/x-www-form-urlencoded', 'number=13'],
    ['', 'x'],
    ['text/plain', ''],
  ] as const) {
    const headers = {
      'PRIVATE-TOKEN': token,
      'Content-Length': String(content.length),
      ...(type === '' ? {} : { 'Content-Type': type }),
    };
    const { status, text } = await new Unfinished(app, 'PUT', '/api/v4/folders/1/raw', headers).end(content);
    t.is(status, 200, text);
    const { id } = JSON.parse(text) as { id: number };
    t.is((await app.anonymous.get(`/stored/${id}`)).text, content);
  }
});

test('who may not, or asks of nothing, is refused before any byte is read', async (t) => {
  const user = await app.build.user();
  const reader = await app.build.token(user, { scopes: ['read_api'] });
  const cases: [string, Record<string, string>, number][] = [
    ['/folders/1/files', {}, 401],
    ['/folders/1/files', { 'PRIVATE-TOKEN': 'pat-of-nobody-at-all-0123456789' }, 401],
    ['/folders/1/files', { 'PRIVATE-TOKEN': reader.token }, 403],
    ['/folders/404/files', { 'PRIVATE-TOKEN': user.token }, 404],
    ['/folders/2/files', { 'PRIVATE-TOKEN': user.token }, 403],
    ['/folders/x/files', { 'PRIVATE-TOKEN': user.token }, 400],
  ];
  for (const [at, headers, expected] of cases)
    for (const [method, target, type] of [
      ['POST', at, FORM],
      ['PUT', at.replace('files', 'raw'), RAW],
    ] as const) {
      const claimed = { ...headers, 'Content-Type': type, 'Content-Length': '1000' };
      const { status } = await new Unfinished(app, method, `/api/v4${target}`, claimed).readAnswer();
      t.is(status, expected, `${method} ${target}`);
    }
  const wrong = { 'PRIVATE-TOKEN': user.token, 'Content-Type': RAW, 'Content-Length': '1000' };
  t.is((await new Unfinished(app, 'PUT', '/api/v4/folders/1/raw?number=x', wrong).readAnswer()).status, 400);
  const sentHeaders = { 'PRIVATE-TOKEN': user.token, 'Content-Type': FORM, 'Content-Length': '100000' };
  const begun = Buffer.concat([field('name', 'refused'), fileHead(), Buffer.alloc(20_000)]);
  t.is((await new Unfinished(app, 'POST', '/api/v4/folders/1/files', sentHeaders, begun).readAnswer()).status, 403);
});

test('beyond the limit it is 413, told before the body where its length says so', async (t) => {
  const { token } = await app.build.user();
  const headers = { 'PRIVATE-TOKEN': token, 'Content-Type': RAW };
  const claimed = { ...headers, 'Content-Length': String(STREAM_LIMIT + 1) };
  t.is((await new Unfinished(app, 'PUT', '/api/v4/folders/1/raw', claimed).readAnswer()).status, 413);
  const chunked = { ...headers, 'Transfer-Encoding': 'chunked' };
  const much = new Unfinished(app, 'PUT', '/api/v4/folders/1/raw', chunked, Buffer.alloc(STREAM_LIMIT + 1));
  t.is((await much.readAnswer()).status, 413);
  const form = { 'PRIVATE-TOKEN': token, 'Content-Type': FORM, 'Transfer-Encoding': 'chunked' };
  const inForm = Buffer.concat([fileHead(), Buffer.alloc(STREAM_LIMIT + 100_000)]);
  t.is((await new Unfinished(app, 'POST', '/api/v4/folders/1/files', form, inForm).readAnswer()).status, 413);
  const fits = new Unfinished(app, 'PUT', '/api/v4/folders/1/raw', chunked, Buffer.alloc(STREAM_LIMIT));
  t.is((await fits.end()).status, 200);
  await until(async () => (await leftOver(app)).length === 0);
  t.pass();
});

test('a form without its file, with two, or with one for another parameter is 400 and leaves nothing', async (t) => {
  const { token } = await app.build.user();
  const file = getFile(Buffer.alloc(200_000));
  const cases: [Buffer[], string][] = [
    [[field('name', 'a')], 'file is missing'],
    [[field('file', 'text')], 'file is invalid'],
    [[file, file], 'file is invalid'],
    [[getFile(Buffer.alloc(10), 'other')], 'other is invalid'],
    [[file, field('number', 'x')], 'number is invalid'],
    [[fileHead('file', ''), Buffer.from('\r\n')], 'file is missing'],
  ];
  for (const [parts, error] of cases) {
    const body = Buffer.concat([...parts, end]);
    const headers = { 'PRIVATE-TOKEN': token, 'Content-Type': FORM, 'Content-Length': String(body.length) };
    const { status, text } = await new Unfinished(app, 'POST', '/api/v4/folders/1/files', headers).end(body);
    t.is(status, 400, text);
    t.is((JSON.parse(text) as { error: string }).error, error);
  }
  const json = { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json', 'Content-Length': '2' };
  const plain = await new Unfinished(app, 'POST', '/api/v4/folders/1/files', json).end('{}');
  t.is(plain.status, 400);
  t.is((await app.withHeaders({ 'PRIVATE-TOKEN': token }).request('PUT', '/folders/1/raw?number=13', {})).status, 403);
  await until(async () => (await leftOver(app)).length === 0);
});

test('a client that leaves, at whatever byte, leaves nothing', async (t) => {
  const { token } = await app.build.user();
  const body = Buffer.concat([field('name', 'a'), getFile(randomBytes(400_000)), field('number', '1'), end]);
  const cuts = [0, 20, 200, 100_000, 400_050, body.length - 3];
  for (const cut of cuts) {
    const headers = { 'PRIVATE-TOKEN': token, 'Content-Type': FORM, 'Content-Length': String(body.length) };
    const sent = new Unfinished(app, 'POST', '/api/v4/folders/1/files', headers, body.subarray(0, cut));
    if (cut > 90_000) await until(() => getFiles(app).length > 0);
    sent.abandon();
    await sent.closed;
  }
  await until(async () => (await leftOver(app)).length === 0);
  const { length } = await app.context().query<object>(sql`select 1 from stored_objects where bytes = 400000`);
  t.is(length, 0);
  await until(() => app.traffic.incoming.held === 0);
});

test('a client that sends next to nothing is 408, and so is one that stops', async (t) => {
  const { token } = await hasty.build.user();
  const headers = { 'PRIVATE-TOKEN': token, 'Transfer-Encoding': 'chunked' };
  const raw = { ...headers, 'Content-Type': RAW };
  const form = { ...headers, 'Content-Type': FORM };
  const begun = Buffer.concat([fileHead(), Buffer.alloc(100_000)]);
  const answers = await Promise.all([
    new Unfinished(hasty, 'PUT', '/api/v4/folders/1/raw', raw, Buffer.alloc(100_000)).readAnswer(),
    new Unfinished(hasty, 'PUT', '/api/v4/folders/1/raw', raw).readAnswer(),
    new Unfinished(hasty, 'POST', '/api/v4/folders/1/files', form, begun).readAnswer(),
    new Unfinished(hasty, 'POST', '/api/v4/folders/1/files', form, field('name', 'a')).readAnswer(),
  ]);
  t.deepEqual(
    answers.map(({ status }) => status),
    [408, 408, 408, 408],
  );
  await until(async () => (await leftOver(hasty)).length === 0);
});

test('two hundred clients that send a byte now and then are all 408, and hold nobody else up', async (t) => {
  const { token } = await hasty.build.user();
  const headers = { 'PRIVATE-TOKEN': token, 'Transfer-Encoding': 'chunked', 'Content-Type': RAW };
  const clients = Array.from(
    { length: 200 },
    () => new Unfinished(hasty, 'PUT', '/api/v4/folders/1/raw', headers, 'x'),
  );
  const drip = setInterval(() => {
    for (const client of clients) client.write('x');
  }, 20);
  const statuses = Promise.all(clients.map(async (client) => (await client.readAnswer()).status));
  const other = await hasty.build.user();
  const sent = { 'PRIVATE-TOKEN': other.token, 'Content-Type': RAW, 'Content-Length': '5' };
  t.is((await new Unfinished(hasty, 'PUT', '/api/v4/folders/1/raw', sent).end('whole')).status, 200);
  t.deepEqual([...new Set(await statuses)], [408]);
  clearInterval(drip);
  await until(async () => (await leftOver(hasty)).length === 0);
  await until(() => hasty.traffic.incoming.held === 0);
});

test('a length that is not that of the body stores nothing but what was declared', async (t) => {
  const { token } = await app.build.user();
  const head = (method: string, path: string, type: string, length: string) =>
    `${method} /api/v4${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPRIVATE-TOKEN: ${token}\r\n` +
    `Content-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
  const form = Buffer.concat([getFile(randomBytes(77_777)), end]).toString('latin1');
  const stored = async () =>
    (
      await app.context().query<{ bytes: number }>(sql`
      select bytes as "bytes" from stored_objects where bytes in (9, 77777, 88888)`)
    ).map(({ bytes }) => bytes);
  // Less than was declared: the rest never comes.
  const short = { 'PRIVATE-TOKEN': token, 'Content-Type': RAW, 'Content-Length': '88888' };
  const cut = new Unfinished(app, 'PUT', '/api/v4/folders/1/raw', short, Buffer.alloc(10));
  await until(() => getFiles(app).length > 0);
  cut.abandon();
  await cut.closed;
  // More bytes than declared: the excess is parsed as another request, which is invalid.
  const more = await rawSocket(app.url, `${head('PUT', '/folders/1/raw', RAW, '9')}123456789and more`);
  t.regex(more, /^HTTP\/1\.1 (200|400) /);
  const part = await rawSocket(
    app.url,
    Buffer.from(head('POST', '/folders/1/files', FORM, String(form.length - 20)) + form, 'latin1'),
  );
  t.regex(part, /^HTTP\/1\.1 400 /);
  for (const length of ['-1', 'x', '9, 10', '99999999999999999999999'])
    t.regex(await rawSocket(app.url, `${head('PUT', '/folders/1/raw', RAW, length)}1234567890`), /^HTTP\/1\.1 4\d\d /);
  const both = head('PUT', '/folders/1/raw', RAW, '10').replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n');
  t.regex(await rawSocket(app.url, `${both}a\r\n1234567890\r\n0\r\n\r\n`), /^HTTP\/1\.1 400 /);
  t.true((await stored()).every((bytes) => bytes === 9));
  await until(async () => (await leftOver(app)).length === 0);
});

test.serial('a store that refuses is 503, a full disk is 507, and neither leaves anything', async (t) => {
  const { token } = await app.build.user();
  const { StoreUnavailable } = await import('../../../shared/core/object-store/object-store.js');
  const { objects } = app.services;
  const headers = { 'PRIVATE-TOKEN': token, 'Content-Type': RAW, 'Content-Length': '10' };
  const failures: [Error, number][] = [
    [new StoreUnavailable(), 503],
    [Object.assign(new Error('no space left'), { code: 'ENOSPC' }), 507],
  ];
  const put = objects.put.bind(objects);
  t.teardown(() => (objects.put = put));
  for (const [error, expected] of failures) {
    objects.put = (key, ...rest) => (rest.length > 0 ? Promise.reject(error) : put(key, ...rest));
    const { status } = await new Unfinished(app, 'PUT', '/api/v4/folders/1/raw', headers).end('0123456789');
    t.is(status, expected);
  }
});
