import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import type { RestRoute } from '../../../api/core/routes.js';
import { needsCredential } from '../../../shared/core/operations/invoke.js';
import { sql } from 'kysely';
import { TOKEN_SCOPES } from '../../../shared/auth/personal-access-tokens/create-token.js';
import { useApp } from '../app.js';
import type { Answer, Client } from '../client.js';
import { missingPathExamples, requestExample, unboundExamples } from '../examples.js';
import { badForm, getContainer, exampleRequest, nameOf, send, describeAnswer, takesUsers, WALK_MS } from '../walk.js';
import type { WalkRequest } from '../walk.js';
import { makePeople, Sandbox } from '../sandbox.js';

// A long test: it goes through every route.

const app = useApp(test);
const requests: WalkRequest[] = [];
let sandbox: Sandbox;

test.serial.before('an example of every route in a private project', async () => {
  sandbox = await Sandbox.make(app, await makePeople(app));
  for (const route of allRoutes) requests.push(await exampleRequest(sandbox, route));
});

/** Sends every example as one client, and reports unexpected responses. */
async function walk(
  client: Client | ((route: RestRoute) => Client | null),
  check: (answer: Answer, route: RestRoute) => boolean,
): Promise<string[]> {
  const problems: string[] = [];
  for (const request of requests) {
    // The token of a program stands in a parameter; credentials of users are not looked at.
    if (request.route.options.headerParams) continue;
    const as = typeof client === 'function' ? client(request.route) : client;
    if (!as) continue;
    const answer = await send(as, request);
    const wrong = badForm(answer) ?? (check(answer, request.route) ? null : describeAnswer(answer));
    if (wrong) problems.push(`${nameOf(request.route)}: ${wrong}`);
  }
  return problems;
}

/** The same for routes that look at the credentials of users. */
const walkWith = (client: Client | ((route: RestRoute) => Client | null), check: Parameters<typeof walk>[1]) =>
  walk((route) => (takesUsers(route) ? (typeof client === 'function' ? client(route) : client) : null), check);

const is = (answer: Answer, status: number, body: object) =>
  answer.status === status && JSON.stringify(answer.body) === JSON.stringify(body);

// Contract: walk-1
test('every path parameter of a bound route has an example', (t) => {
  t.deepEqual(missingPathExamples(allRoutes), []);
});

test('every example is one of a bound route', (t) => {
  t.deepEqual(unboundExamples(allRoutes), []);
});

function answersNobody(answer: Answer, route: RestRoute): boolean {
  if (needsCredential(route.operation)) return is(answer, 401, { message: '401 Unauthorized' });
  const container = getContainer(route);
  if (container) return is(answer, 404, { message: `404 ${container} Not Found` });
  const { anonymousStatus } = requestExample(route);
  return anonymousStatus === undefined ? answer.status < 400 : answer.status === anonymousStatus;
}

// Contract: walk-2
test('without a credential every route answers as its gate says: 401, or 404 for what is private', async (t) => {
  t.timeout(WALK_MS);
  t.deepEqual(await walk(app.anonymous, answersNobody), []);
});

// Contract: walk-3
test('an unknown token is 401 on every route, also where none is needed', async (t) => {
  t.timeout(WALK_MS);
  const client = app.withHeaders({ 'PRIVATE-TOKEN': 'pat-of-nobody-at-all-0123456789' });
  t.deepEqual(await walkWith(client, (answer) => is(answer, 401, { message: '401 Unauthorized' })), []);
});

/** The OAuth form of a refusal, in body and header. */
const matchesOauthError = (description: string) => (answer: Answer) =>
  is(answer, 401, { error: 'invalid_token', error_description: description }) &&
  answer.headers.get('www-authenticate') ===
    `Bearer realm="The API", error="invalid_token", error_description="${description}"`;

// Contract: walk-4
test('an expired token is 401 with the reason in body and header on every route', async (t) => {
  t.timeout(WALK_MS);
  const expired = await app.build.token(sandbox.people.owner, { expires_on: '2029-12-31' });
  const isDenied = matchesOauthError('Token is expired. You can either do re-authorization or token refresh.');
  t.deepEqual(await walkWith(app.as(expired), isDenied), []);
});

// Contract: walk-4
test('a revoked token is 401 with the reason in body and header on every route', async (t) => {
  t.timeout(WALK_MS);
  const revoked = await app.build.token(sandbox.people.owner);
  await app.context().query(sql`update personal_access_tokens set revoked = true where id = ${revoked.token_id}`);
  const isDenied = matchesOauthError('Token was revoked. You have to re-authorize from the user.');
  t.deepEqual(await walkWith(app.as(revoked), isDenied), []);
});

const insufficient = (answer: Answer, route: RestRoute) =>
  is(answer, 403, {
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope: route.operation.scopes.join(' '),
  });

// Contract: walk-5
test('a token whose scopes do not cover a route is 403 and told which would, on every route', async (t) => {
  t.timeout(WALK_MS);
  const others = (route: RestRoute) =>
    TOKEN_SCOPES.filter((scope) => scope !== 'sudo' && !route.operation.scopes.includes(scope));
  const tokens = new Map<string, Client>();
  for (const route of allRoutes) {
    const key = others(route).join(' ');
    if (!tokens.has(key))
      tokens.set(key, app.as(await app.build.token(sandbox.people.admin, { scopes: others(route) })));
  }
  t.deepEqual(await walkWith((route) => tokens.get(others(route).join(' ')) ?? null, insufficient), []);
});

// Contract: walk-6
test('a blocked user is 403 on every route', async (t) => {
  t.timeout(WALK_MS);
  const blocked = await app.build.user();
  await app.context().query(sql`update users set state = 'blocked' where id = ${blocked.id}`);
  const isDenied = (answer: Answer) => is(answer, 403, { message: '403 Forbidden - Your account has been blocked.' });
  t.deepEqual(await walkWith(app.as(blocked), isDenied), []);
});

// Contract: walk-7
test('a stranger gets 404 of the container on every route of a private project or group', async (t) => {
  t.timeout(WALK_MS);
  const client = app.as(sandbox.people.stranger);
  const problems = await walk(
    (route) => (getContainer(route) ? client : null),
    (answer, route) => is(answer, 404, { message: `404 ${getContainer(route)} Not Found` }),
  );
  t.deepEqual(problems, []);
});

// Contract: custom-attributes-2.2
test('of a private project or group strangers and nobody are told what they are told of none, on every route', async (t) => {
  t.timeout(WALK_MS);
  const problems: string[] = [];
  const inside = requests.filter(({ route }) => /^\/(projects|groups)\/:id(\/|$)/.test(route.path));
  t.true(inside.some(({ route }) => route.path.includes('/custom_attributes')));
  for (const client of [app.as(sandbox.people.stranger), app.anonymous])
    for (const request of inside) {
      const answer = await send(client, request);
      const missing = await send(client, { ...request, path: { ...request.path, id: '99999999' } });
      if (answer.status !== missing.status || answer.text !== missing.text)
        problems.push(`${nameOf(request.route)}: ${describeAnswer(answer)}, but of none ${describeAnswer(missing)}`);
    }
  t.deepEqual(problems, []);
});
