import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { isListType, isNonNullType, isObjectType } from 'graphql';
import type { GraphQLObjectType, GraphQLOutputType } from 'graphql';
import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import type { RestRoute } from '../../../api/core/routes.js';
import { loadGraphql } from '../../../api/graphql.js';
import { sql } from 'kysely';
import { useApp } from '../app.js';
import type { TestApp } from '../app.js';
import type { BuiltUser } from '../builders.js';
import type { Answer } from '../client.js';
import { echoRoutes } from './echo.js';
import { requestExample } from '../examples.js';
import { until } from './unfinished.js';
import { Walker, nameOf, send, describeAnswer, WALK_MS } from '../walk.js';
import { makePeople, Sandbox } from '../sandbox.js';

// A long test: it goes through every route.

const MIB = 1024 * 1024;
const LIMIT = 300;
const LONG = '/long?length=1000000&count=10';
const tooLongMessage = (limit: number) =>
  `The answer would be larger than ${limit} bytes: ask for fewer records at once (per_page, first) or for less of them`;

const app = useApp(test, echoRoutes);
/** Answers of which next to nothing is left. */
const small = useApp(test, echoRoutes, {
  traffic: { answerBytes: 64 * 1024 },
});
/** Little room for all answers together, and short timeouts. */
const crowded = useApp(test, echoRoutes, {
  traffic: { answerBytes: 32 * MIB, answersBytes: 64 * MIB, minimumRate: { bytes: MIB, milliseconds: 60_000 } },
});
/** Walked over with the limit set down. */
const walked = useApp(test);

/** Sends a request while an answer may be next to nothing. */
async function limited<T>(work: () => Promise<T>): Promise<T> {
  const { limits } = walked.traffic;
  const { answerBytes } = limits;
  limits.answerBytes = LIMIT;
  try {
    return await work();
  } finally {
    limits.answerBytes = answerBytes;
  }
}

const isTooLarge = ({ status, body }: Answer, limit = LIMIT) =>
  status === 422 && body.message === tooLongMessage(limit);
const isSmall = ({ text }: Answer) => Buffer.byteLength(text) <= LIMIT;

const answersInOwnForm = (route: RestRoute) => requestExample(route).ownForm !== undefined;

test('only what is listed answers in a form of its own', (t) => {
  const own = allRoutes.filter((route) => route.options.respond).map(nameOf);
  t.deepEqual(own, allRoutes.filter(answersInOwnForm).map(nameOf));
  t.true(own.length > 0);
});

// Contract: rest-5.12.1
test.serial('no route answers more than an answer may be: it says that less has to be asked for', async (t) => {
  t.timeout(WALK_MS);
  const people = await makePeople(walked);
  const client = walked.as(people.admin);
  const newWalker = () => new Walker(() => Sandbox.make(walked, people));
  let walker = newWalker();
  let tooLarge = 0;
  const problems: string[] = [];
  for (const route of allRoutes.filter((one) => !answersInOwnForm(one))) {
    const request = await walker.example(route);
    const reads = route.method === 'GET';
    const whole = reads ? await send(client, request) : null;
    const answer = await limited(() => walker.send(client, request));
    if (isTooLarge(answer)) {
      tooLarge += 1;
      // What was written is done, whatever the answer.
      if (!reads) walker = newWalker();
    } else if (!isSmall(answer) || (whole && (!isSmall(whole) || whole.status !== answer.status)))
      problems.push(`${nameOf(route)}: ${describeAnswer(answer)}`);
  }
  t.deepEqual(problems, []);
  t.true(tooLarge > 40, String(tooLarge));
});

/** All fields of a type that take no arguments, including nested ones, as deep as the depth limit allows. */
function getSelection(type: GraphQLOutputType, depth: number): string | null {
  let inner = type;
  while (isListType(inner) || isNonNullType(inner)) inner = inner.ofType as GraphQLOutputType;
  if (!isObjectType(inner)) return '';
  return depth === 0 ? null : ` { __typename ${readFields(inner, depth - 1).join(' ')} }`;
}

function readFields(type: GraphQLObjectType, depth: number): string[] {
  return Object.values(type.getFields()).flatMap((field) => {
    if (field.args.some((arg) => isNonNullType(arg.type)) || isObjectType(field.type)) return [];
    const selection = getSelection(field.type, depth);
    return selection === '' ? [field.name] : [];
  });
}

// Contract: graphql-1.2.6.1
test.serial('no field of GraphQL answers more than an answer may be', async (t) => {
  t.timeout(WALK_MS);
  const { schema } = await loadGraphql();
  const sandbox = await Sandbox.make(walked, await makePeople(walked));
  const group = await sandbox.group();
  const exampleArgs: Record<string, string> = {
    echo: `(text: "${'x'.repeat(LIMIT)}")`,
    group: `(fullPath: "${group.full_path}")`,
    namespace: `(fullPath: "${group.full_path}")`,
    epic: '(id: "gid://service/Epic/1")',
    issue: '(id: "gid://service/Issue/1")',
    mergeRequest: '(id: "gid://service/MergeRequest/1")',
    milestone: '(id: "gid://service/Milestone/1")',
    note: '(id: "gid://service/Note/1")',
    project: `(fullPath: "${sandbox.project.full_path}")`,
    user: `(username: "${sandbox.people.author.username}")`,
    workItem: '(id: "gid://service/WorkItem/1")',
  };
  const client = walked.as(sandbox.people.admin);
  const problems: string[] = [];
  let tooLarge = 0;
  for (const field of Object.values(schema.getQueryType()!.getFields())) {
    const args = exampleArgs[field.name] ?? '';
    if (args === '' && field.args.some((arg) => isNonNullType(arg.type))) problems.push(`${field.name}: no example`);
    const inner = getSelection(field.type, 1) ?? '';
    const nodes = String(field.type).endsWith('Connection')
      ? ' { nodes { __typename id } pageInfo { endCursor } }'
      : inner;
    const aliases = [0, 1].map((index) => `a${index}: ${field.name}${args}${nodes}`);
    const ask = () => client.graphql(`{ ${aliases.join(' ')} }`);
    const whole = await ask();
    const answer = await limited(ask);
    const isTooLarge = answer.body.errors?.some(
      (error: { message: string }) => error.message === tooLongMessage(LIMIT),
    );
    if (isTooLarge) tooLarge += 1;
    else if (!isSmall(answer) || !isSmall(whole)) problems.push(`${field.name}: ${answer.text.slice(0, 200)}`);
  }
  t.deepEqual(problems, []);
  t.true(tooLarge > 5, String(tooLarge));
});

// Contract: rest-5.12.1
test('a list that is too large is 422 and tells to ask for fewer records', async (t) => {
  t.is((await small.anonymous.get('/long?length=1000&count=20')).status, 200);
  const answer = await small.anonymous.get('/long?length=1000&count=40');
  t.true(isTooLarge(answer, 64 * 1024), answer.text);
  t.is(answer.headers.get('content-type'), 'application/json');
  t.is(answer.headers.get('etag'), null);
});

// Contract: rest-5.12.1
test('an answer is measured in the bytes that are sent, to the byte', async (t) => {
  const around = '{"text":""}'.length;
  const half = Math.floor((64 * 1024 - around) / 2);
  t.is((await small.anonymous.get(`/long?length=${half}`)).status, 200);
  t.true(isTooLarge(await small.anonymous.get(`/long?length=${half + 1}`), 64 * 1024));
});

test('rows that are more than an answer may be are not read to their end, and the pool goes on', async (t) => {
  const { pool } = small.services.db;
  for (let round = 0; round < 3; round += 1)
    t.true(isTooLarge(await small.anonymous.get('/rows?count=5000000'), 64 * 1024));
  t.is((await small.anonymous.get('/rows?count=50')).status, 200);
  await until(() => pool.idleCount === pool.totalCount);
  const running = sql`
    select query from pg_stat_activity
     where datname = current_database() and state = 'active' and query like '%generate_series%'
       and pid <> pg_backend_pid()`;
  await until(async () => (await small.services.db.query(running)).length === 0);
  t.pass();
});

// Contract: graphql-1.2.6.1
test('a text of GraphQL under a thousand names is refused before it is written', async (t) => {
  const aliases = Array.from({ length: 100 }, (_, index) => `a${index}: echo(text: $text)`).join(' ');
  const query = `query($text: String!) { ${aliases} }`;
  t.is((await small.anonymous.graphql(query, { text: 'x'.repeat(100) })).body.errors, undefined);
  const { status, body } = await small.anonymous.graphql(query, { text: 'x'.repeat(10_000) });
  t.is(status, 200);
  t.true(JSON.stringify(body).length < 64 * 1024);
  t.true(body.errors.every(({ message }: { message: string }) => message === tooLongMessage(64 * 1024)));
});

// Contract: graphql-1.2.6.1
test('of a batch the entries that there is no room for say so in their place', async (t) => {
  const entry = { query: 'query($text: String!) { echo(text: $text) }', variables: { text: 'x'.repeat(20_000) } };
  const send = JSON.stringify(Array.from({ length: 5 }, () => entry));
  const { status, body } = await small.anonymous.raw('POST', '/api/graphql', send, 'application/json');
  t.is(status, 200);
  t.is(body[0].data.echo.length, 20_010);
  t.is(body[4].errors[0].message, tooLongMessage(64 * 1024));
});

/** A connection that requests 20 MB and reads nothing. */
function askAndIdle({ url }: TestApp, { token }: BuiltUser): Socket {
  const { hostname, port } = new URL(url);
  const idle = connect(Number(port), hostname).pause();
  idle.on('error', () => undefined);
  idle.write(`GET /api/v4${LONG} HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${token}\r\n\r\n`);
  return idle;
}

test.serial('answers that nobody reads are bounded by caller: 503 beyond', async (t) => {
  const user = await crowded.build.user();
  const { outgoing } = crowded.traffic;
  t.is((await crowded.as(user).get(LONG)).status, 200);
  await until(() => outgoing.held === 0);
  const idle = askAndIdle(crowded, user);
  await until(() => outgoing.held > 10_000_000);
  const answer = await crowded.as(user).get(LONG);
  t.is(answer.status, 503);
  t.is(answer.headers.get('retry-after'), '5');
  t.is((await crowded.as(await crowded.build.user()).get('/long?length=10')).status, 200);
  idle.destroy();
  await until(() => outgoing.held === 0);
  t.is((await crowded.as(user).get(LONG)).status, 200);
});

test.serial('a client that does not read its answer loses its connection', async (t) => {
  const user = await crowded.build.user();
  const { minimumRate } = crowded.traffic.limits;
  const { milliseconds } = minimumRate;
  minimumRate.milliseconds = 100;
  t.teardown(() => (minimumRate.milliseconds = milliseconds));
  const idle = askAndIdle(crowded, user);
  await until(() => crowded.traffic.outgoing.held > 0);
  await until(() => crowded.traffic.outgoing.held === 0);
  t.false(idle.destroyed);
  await once(idle.resume(), 'close');
  t.true(idle.bytesRead < 20_000_000);
});

test('a repository file that does not fit into an answer is refused unread, and its raw content is not', async (t) => {
  const project = await small.build.project();
  const { owner } = project;
  const content = 'x'.repeat(60_000);
  const response = await small
    .as(owner)
    .post(`/projects/${project.id}/repository/files/big.txt`, { branch: 'main', content, commit_message: 'Add' });
  t.is(response.status, 201);
  const answer = await small.as(owner).get(`/projects/${project.id}/repository/files/big.txt?ref=main`);
  t.is(answer.status, 413);
  t.is((await small.as(owner).get(`/projects/${project.id}/repository/files/big.txt/raw`)).text, content);
});

test('a cursor of any length is refused unread', async (t) => {
  const cursor = Buffer.from(`{${'"a":1,'.repeat(100_000)}"b":1}`).toString('base64url');
  const { body } = await app.anonymous.graphql(`query($after: String) { projects(after: $after) { nodes { id } } }`, {
    after: cursor,
  });
  t.regex(body.errors[0].message, /valid cursor/);
});
