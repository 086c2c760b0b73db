import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../app.js';
import { rawSocket } from '../raw-http.js';

const app = useApp(test);

const JSON_TYPE = 'application/json';
const PATH = '/api/graphql';
const WHO = '{ currentUser { username } }';
const NOT_AVAILABLE =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action";
const ECHO = 'mutation { echoCreate(input: { messages: ["x"] }) { echoes errors } }';

const echo = (text: string) => `{ echo(text: "${text}") }`;

// Contract: graphql-1.1.1, graphql-1.1.14
test('a POST of a JSON object is answered with JSON in UTF-8, extra keys ignored', async (t) => {
  const body = JSON.stringify({ query: echo('hi'), extra: 1 });
  const answer = await app.anonymous
    .with({ Accept: 'application/graphql-response+json' })
    .raw('POST', PATH, body, JSON_TYPE);
  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  t.deepEqual(answer.body, { data: { echo: 'nil says: hi' } });
});

// Contract: graphql-1.1.2
test('a JSON array is answered entry by entry in its order, a bad one among good ones', async (t) => {
  const batch = JSON.stringify([{ query: echo('a') }, { query: '{ nothing }' }, { query: echo('b') }]);
  const { status, body } = await app.anonymous.raw('POST', PATH, batch, JSON_TYPE);
  t.is(status, 200);
  t.is(body.length, 3);
  t.is(body[0].data.echo, 'nil says: a');
  t.is(body[1].errors[0].message, "Field 'nothing' doesn't exist on type 'Query'");
  t.false('data' in body[1]);
  t.is(body[2].data.echo, 'nil says: b');
});

// Contract: graphql-1.1.3
test('two mutations of one batch run one after the other and see each other', async (t) => {
  const schedule = await app.build.schedule();
  const update = (description: string) => ({
    query: `mutation { pipelineScheduleUpdate(input: { id: "gid://service/Ci::PipelineSchedule/${schedule.id}",
      description: "${description}" }) { pipelineSchedule { description } } }`,
  });
  const read = {
    query: `{ project(fullPath: "${schedule.project.full_path}") { pipelineSchedules { nodes { description } } } }`,
  };
  const client = app.as(schedule.ownedBy);
  const { body } = await client.raw(
    'POST',
    PATH,
    JSON.stringify([update('one'), read, update('two'), read]),
    JSON_TYPE,
  );
  t.is(body[1].data.project.pipelineSchedules.nodes[0].description, 'one');
  t.is(body[3].data.project.pipelineSchedules.nodes[0].description, 'two');
});

// Contract: graphql-1.1.4
test('an empty batch is answered with an empty array', async (t) => {
  const { status, body } = await app.anonymous.raw('POST', PATH, '[]', JSON_TYPE);
  t.is(status, 200);
  t.deepEqual(body, []);
});

// Contract: graphql-1.1.5
test('a batch of more than 50 entries is 422', async (t) => {
  const entries = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ query: echo('x') })));
  t.is((await app.anonymous.raw('POST', PATH, entries(50), JSON_TYPE)).status, 200);
  const { status, body } = await app.anonymous.raw('POST', PATH, entries(51), JSON_TYPE);
  t.is(status, 422);
  t.deepEqual(body, { errors: [{ message: 'Query too large' }] });
});

// Contract: graphql-1.1.6
test('a GET runs queries, with variables and the name of an operation', async (t) => {
  const query = encodeURIComponent(
    'query A($text: String!) { echo(text: $text) } query B { queryComplexity { score } }',
  );
  const variables = encodeURIComponent('{"text":"got"}');
  const { status, body } = await app.anonymous.raw(
    'GET',
    `${PATH}?query=${query}&variables=${variables}&operationName=A`,
  );
  t.is(status, 200);
  t.is(body.data.echo, 'nil says: got');
});

// Contract: graphql-1.1.7
test('a mutation by GET or HEAD is 422 and is not run', async (t) => {
  const user = await app.build.user();
  const url = `${PATH}?query=${encodeURIComponent(ECHO)}`;
  const { status, body } = await app.as(user).raw('GET', url);
  t.is(status, 422);
  t.deepEqual(body, { errors: [{ message: 'Mutations are forbidden in GET requests' }] });
  t.is((await app.as(user).raw('HEAD', url)).status, 422);
});

test('a query in the URL of a POST works without any body', async (t) => {
  const head = `POST ${PATH}?query=${encodeURIComponent(echo('a'))} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
  const answer = await rawSocket(app.url, `${head}Content-Type: application/json\r\n\r\n`);
  t.regex(answer, /^HTTP\/1\.1 200 [\s\S]*nil says: a/);
});

// Contract: graphql-1.1.8
test('a query in a form or in the URL of a POST works', async (t) => {
  const form = new URLSearchParams({ query: 'query($t: String!) { echo(text: $t) }', variables: '{"t":"form"}' });
  const posted = await app.anonymous.raw('POST', PATH, form.toString(), 'application/x-www-form-urlencoded');
  t.is(posted.body.data.echo, 'nil says: form');
  const inUrl = await app.anonymous.raw('POST', `${PATH}?query=${encodeURIComponent(echo('url'))}`);
  t.is(inUrl.body.data.echo, 'nil says: url');
});

// Contract: graphql-1.1.9
test('variables may be an object, JSON text, empty text or null', async (t) => {
  const query = 'query($t: String = "default") { echo(text: $t) }';
  const send = async (variables: unknown) => {
    const { body } = await app.anonymous.raw('POST', PATH, JSON.stringify({ query, variables }), JSON_TYPE);
    return body.data.echo;
  };
  t.is(await send({ t: 'object' }), 'nil says: object');
  t.is(await send('{"t":"text"}'), 'nil says: text');
  t.is(await send(''), 'nil says: default');
  t.is(await send(null), 'nil says: default');
});

// Contract: graphql-1.1.10
test('variables that are no JSON, or of another type, are 422', async (t) => {
  const send = (variables: unknown) =>
    app.anonymous.raw('POST', PATH, JSON.stringify({ query: echo('x'), variables }), JSON_TYPE);
  const broken = await send('{"t":');
  t.is(broken.status, 422);
  t.regex(broken.body.errors[0].message, /JSON/);
  t.is((await send(5)).status, 422);
  t.is((await send([1])).status, 422);
  t.is((await send('"text"')).status, 422);
});

// Contract: graphql-1.1.11
test('several operations need a name that one of them has', async (t) => {
  const query = 'query A { a: echo(text: "a") } query B { b: echo(text: "b") }';
  const send = async (operationName?: string) => {
    const answer = await app.anonymous.raw('POST', PATH, JSON.stringify({ query, operationName }), JSON_TYPE);
    t.is(answer.status, 200);
    return answer.body;
  };
  t.deepEqual((await send('B')).data, { b: 'nil says: b' });
  t.deepEqual(await send(), { errors: [{ message: 'An operation name is required' }] });
  t.deepEqual(await send('C'), { errors: [{ message: 'No operation named "C"' }] });
});

test('parameters of odd kinds are no faults', async (t) => {
  for (const query of [
    'remove_deprecated[a]=1',
    'query[]=1',
    'variables[a]=1&query=%7Becho(text:%22x%22)%7D',
    'operationName[]=x',
  ]) {
    const { status } = await app.anonymous.raw('GET', `${PATH}?${query}`);
    t.is(status, 200, query);
  }
});

// Contract: graphql-1.1.12
test('an empty query is answered with 200 and an error', async (t) => {
  for (const body of ['{}', '{"query":""}', '{"query":null}', '5']) {
    const answer = await app.anonymous.raw('POST', PATH, body, JSON_TYPE);
    t.is(answer.status, 200, body);
    t.deepEqual(answer.body, { errors: [{ message: 'No query string was present' }] });
  }
});

// Contract: graphql-1.1.13
test('subscriptions are not offered', async (t) => {
  const { status, body } = await app.anonymous.graphql('subscription { currentUser { name } }');
  t.is(status, 200);
  t.deepEqual(body, { errors: [{ message: 'Schema is not configured for subscriptions' }] });
});

// Contract: graphql-1.2.1
test('what the engine refuses is 200 with errors and without data', async (t) => {
  const queries = ['{ broken', '{ nothing }', '{ echo(text: 5) }', 'query($x: Int!) { echo(text: "x") }'];
  for (const query of queries) {
    const { status, body } = await app.anonymous.graphql(query);
    t.is(status, 200, query);
    t.true(body.errors.length > 0, query);
    t.false('data' in body, query);
  }
});

// Contract: graphql-1.2.4
test('a query of more than 10,000 characters is 422, each one of a batch for itself', async (t) => {
  const long = (length: number) => `{ echo(text: "x") } #${'-'.repeat(length - 21)}`;
  t.is(long(10_000).length, 10_000);
  t.is((await app.anonymous.graphql(long(10_000))).status, 200);
  const rejection = await app.anonymous.graphql(long(10_001));
  t.is(rejection.status, 422);
  t.deepEqual(rejection.body, { errors: [{ message: 'Query too large' }] });
  const two = JSON.stringify([{ query: long(9000) }, { query: long(9000) }]);
  t.is((await app.anonymous.raw('POST', PATH, two, JSON_TYPE)).status, 200);
});

// Contract: graphql-1.2.5
test('malformed JSON is 400 with a message', async (t) => {
  const { status, body } = await app.anonymous.raw('POST', PATH, '{"query":', JSON_TYPE);
  t.is(status, 400);
  t.is(typeof body.errors[0].message, 'string');
});

// Contract: graphql-1.2.5
test('JSON nested over 32 levels, or of over 10,000 keys, is 400', async (t) => {
  const send = (extra: string) =>
    app.anonymous.raw('POST', PATH, `{"query":"{ echo(text: \\"x\\") }","variables":{"x":${extra}}}`, JSON_TYPE);
  t.is((await send('['.repeat(20) + ']'.repeat(20))).status, 200);
  t.is((await send('['.repeat(40) + ']'.repeat(40))).status, 400);
  t.is((await send(`[${'1,'.repeat(10_000)}1]`)).status, 400);
  const text = JSON.stringify(`{"x":${'['.repeat(40)}${']'.repeat(40)}}`);
  t.is((await app.anonymous.raw('POST', PATH, `{"query":"{ x }","variables":${text}}`, JSON_TYPE)).status, 400);
});

// Contract: graphql-1.2.6
test('a body over 20 MiB is 413', async (t) => {
  const body = `{"query":"{ echo(text: \\"x\\") }","extra":"${'x'.repeat(20 * 1024 * 1024)}"}`;
  const answer = await app.anonymous.raw('POST', PATH, body, JSON_TYPE);
  t.is(answer.status, 413);
  t.deepEqual(answer.body, { errors: [{ message: 'Request body too large' }] });
});

// Contract: graphql-1.2.7
test('a URL over 64 KiB is 414', async (t) => {
  const padding = (length: number) => `${PATH}?query=${encodeURIComponent(echo('x'))}&padding=${'x'.repeat(length)}`;
  t.is((await app.anonymous.raw('GET', padding(60_000))).status, 200);
  const { status, body } = await app.anonymous.raw('GET', padding(66_000));
  t.is(status, 414);
  t.deepEqual(body, { error: '414 Request-URI Too Large' });
});

// Contract: graphql-1.2.10
test('other methods are 405 and name those that are allowed', async (t) => {
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const { status, headers, body } = await app.anonymous.raw(method, PATH);
    t.is(status, 405);
    t.is(headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
    t.is(body.errors.length, 1);
  }
});

// Contract: graphql-1.4.6
test('any origin may ask, without credentials', async (t) => {
  const { headers } = await app.anonymous.with({ Origin: 'https://elsewhere.test' }).graphql(WHO);
  t.is(headers.get('access-control-allow-origin'), '*');
  t.is(headers.get('access-control-allow-credentials'), null);
});

// Contract: graphql-1.4.1
test('a token is taken from both headers, from the URL and from a form', async (t) => {
  const { token, username } = await app.build.user();
  const ask = async (headers: Record<string, string>, suffix = '') => {
    const answer = await app.withHeaders(headers).raw('POST', PATH + suffix, JSON.stringify({ query: WHO }), JSON_TYPE);
    return answer.body.data.currentUser.username;
  };
  t.is(await ask({ Authorization: `Bearer ${token}` }), username);
  t.is(await ask({ 'PRIVATE-TOKEN': token }), username);
  t.is(await ask({}, `?private_token=${token}`), username);
  const form = new URLSearchParams({ query: WHO, private_token: token }).toString();
  const posted = await app.anonymous.raw('POST', PATH, form, 'application/x-www-form-urlencoded');
  t.is(posted.body.data.currentUser.username, username);
});

// Contract: graphql-1.4.4
test('without a token the caller is anonymous and currentUser is null', async (t) => {
  const { status, body } = await app.anonymous.graphql(WHO);
  t.is(status, 200);
  t.deepEqual(body, { data: { currentUser: null } });
});

// Contract: graphql-1.2.2
test('an unknown, expired or revoked token, and one without an API scope, is 401', async (t) => {
  const user = await app.build.user();
  const expired = await app.build.token(user, { expires_on: '2029-12-31' });
  const scopeless = await app.build.token(user, { scopes: ['read_user'] });
  const revoked = await app.build.token(user);
  await app.context().query(sql`update personal_access_tokens set revoked = true where id = ${revoked.token_id}`);
  for (const token of ['pat-nobody', expired.token, scopeless.token, revoked.token]) {
    const { status, body } = await app.withHeaders({ Authorization: `Bearer ${token}` }).graphql(WHO);
    t.is(status, 401);
    t.deepEqual(body, { errors: [{ message: 'Invalid token' }] });
  }
});

// Contract: graphql-1.4.2
test('a bad token is 401 even beside a cookie', async (t) => {
  const client = app.withHeaders({ 'PRIVATE-TOKEN': 'pat-nobody', Cookie: '_service_session=something' });
  t.is((await client.graphql(WHO)).status, 401);
});

// Contract: graphql-1.2.3
test('the token of a blocked user is 403', async (t) => {
  const user = await app.build.user();
  await app.context().query(sql`update users set state = 'blocked' where id = ${user.id}`);
  const { status, body } = await app.as(user).graphql(WHO);
  t.is(status, 403);
  t.deepEqual(body, { errors: [{ message: 'API not accessible for user' }] });
});

// Contract: graphql-1.4.3
test('a token that may only read runs queries and no mutation', async (t) => {
  const reader = await app.build.user({ scopes: ['read_api'] });
  t.is((await app.as(reader).graphql(WHO)).body.data.currentUser.username, reader.username);
  const { status, body } = await app.as(reader).graphql(ECHO);
  t.is(status, 200);
  t.deepEqual(body.data, { echoCreate: null });
  t.is(body.errors[0].message, NOT_AVAILABLE);
  t.deepEqual(body.errors[0].path, ['echoCreate']);
});

// Contract: graphql-1.4.4
test('an anonymous mutation is 200 with the error that hides what exists', async (t) => {
  const { status, body } = await app.anonymous.graphql(ECHO);
  t.is(status, 200);
  t.deepEqual(body.data, { echoCreate: null });
  t.is(body.errors[0].message, NOT_AVAILABLE);
});

// Contract: graphql-4.8
test('mutations run in order, and a failed one does not undo an earlier one', async (t) => {
  const schedule = await app.build.schedule();
  const id = `gid://service/Ci::PipelineSchedule/${schedule.id}`;
  const { body } = await app.as(schedule.ownedBy).graphql(`mutation {
    a: pipelineScheduleUpdate(input: { id: "${id}", description: "kept" }) { errors }
    b: pipelineScheduleUpdate(input: { id: "gid://service/Ci::PipelineSchedule/999999", description: "no" }) { errors }
    c: pipelineScheduleUpdate(input: { id: "${id}", cron: "5 5 * * *" }) { pipelineSchedule { description cron } } }`);
  t.deepEqual(body.data.a, { errors: [] });
  t.is(body.data.b, null);
  t.deepEqual(body.data.c.pipelineSchedule, { description: 'kept', cron: '5 5 * * *' });
  t.is(body.errors.length, 1);
});
