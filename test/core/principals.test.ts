import test from 'ava';
import { allRoutes } from '../../api/domains.js';
import { get, post, routes } from '../../api/core/routes.js';
import { loadGraphql } from '../../api/graphql.js';
import { TOKEN_SCOPES } from '../../shared/auth/personal-access-tokens/create-token.js';
import { UserCaller } from '../../shared/core/context/callers.js';
import type { Caller } from '../../shared/core/context/callers.js';
import { Context } from '../../shared/core/context/context.js';
import type { SignedInContext } from '../../shared/core/context/context.js';
import { RateLimited, Unauthenticated } from '../../shared/core/values/errors.js';
import { countAction } from '../../shared/core/operations/limit-actions.js';
import { invoke } from '../../shared/core/operations/invoke.js';
import { can, operation } from '../../shared/core/operations/operation.js';
import { ReadsTogether } from '../../shared/core/database/reads-together.js';
import { openRepository } from '../../shared/repositories/repositories/write-refs.js';
import { basicProject } from '../../shared/tenancy/project-details/basic-project.serializer.js';
import { project, visibleProjects } from '../../shared/tenancy/projects/project.finder.js';
import { projectPolicy } from '../../shared/tenancy/projects/project.policy.js';
import { user } from '../../shared/tenancy/users/user.finder.js';
import { useApp } from './app.js';
import type { Answer, Client } from './client.js';
import { heard, Probe, probeDomain } from './probe-principal.js';
import { exampleRequest, nameOf, send, describeAnswer, takesUsers } from './walk.js';
import { makePeople, Sandbox } from './sandbox.js';

// A long test: it goes through every operation.

const EVERYTHING = 'prb-everything-0123456789';
const ANOTHER = 'prb-another-0123456789';
const NOTHING = 'prb-nothing-0123456789';
const NARROW = 'prb-narrow-0123456789';
const EXPIRED = 'prb-expired-0123456789';
const REVOKED = 'prb-revoked-0123456789';

const able = { scopes: TOKEN_SCOPES, abilities: ['read_project', 'read_code', 'push_code'] };
const probes = {
  [EVERYTHING]: { id: 7, name: 'Release probe', scopes: TOKEN_SCOPES, abilities: ['*'] },
  [ANOTHER]: { id: 8, name: 'Another probe', ...able },
  [NOTHING]: { id: 9, name: 'Probe without rights', scopes: TOKEN_SCOPES, abilities: ['read_project'] },
  [NARROW]: { id: 10, name: 'Probe without scopes', scopes: ['read_user'], abilities: ['*'] },
  [EXPIRED]: { id: 11, name: 'Late probe', ...able, ends_at: '2029-12-31T00:00:00Z' },
  [REVOKED]: { id: 12, name: 'Gone probe', ...able, revoked: true },
};

const readProbed = operation({
  name: 'readProbed',
  summary: 'Read what a probe may',
  resource: project,
  can: can(projectPolicy, 'read_code'),
  kind: 'read',
  principals: ['probe'],
  run: (ctx, found) => Promise.resolve({ kind: ctx.caller.kind, id: ctx.caller.id, path: found.full_path }),
});

const showProbed = operation({
  name: 'showProbed',
  summary: 'Show a project to a probe',
  resource: project,
  can: can(projectPolicy, 'read_code'),
  kind: 'read',
  principals: ['probe'],
  run: (_ctx, found) => Promise.resolve(found),
});

const writeProbed = operation({
  name: 'writeProbed',
  summary: 'Write what a probe may',
  resource: project,
  can: can(projectPolicy, 'push_code'),
  kind: 'write',
  principals: ['probe'],
  run(ctx, found) {
    ctx.record({ type: 'probe.passed', project: found });
    return Promise.resolve({ written: true });
  },
});

const administrate = operation({
  name: 'administrate',
  summary: 'What administrators do',
  resource: project,
  authentication: 'administrator',
  kind: 'read',
  principals: ['probe'],
  run: () => Promise.resolve({}),
});

const app = useApp(
  test,
  routes('/projects/:id', [
    get('/probed', readProbed),
    get('/shown', showProbed, { present: basicProject }),
    post('/probed', writeProbed, { status: 201 }),
    get('/administrated', administrate),
  ]),
  { domains: [probeDomain((token) => app.services.keys.digest(token), probes)] },
);

const as = (token: string): Client => app.withHeaders({ 'PRIVATE-TOKEN': token });
const unknown = () => as('prb-of-nobody-at-all-0123456789');
const UNAUTHORIZED = { message: '401 Unauthorized' };

const alike = (one: Answer, other: Answer) =>
  one.status === other.status &&
  one.text === other.text &&
  one.headers.get('www-authenticate') === other.headers.get('www-authenticate');

/** The operations whose callers may be other principals than users. */
const TAKES_DEPLOY_TOKENS = ['publishGenericPackageFile', 'downloadGenericPackageFile'];

test('no operation takes a caller of another kind for a user or for nobody: to every bound route its token is unknown', async (t) => {
  const sandbox = await Sandbox.make(app, await makePeople(app));
  t.true(allRoutes.length > 150);
  const problems: string[] = [];
  for (const route of allRoutes) {
    const kinds = TAKES_DEPLOY_TOKENS.includes(route.operation.name) ? ['deploy_token'] : [];
    t.deepEqual(route.operation.principals, kinds, `${nameOf(route)} declares whom it takes`);
    if (!takesUsers(route)) continue;
    const request = await exampleRequest(sandbox, route);
    const rejection = await send(unknown(), request);
    for (const client of [as(EVERYTHING), app.withHeaders({ Authorization: `Bearer ${EVERYTHING}` })]) {
      const answer = await send(client, request);
      if (answer.status !== 401 || !alike(answer, rejection))
        problems.push(`${nameOf(route)}: ${describeAnswer(answer)}`);
    }
  }
  t.deepEqual(problems, []);
});

test('nor is it one where the token comes as a parameter, beside sudo, or with another method', async (t) => {
  const { id, owner } = await app.build.project({ visibility: 'public' });
  const answers = [
    await app.anonymous.get(`/projects/${id}?private_token=${EVERYTHING}`),
    await app.anonymous.post('/projects', { name: 'Mine', private_token: EVERYTHING }),
    await as(EVERYTHING).with({ Sudo: owner.username }).get(`/projects/${id}`),
    await as(EVERYTHING).with({ Sudo: owner.username }).get(`/projects/${id}/probed`),
    await as(EVERYTHING).head(`/projects/${id}`),
  ];
  t.deepEqual(
    answers.map(({ status }) => status),
    [401, 401, 401, 401, 401],
  );
  t.is((await app.anonymous.get(`/projects/${id}`)).status, 200);
});

test('no field of GraphQL takes it: its token is unknown there', async (t) => {
  const { schema } = await loadGraphql();
  const fields = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type, index) =>
    Object.keys(type.getFields()).map((name) => `${index === 0 ? 'query' : 'mutation'} { ${name} }`),
  );
  t.true(fields.length > 10);
  const problems: string[] = [];
  for (const query of fields) {
    const rejection = await unknown().graphql(query);
    const answer = await as(EVERYTHING).graphql(query);
    const bearer = await app.withHeaders({ Authorization: `Bearer ${EVERYTHING}` }).graphql(query);
    if (answer.status !== 401 || !alike(answer, rejection) || !alike(bearer, rejection))
      problems.push(`${query}: ${describeAnswer(answer)}`);
  }
  t.deepEqual(problems, []);
  t.is(
    (await app.anonymous.raw('GET', `/api/graphql?query={currentUser{id}}&private_token=${EVERYTHING}`)).status,
    401,
  );
});

test('no operation runs for it by another way than REST either', async (t) => {
  const ctx = app.context(new Probe(7, 'Release probe', TOKEN_SCOPES, ['*']));
  for (const { operation: one } of allRoutes)
    await t.throwsAsync(invoke(ctx, one, {}), { instanceOf: Unauthenticated }, one.name);
});

test('every rule asks the caller itself, by its ability, and grants nothing that it does not', (t) => {
  const probe = new Probe(7, 'Release probe', TOKEN_SCOPES);
  const record = { visibility: 'public', access: 60, owner_id: 0, user_id: 0, id: 0 } as never;
  const ruled = allRoutes.map(({ operation: one }) => one).filter(({ rule }) => rule);
  t.true(ruled.length > 50);
  for (const { name, ability, rule } of ruled) {
    probe.abilitiesChecked.length = 0;
    t.false(rule!(probe, record), name);
    t.deepEqual(probe.abilitiesChecked, ability === undefined ? [] : [ability], name);
  }
});

test('an operation that declares its kind takes it, with the rights that it has and no others', async (t) => {
  const { id, full_path: path } = await app.build.project();
  const read = (token: string) => as(token).get(`/projects/${id}/probed`);
  const answer = await read(EVERYTHING);
  t.deepEqual([answer.status, answer.body], [200, { kind: 'probe', id: 7, path }]);
  t.is((await read(NOTHING)).status, 403);
  t.deepEqual((await read(NARROW)).body.error, 'insufficient_scope');
  t.is((await as(ANOTHER).post(`/projects/${id}/probed`)).status, 201);
  t.is((await as(NOTHING).post(`/projects/${id}/probed`)).status, 403);
  t.deepEqual((await as(EVERYTHING).get(`/projects/${id}/administrated`)).body, { message: '403 Forbidden' });
  t.deepEqual((await as(EVERYTHING).get('/projects/99999999/probed')).body, { message: '404 Project Not Found' });
});

test('users and nobody are to that operation what they are to any other', async (t) => {
  const { id, owner } = await app.build.project({ visibility: 'public' });
  t.is((await app.as(owner).get(`/projects/${id}/probed`)).body.kind, 'user');
  t.deepEqual((await app.anonymous.get(`/projects/${id}/probed`)).body, UNAUTHORIZED);
  t.is((await app.as(await app.build.user()).post(`/projects/${id}/probed`)).status, 403);
});

test('its token expires and is revoked like any other', async (t) => {
  const { id } = await app.build.project();
  const expired = await as(EXPIRED).get(`/projects/${id}/probed`);
  t.is(expired.body.error_description, 'Token is expired. You can either do re-authorization or token refresh.');
  const revoked = await as(REVOKED).get(`/projects/${id}/probed`);
  t.is(revoked.body.error_description, 'Token was revoked. You have to re-authorize from the user.');
  t.is((await app.anonymous.get(`/projects/${id}?access_token=${EVERYTHING}`)).status, 401);
});

test('of a record it is shown what nobody in particular is', async (t) => {
  const { id, owner } = await app.build.project();
  const answer = await as(EVERYTHING).get(`/projects/${id}/shown`);
  t.is(answer.status, 200);
  t.is(answer.body.id, id);
  // Guests and anonymous callers don't see the branch of a private project.
  t.false('default_branch' in answer.body);
  t.true('default_branch' in (await app.as(owner).get(`/projects/${id}/shown`)).body);
});

test('audit and other events name it: no author id, and its own name', async (t) => {
  const newProject = await app.build.project();
  await as(EVERYTHING).post(`/projects/${newProject.id}/probed`);
  t.deepEqual(
    heard.filter(({ project_id: id }) => id === newProject.id),
    [{ project_id: newProject.id, by: 'probe 7 Release probe' }],
  );
  await app.set({ plan: 'ultimate' });
  const { body } = await app.as(newProject.owner).get(`/projects/${newProject.id}/audit_events`);
  const [event] = body.filter(({ event_name: name }: { event_name: string }) => name === 'probe_passed');
  t.is(event.author_id, null);
  t.is(event.details.author_name, 'Release probe');
  t.is(event.details.ip_address, '127.0.0.1');
});

test.serial('limits count it by itself, not by the address it comes from nor as a user with its id', async (t) => {
  const person = await app.build.user();
  await app.set({ notes_create_limit: 1 });
  const contexts = (id: number): Context<Caller>[] => [
    app.context(new Probe(id, 'Probe', [])),
    app.context(new UserCaller({ ...person, id })),
    app.context(),
  ];
  for (const ctx of contexts(70_007)) await t.notThrowsAsync(countAction(ctx, 'notes_create'), ctx.caller.kind);
  for (const ctx of contexts(70_007))
    await t.throwsAsync(countAction(ctx, 'notes_create'), { instanceOf: RateLimited });
  await t.notThrowsAsync(countAction(app.context(new Probe(70_008, 'Probe', [])), 'notes_create'));
  await app.set({ notes_create_limit: 300 });
});

test.serial('requests are counted to it, as to a user', async (t) => {
  const { id } = await app.build.project();
  await app.set({
    throttle_authenticated_api_enabled: true,
    throttle_authenticated_api_requests_per_period: 1,
    throttle_authenticated_api_period_in_seconds: 60,
  });
  const read = async (token: string) => (await as(token).get(`/projects/${id}/probed`)).status;
  const statuses = [await read(EVERYTHING), await read(EVERYTHING), await read(ANOTHER)];
  await app.set({ throttle_authenticated_api_enabled: false });
  t.deepEqual(statuses, [200, 429, 200]);
});

test('places of the database and of git are shared out by it', async (t) => {
  const person = await app.build.user();
  const sharedOutTo = (caller: Caller) => {
    let poolCaller: string | null = null;
    const ctx = new Context(app.services, caller, { requestId: 'x', ip: '203.0.113.9' }, (db, asker) => {
      poolCaller = asker.caller;
      return new ReadsTogether(db, asker);
    });
    const { caller: gitCaller } = openRepository(ctx, { id: 1 }) as { caller: string };
    return [poolCaller, gitCaller];
  };
  t.deepEqual(sharedOutTo(new Probe(7, 'Probe', [])), ['probe 7', 'probe 7']);
  t.deepEqual(sharedOutTo(new UserCaller(person)), [`user ${person.id}`, `user ${person.id}`]);
  t.deepEqual(sharedOutTo(app.context().caller), ['address 203.0.113.9', 'address 203.0.113.9']);
});

/** Never called: it compiles only if the compiler rejects the marked lines. */
export function assertTypeErrors(probe: Context<Probe>, anybody: Context<Caller>, either: Context): void {
  const acting = (ctx: SignedInContext) => ctx.caller.user.id;
  // @ts-expect-error -- a caller of another kind has no user
  acting(probe);
  // @ts-expect-error -- an anonymous caller has none either
  acting(either);
  // @ts-expect-error -- who may be anybody is not to be taken for a user or for nobody
  void anybody.caller.anonymous;
  // @ts-expect-error -- no list of what people see is for it
  visibleProjects(probe);
  operation({
    name: 'neverTaken',
    summary: 'Takes a probe and asks for its user',
    resource: project,
    kind: 'read',
    principals: ['probe'],
    // @ts-expect-error -- what an operation takes, its work must be made for
    run: (ctx) => Promise.resolve(ctx.caller.user.id),
  });
  operation({
    name: 'neverFound',
    summary: 'Takes a probe and finds for users',
    // @ts-expect-error -- nor is it found for whom its resource is not
    resource: user,
    kind: 'read',
    principals: ['probe'],
    run: () => Promise.resolve(null),
  });
  operation({
    name: 'neverSignedIn',
    summary: 'Lets anybody in and asks for the user',
    resource: project,
    authentication: 'open',
    kind: 'read',
    // @ts-expect-error -- whom the requirement admits may be nobody
    run: (ctx) => Promise.resolve(ctx.caller.user.id),
  });
  operation({
    name: 'neverKnown',
    summary: 'Takes a kind that no domain has',
    resource: project,
    kind: 'read',
    // @ts-expect-error -- kinds are those that a domain declares
    principals: ['nothing_of_the_kind'],
    run: () => Promise.resolve(null),
  });
}
