import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import test from 'ava';
import { boundRoutes } from '../../../api/domains.js';
import type { Context } from '../../../shared/core/context/context.js';
import type { OutField, Serializer } from '../../../shared/core/operations/serializer.js';
import { useApp } from '../app.js';
import { signIn, userWithPassword } from '../signed-in.js';

const app = useApp(test);

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

interface Bytes {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** The bytes as they are sent: fetch would decompress them. */
function getBytes(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Bytes> {
  const { hostname, port } = new URL(app.url);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const typed = text === undefined ? {} : { 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers: { ...typed, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode as number, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    sent.once('error', reject);
    sent.end(text);
  });
}

const inGzip = (headers: Record<string, string>) => ({ 'Accept-Encoding': 'gzip', ...headers });
const getEncoding = ({ headers }: Bytes) => headers['content-encoding'];

/** An owner of 20 projects, the same for all tests. */
let projects: ReturnType<typeof makeProjects> | undefined;
const ownerOfProjects = () => (projects ??= makeProjects());

async function makeProjects() {
  const owner = await app.build.user();
  for (let n = 0; n < 20; n += 1) await app.build.project({ owner, empty: true });
  return { owner, headers: { 'PRIVATE-TOKEN': owner.token } };
}

// Contract: rest-9.14
test('a list of projects is compressed as the client reads it, and is the same answer otherwise', async (t) => {
  const { headers } = await ownerOfProjects();
  const path = '/api/v4/projects?owned=true';
  const plain = await getBytes(path, { headers });
  t.is(getEncoding(plain), undefined);
  t.is(JSON.parse(plain.bytes.toString()).length, 20);
  t.true(plain.bytes.length > 40_000, `${plain.bytes.length} bytes`);
  const forms = [
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
  ] as const;
  for (const [accepted, encoding, unpack] of forms) {
    const packed = await getBytes(path, { headers: { ...headers, 'Accept-Encoding': accepted } });
    t.is(getEncoding(packed), encoding, accepted);
    t.deepEqual(unpack(packed.bytes), plain.bytes);
    t.true(packed.bytes.length < plain.bytes.length / 8, `${encoding}: ${packed.bytes.length} bytes`);
    t.is(packed.headers['content-length'], String(packed.bytes.length));
    t.is(packed.headers.etag, plain.headers.etag, 'a weak one stands for every form');
    t.is(packed.headers['content-type'], 'application/json');
    t.is(packed.headers.vary, 'Origin, Accept-Encoding');
    const head = await getBytes(path, { method: 'HEAD', headers: { ...headers, 'Accept-Encoding': accepted } });
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary', 'x-total', 'link'])
      t.is(head.headers[name], packed.headers[name], name);
    t.is(head.bytes.length, 0);
  }
  const conditional = inGzip({ ...headers, 'If-None-Match': plain.headers.etag as string });
  const unchanged = await getBytes(path, { headers: conditional });
  t.deepEqual([unchanged.status, unchanged.bytes.length, getEncoding(unchanged)], [304, 0, undefined]);
  t.is(unchanged.headers.vary, 'Origin, Accept-Encoding');
});

// Contract: rest-9.14
test('small answers and those for clients that read no compression stay as they are, and so does what is no JSON', async (t) => {
  const { headers } = await ownerOfProjects();
  const list = '/api/v4/projects?owned=true';
  for (const accepted of ['identity', 'gzip;q=0, br;q=0', 'identity, gzip;q=0.5', 'zstd', ''])
    t.is(
      getEncoding(await getBytes(list, { headers: { ...headers, 'Accept-Encoding': accepted } })),
      undefined,
      accepted,
    );
  const small = await getBytes('/api/v4/projects?owned=true&simple=true&search=nothing', { headers: inGzip(headers) });
  t.is(getEncoding(small), undefined);
  t.is(small.headers.vary, 'Origin, Accept-Encoding', 'the next time it may be large');
  const project = await app.build.project({ visibility: 'public' });
  await app.as(project.owner).post(`/projects/${project.id}/repository/files/large.txt`, {
    branch: 'main',
    content: 'line\n'.repeat(2000),
    commit_message: 'Large',
  });
  const raw = `/api/v4/projects/${project.id}/repository/files/large.txt/raw?ref=main`;
  t.is(getEncoding(await getBytes(raw, { headers: inGzip(headers) })), undefined);
});

// Contract: rest-9.14
test('a large answer of GraphQL is compressed', async (t) => {
  const { headers } = await ownerOfProjects();
  const body = { query: '{ projects(membership: true) { nodes { id name fullPath webUrl description visibility } } }' };
  const plain = await getBytes('/api/graphql', { method: 'POST', headers, body });
  const packed = await getBytes('/api/graphql', { method: 'POST', headers: inGzip(headers), body });
  t.is(getEncoding(packed), 'gzip');
  t.deepEqual(gunzipSync(packed.bytes), plain.bytes);
});

/** Text of the caller's own that fills an answer. */
const LONG = 'ü'.repeat(255);

// Contract: rest-9.14
test('an answer that shows a secret beside text that callers choose is not compressed', async (t) => {
  const owner = await app.build.user({ admin: true });
  const headers = inGzip({ 'PRIVATE-TOKEN': owner.token });
  const project = await app.build.project({ owner });
  const schedule = await app.build.schedule({ project, owner });
  const below = `/api/v4/projects/${project.id}`;
  const of = `${below}/pipeline_schedules/${schedule.id}`;
  const post = (path: string, body: unknown) => getBytes(path, { method: 'POST', headers, body });
  const bare = async (what: string, answer: Promise<Bytes>, secret: RegExp) => {
    const { status, bytes, headers: got } = await answer;
    t.true(status < 300, `${what}: ${status} ${bytes.toString().slice(0, 200)}`);
    t.regex(bytes.toString(), secret, what);
    t.is(got['content-encoding'], undefined, what);
    t.true(bytes.length >= 1024, `${what} is large enough: ${bytes.length} bytes`);
  };
  const value = 'the value of a variable';
  for (let n = 0; n < 10; n += 1) {
    const variable = { key: `KEY_${n}`, value: `${value} ${LONG}`, variable_type: 'env_var' };
    t.is((await post(`${of}/variables`, variable)).status, 201);
  }
  await bare('a schedule', getBytes(of, { headers }), /the value of a variable/);
  const variables = Array.from({ length: 10 }, (_, n) => ({ key: `KEY_${n}`, value: `${value} ${LONG}` }));
  const { id } = (await app.as(owner).post(`/projects/${project.id}/pipeline`, { ref: 'main', variables })).body;
  await bare('a pipeline', getBytes(`${below}/pipelines/${id}/variables`, { headers }), /the value of a variable/);
  await bare('the project', getBytes(below, { headers }), /"runners_token":"prt-/);
  const token = { name: LONG, scopes: ['read_repository'], username: `u${'u'.repeat(200)}` };
  await bare('a deploy token', post(`${below}/deploy_tokens`, token), /"token":"gdt-/);
  const own = { name: LONG, description: LONG, scopes: ['api'], expires_at: '2030-02-01' };
  await bare('a token', post(`/api/v4/users/${owner.id}/personal_access_tokens`, own), /"token":"pat-/);
  const application = { name: LONG, redirect_uri: `https://example.com/${'a'.repeat(900)}`, scopes: 'api' };
  await bare('an application', post('/api/v4/applications', application), /"secret":"/);
  const query = `{ project(fullPath: "${project.full_path}") { pipelineSchedules { nodes { variables { nodes { key value } } } } } }`;
  await bare('GraphQL', post('/api/graphql', { query }), /the value of a variable/);
  const harmless = `{ project(fullPath: "${project.full_path}") { pipelineSchedules { nodes { variables { nodes { key id raw variableType } } } } } }`;
  t.is(getEncoding(await post('/api/graphql', { query: harmless })), 'gzip', 'their names alone are no secret');
});

test('what a session of a browser answers, with its CSRF token, is not compressed', async (t) => {
  const user = await userWithPassword(app, { name: LONG, username: `u${'u'.repeat(250)}` });
  const { cookie } = await signIn(app, user);
  const session = await getBytes('/-/session', { headers: inGzip({ Cookie: cookie }) });
  t.regex(session.bytes.toString(), /"csrf_token":"/);
  t.true(session.bytes.length >= 1024, `${session.bytes.length} bytes`);
  t.is(getEncoding(session), undefined);
});

// Contract: rest-9.14
test('the description of the API is compressed once, each form with an ETag of its own', async (t) => {
  const path = '/api/v4/openapi.json';
  const plain = await getBytes(path);
  t.true(plain.bytes.length > 1_000_000);
  for (const [encoding, unpack] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    const packed = await getBytes(path, { headers: { 'Accept-Encoding': encoding } });
    t.is(getEncoding(packed), encoding);
    t.deepEqual(unpack(packed.bytes), plain.bytes);
    t.not(packed.headers.etag, plain.headers.etag);
    const conditional = { 'Accept-Encoding': encoding, 'If-None-Match': packed.headers.etag as string };
    const unchanged = await getBytes(path, { headers: conditional });
    t.deepEqual([unchanged.status, getEncoding(unchanged)], [304, undefined]);
  }
});

/** What fields may be called that hold something which opens something else. */
const SUSPECT = /token$|secret|password|credential|(^|_)(value|key)$/;

/** Fields that are called so and open nothing: names, and what everybody may know. */
const HARMLESS = new Set(
  (
    'CustomAttribute.key CustomAttribute.value License.key DeployKey.key InstanceDeployKey.key QueueSchedule.key ' +
    'CiVariable.key InstanceVariable.key PipelineVariable.key RehearsedVariable.key PipelineScheduleVariable.key DeletedPipelineScheduleVariable.key RefusedRequest.token ExplainedVariable.key ResourceGroup.key'
  ).split(' '),
);

function serializersBelow(serializer: Serializer<unknown>, found: Map<string, Serializer<unknown>>): void {
  if (found.has(serializer.name)) return;
  found.set(serializer.name, serializer);
  for (const { schema } of Object.values(serializer.fields) as OutField<unknown>[])
    if (schema['x-serializer']) serializersBelow(schema['x-serializer'] as Serializer<unknown>, found);
}

test('each field whose name sounds like a secret is declared as one, or is known to be harmless', async (t) => {
  const found = new Map<string, Serializer<unknown>>();
  const callers = [app.context(), app.build.contextOf(await app.build.user({ admin: true }))];
  for (const { options } of boundRoutes) {
    const { present, serializers = [] } = options;
    const presented =
      typeof present === 'function' ? callers.map((ctx) => present(ctx as Context)) : present ? [present] : [];
    for (const serializer of [...presented, ...serializers])
      if (serializer) serializersBelow(serializer as Serializer<unknown>, found);
  }
  t.true(found.size > 50);
  const undeclared = [...found.values()].flatMap(({ name, fields }) =>
    Object.entries(fields)
      .filter(([key, { secret, schema }]) => SUSPECT.test(key) && !secret && isText(schema))
      .map(([key]) => `${name}.${key}`),
  );
  // Settings that are secrets are declared as such among the settings, and masked.
  const open = undeclared.filter((field) => !HARMLESS.has(field) && !field.startsWith('ApplicationSettings.'));
  t.deepEqual(open.sort(), [], 'declare these: { secret: true }');
});

/** Flags, numbers and dates hold no secret. */
function isText({ type, format }: Record<string, unknown>): boolean {
  return (
    format === undefined && !['boolean', 'integer', 'number', 'array'].some((other) => [type].flat().includes(other))
  );
}
