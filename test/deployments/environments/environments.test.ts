import test from 'ava';
import { sql } from 'kysely';
import { guessTier, environmentSlug } from '../../../shared/deployments/environments/environment.rules.js';
import { useApp } from '../../core/app.js';
import { deployingProject } from '../deploying-project.js';

const app = useApp(test);

const WRONG_NAME =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'";

async function setUp(attributes: { visibility?: string } = {}) {
  const setup = await deployingProject(app, attributes);
  const environments = `${setup.path}/environments`;
  const make = async (body: Record<string, unknown>) => {
    const answer = await setup.owner.post(environments, body);
    return [answer.status, answer.body];
  };
  return { ...setup, environments, make };
}

// Contract: environments-1.create, environments-1.object
test('an environment is made with its slug, its guessed tier and all of its keys', async (t) => {
  const { owner, environments } = await setUp();
  const { status, body } = await owner.post(environments, {
    name: 'review/My App',
    external_url: 'https://app.example.com',
    description: '**bold**',
  });
  t.is(status, 201);
  t.deepEqual(Object.keys(body), [
    'id',
    'name',
    'slug',
    'external_url',
    'created_at',
    'updated_at',
    'description',
    'state',
    'tier',
    'auto_stop_at',
    'auto_stop_setting',
    'kubernetes_namespace',
    'flux_resource_path',
    'description_html',
  ]);
  t.like(body, {
    name: 'review/My App',
    external_url: 'https://app.example.com',
    state: 'available',
    tier: 'development',
  });
  t.like(body, {
    auto_stop_at: null,
    auto_stop_setting: 'always',
    kubernetes_namespace: null,
    description: '**bold**',
  });
  t.regex(body.slug, /^review-my-app-[a-z\d]{6}$/);
  t.regex(body.description_html, /<strong>bold<\/strong>/);
});

// Contract: environments-1.validation
test('what is wrong with a name or an address is said in the public words', async (t) => {
  const { make } = await setUp();
  const wrong = async (name: string) => (await make({ name }))[1].message.name;
  t.deepEqual(await make({}), [400, { error: 'name is missing' }]);
  for (const name of ['a'.repeat(200) + '/', '/a', 'a,b', 'über', '🚀', "it's", 'a\tb', 'a\nb'])
    t.deepEqual(await make({ name }), [400, { message: { name: [WRONG_NAME] } }], name);
  t.deepEqual(await wrong(''), ["can't be blank", WRONG_NAME]);
  t.deepEqual(await wrong('a'.repeat(256)), ['is too long (maximum is 255 characters)']);
  t.is((await make({ name: 'a'.repeat(255) }))[0], 201);
  t.is((await make({ name: '..' }))[0], 201);
  const url = async (external_url: string) => (await make({ name: 'x', external_url }))[1];
  const blocked = { message: { external_url: ['is blocked: Only allowed schemes are http, https'] } };
  t.deepEqual(await url('javascript:alert(1)'), blocked);
  t.deepEqual(await url('JavaScript://x'), blocked);
  t.deepEqual(await url('nothing'), blocked);
  t.deepEqual(await url(`https://x.example.com/${'a'.repeat(255)}`), {
    message: { external_url: ['is too long (maximum is 255 characters)'] },
  });
});

// Contract: environments-1.validation
test('a name is taken once, and so is its slug where it is the name itself', async (t) => {
  const { make } = await setUp();
  t.is((await make({ name: 'production' }))[0], 201);
  t.is((await make({ name: 'Production' }))[0], 201);
  const error = 'has already been taken';
  t.deepEqual(await make({ name: 'production' }), [400, { message: { name: [error], slug: [error] } }]);
  t.deepEqual(await make({ name: 'Production' }), [400, { message: { name: [error] } }]);
});

// Contract: environments-1.params
test('a slug is refused, and so is an unknown tier', async (t) => {
  const { owner, environments, make } = await setUp();
  t.deepEqual(await make({ name: 'a', slug: 'b' }), [
    400,
    { error: 'slug is automatically generated and cannot be changed' },
  ]);
  t.deepEqual(await make({ name: 'a', tier: 'prod' }), [400, { error: 'tier does not have a valid value' }]);
  t.deepEqual(await make({ name: 'a', auto_stop_setting: 'never' }), [
    400,
    { error: 'auto_stop_setting does not have a valid value' },
  ]);
  const { body } = await owner.post(environments, { name: 'a', tier: 'staging' });
  t.is(body.tier, 'staging');
  const put = await owner.put(`${environments}/${body.id}`, { slug: 'b' });
  t.deepEqual([put.status, put.body], [400, { error: 'slug is automatically generated and cannot be changed' }]);
});

// Contract: environments-1.slug
test('slugs begin with a letter, have single dashes and 24 characters at most', (t) => {
  t.is(environmentSlug('production'), 'production');
  t.is(environmentSlug('a'.repeat(24)), 'a'.repeat(24));
  t.regex(environmentSlug('a'.repeat(25)), /^a{17}-[a-z\d]{6}$/);
  t.regex(environmentSlug('1st'), /^env-1st-[a-z\d]{6}$/);
  t.regex(environmentSlug('a//b__c'), /^a-b-c-[a-z\d]{6}$/);
  t.regex(environmentSlug('Staging-'), /^staging-[a-z\d]{6}$/);
  t.regex(environmentSlug('0123456789abcdef-x'), /^env-0123456789abc-[a-z\d]{6}$/);
  t.regex(environmentSlug('..'), /^env-[a-z\d]{6}$/);
  for (let at = 0; at < 200; at += 1)
    t.regex(environmentSlug(`${'x/-$'.repeat(at % 9)}${at} A`), /^[a-z]([a-z\d]|-(?!-)){0,22}[a-z\d]$/);
});

// Contract: environments-1.tier
test('a tier is guessed from the first word that a name has', (t) => {
  const expected: Record<string, string[]> = {
    development: ['dev', 'development', 'trunk', 'review/production', 'REVIEW/x'],
    testing: ['test', 'tst', 'integration', 'print', 'acpt', 'acceptance', 'QA', 'qc', 'control', 'quality'],
    staging: ['stg', 'staging', 'modl', 'model', 'pre-production', 'demo', 'non-prod'],
    production: ['prd', 'production', 'live', 'Prod-EU'],
    other: ['canary', 'x', 'eu-1'],
  };
  for (const [tier, names] of Object.entries(expected))
    for (const name of names) {
      const guessed: string = guessTier(name);
      t.is(guessed, tier, name);
    }
});

// Contract: environments-1.list, environments-1.filters
test('environments are listed by id and filtered by name, by part of the name and by state', async (t) => {
  const { owner, environments, make } = await setUp();
  for (const name of ['production', 'staging', 'review/a_b']) await make({ name });
  const names = async (query: string) => {
    const { body } = await owner.get(`${environments}?${query}`);
    return body.map(({ name }: { name: string }) => name);
  };
  t.deepEqual(await names(''), ['production', 'staging', 'review/a_b']);
  t.deepEqual(await names('name=staging'), ['staging']);
  t.deepEqual(await names('name=stag'), []);
  t.deepEqual(await names('states=stopped'), []);
  t.deepEqual(await names('states=available&per_page=2&page=2'), ['review/a_b']);
  const [first] = (await owner.get(environments)).body;
  t.false('last_deployment' in first);
  const sendInvalid = async (query: string) => {
    const { status, body } = await owner.get(`${environments}?${query}`);
    return [status, body];
  };
  t.deepEqual(await sendInvalid('name=a&search=abc'), [400, { error: 'name, search cannot be used together' }]);
  t.deepEqual(await sendInvalid('search=ab'), [
    400,
    { message: '400 Bad request - Search query is less than 3 characters' },
  ]);
  t.deepEqual(await sendInvalid('states=gone'), [400, { error: 'states does not have a valid value' }]);
});

// Contract: environments-1.filters
test('[unverified] a search finds any part of a name, whatever its case, and takes its signs literally', async (t) => {
  const { owner, environments, make } = await setUp();
  for (const name of ['production', 'staging', 'review/a_b', 'review/axb']) await make({ name });
  const names = async (search: string) => {
    const { body } = await owner.get(`${environments}?search=${encodeURIComponent(search)}`);
    return body.map(({ name }: { name: string }) => name);
  };
  t.deepEqual(await names('DUCT'), ['production']);
  t.deepEqual(await names('/a_b'), ['review/a_b']);
  t.deepEqual(await names('%%%'), []);
});

// Contract: environments-1.get
test('one environment shows what is deployed there and its agent', async (t) => {
  const { owner, path, environments, deploy, sha, project } = await setUp();
  const agent = (await owner.post(`${path}/cluster_agents`, { name: 'agent-1' })).body;
  const { body: environment } = await owner.post(environments, { name: 'production', cluster_agent_id: agent.id });
  const empty = (await owner.get(`${environments}/${environment.id}`)).body;
  t.is(empty.last_deployment, null);
  t.deepEqual(empty.cluster_agent, agent);
  await deploy();
  await deploy({ status: 'failed' });
  const { body } = await owner.get(`${environments}/${environment.id}`);
  t.like(body.last_deployment, { iid: 1, sha, status: 'success', deployable: null });
  t.is(body.last_deployment.user.id, project.owner.id);
  t.false('environment' in body.last_deployment);
  t.deepEqual((await owner.get(`${environments}/1000000`)).body, { message: '404 Not found' });
  t.deepEqual((await owner.get(`${environments}/x`)).body, { error: 'environment_id is invalid' });
});

// Contract: environments-1.update
test('an edit changes what it names, clears what is empty, and never the name', async (t) => {
  const { owner, environments, make, path } = await setUp();
  const [, environment] = await make({
    name: 'production',
    external_url: 'https://a.example.com',
    description: 'words',
  });
  const url = `${environments}/${environment.id}`;
  const { status, body } = await owner.put(url, { name: 'other', tier: 'testing', external_url: '' });
  t.is(status, 200);
  t.like(body, { name: 'production', tier: 'testing', external_url: null, description: 'words', slug: 'production' });
  t.like((await owner.put(url, { description: null, auto_stop_at: '2031-01-01T00:00:00Z' })).body, {
    description: null,
    auto_stop_at: '2031-01-01T00:00:00.000Z',
  });
  const wrong = await owner.put(url, { external_url: 'ftp://x', kubernetes_namespace: 'No' });
  t.is(wrong.status, 400);
  t.deepEqual(Object.keys(wrong.body.message), ['external_url', 'kubernetes_namespace']);
  const other = await app.build.project();
  const foreign = (await app.as(other.owner).post(`/projects/${other.id}/cluster_agents`, { name: 'x' })).body;
  for (const id of [foreign.id, 1_000_000]) {
    const rejection = await owner.put(url, { cluster_agent_id: id });
    t.deepEqual(
      [rejection.status, rejection.body],
      [400, { message: "400 Bad request - cluster agent doesn't exist or cannot be associated with this environment" }],
    );
  }
  t.is((await owner.get(`${path}/environments`)).body[0].tier, 'testing');
});

// Contract: environments-1.delete
test('only a stopped environment is deleted, with its deployments', async (t) => {
  const { owner, environments, deploy, path } = await setUp();
  const { environment } = (await deploy()).body;
  const url = `${environments}/${environment.id}`;
  const early = await owner.delete(url);
  t.deepEqual([early.status, early.body], [403, { message: '403 Forbidden' }]);
  await owner.post(`${url}/stop`, {});
  t.is((await owner.with({ 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' }).delete(url)).status, 412);
  t.is((await owner.delete(url)).status, 204);
  t.is((await owner.get(url)).status, 404);
  t.deepEqual((await owner.get(`${path}/deployments`)).body, []);
  const { body: audit } = await owner.get(`${path}/audit_events`);
  t.true(audit.some((event: { event_name?: string }) => event.event_name === 'environment_deleted'));
});

// Contract: environments-1.rights
test('nobody is asked to sign in first, then parameters, project, role and record are looked at', async (t) => {
  const { project, environments, owner, make } = await setUp();
  const [, environment] = await make({ name: 'production' });
  const anonymous = app.anonymous;
  for (const answer of [await anonymous.get(environments), await anonymous.post(environments, {})])
    t.is(answer.status, 401);
  const stranger = app.as(await app.build.user());
  t.deepEqual((await stranger.post(environments, {})).body, { error: 'name is missing' });
  t.deepEqual((await stranger.get(environments)).body, { message: '404 Project Not Found' });
  const as = async (role: 'guest' | 'planner' | 'reporter' | 'developer') =>
    app.as(await app.build.member(project, role));
  for (const role of ['guest', 'planner'] as const)
    t.is((await (await as(role)).get(`${environments}/1000000`)).status, 403);
  const reporter = await as('reporter');
  t.is((await reporter.get(environments)).status, 200);
  t.is((await reporter.get(`${environments}/1000000`)).status, 404);
  t.is((await reporter.post(environments, { name: 'x' })).status, 403);
  t.is((await reporter.put(`${environments}/${environment.id}`, { tier: 'other' })).status, 403);
  t.is((await reporter.post(`${environments}/${environment.id}/stop`, {})).status, 403);
  const developer = await as('developer');
  t.is((await developer.post(environments, { name: 'x' })).status, 201);
  t.is((await developer.post(`${environments}/${environment.id}/stop`, {})).status, 200);
  t.is((await developer.delete(`${environments}/${environment.id}`)).status, 204);
  await owner.post(`/projects/${project.id}/archive`, {});
  t.is((await owner.post(environments, { name: 'y' })).status, 403);
  t.is((await owner.get(environments)).status, 200);
});

// Contract: environments-1.rights
test('readers of a public project read its environments where those are open to all, not its deployments', async (t) => {
  const { owner, project, path, environments, deploy } = await setUp({ visibility: 'public' });
  const { environment } = (await deploy()).body;
  const reader = app.as(await app.build.user());
  t.is((await reader.get(environments)).body.length, 1);
  t.is((await reader.get(`${environments}/${environment.id}`)).body.last_deployment, null);
  t.is((await reader.get(`${path}/deployments`)).status, 403);
  t.is((await app.anonymous.get(environments)).status, 401);
  await owner.put(path, { environments_access_level: 'private' });
  t.is((await reader.get(environments)).status, 403);
  t.is((await owner.get(environments)).status, 200);
  for (const change of [{ environments_access_level: 'disabled' }, { builds_access_level: 'disabled' }]) {
    await owner.put(path, { environments_access_level: 'enabled', builds_access_level: 'enabled', ...change });
    t.is((await owner.get(environments)).status, 403);
    t.is((await owner.get(`${path}/deployments`)).status, 403);
    t.is((await deploy()).status, 403);
  }
  t.is(project.visibility, 'public');
});

// Contract: environments-1.get
test('an agent that is deleted leaves its environments', async (t) => {
  const { owner, path, environments } = await setUp();
  const agent = (await owner.post(`${path}/cluster_agents`, { name: 'agent-1' })).body;
  const { body: environment } = await owner.post(environments, { name: 'production', cluster_agent_id: agent.id });
  t.is((await owner.delete(`${path}/cluster_agents/${agent.id}`)).status, 204);
  t.is((await owner.get(`${environments}/${environment.id}`)).body.cluster_agent, null);
  const rows = await app.context().query(sql`select 1 from environments where id = ${environment.id}`);
  t.is(rows.length, 1);
});
