import { buildClientSchema } from 'graphql';
import type { IntrospectionQuery } from 'graphql';
import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { loadGraphql } from '../../../api/graphql.js';
import { graphqlDeprecations, restDeprecations, restItems } from '../../../api/instance/api-reference/deprecations.js';
import { REST_DEPRECATED, getRemoval, SCHEDULE } from '../../../api/instance/api-reference/removal-schedule.js';
import { schemaText } from '../../../api/core/graphql/schema.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);
const { schema } = await loadGraphql();

interface ReferenceContents {
  schedule: string[];
  deprecations: { api: string; name: string; instead: string; since: string; removed: string; usages: string[] }[];
  limits: { title: string; rows: { what: string; value: string; beyond: string }[] }[];
  plans: { method: string; path: string; plan: string; offerings: string[] }[];
}

const contents = async () => (await app.anonymous.raw('GET', '/-/api-docs/contents.json')).body as ReferenceContents;

// Contract: references-deprecations
test('every deprecated name of REST has a release that deprecated it in the schedule, and no other name has', (t) => {
  const names = new Set(restItems(allRoutes).map(({ name }) => name));
  t.deepEqual([...names].toSorted(), Object.keys(REST_DEPRECATED).toSorted());
});

// Contract: references-deprecations
test('what is deprecated stays for six releases and goes in a major one that is to come', (t) => {
  t.is(getRemoval('13.12'), '19.0');
  t.is(getRemoval('18.6'), '19.0');
  t.is(getRemoval('18.7'), '20.0');
  t.is(getRemoval('19.0'), '20.0');
  t.is(SCHEDULE.length, 6);
  for (const { name, since, removed } of [...restDeprecations(allRoutes), ...graphqlDeprecations(schema)]) {
    t.regex(since, /^\d+\.\d+$/, name);
    t.regex(removed, /^\d+\.0$/, name);
    t.is(removed, getRemoval(since), name);
  }
});

// Contract: references-deprecations
test('deprecations tell of both APIs what is to be used instead, and where', async (t) => {
  const { deprecations, schedule } = await contents();
  t.deepEqual(schedule, [...SCHEDULE]);
  const [tagList] = deprecations.filter(({ api, name }) => api === 'REST' && name === 'tag_list');
  t.like(tagList, { instead: 'Use `topics`.', since: '14.0', removed: '19.0' });
  t.true(tagList?.usages.includes('Project') && tagList.usages.includes('UpdateProjectBody'));
  t.like(
    deprecations.find(({ name }) => name === 'access_raw_diffs'),
    { usages: ['GET /api/v4/projects/{id}/merge_requests/{merge_request_iid}/changes'] },
  );
  t.like(
    deprecations.find(({ name }) => name === 'Project.tagList'),
    { api: 'GraphQL', instead: 'Use `topics`.', since: '13.12' },
  );
  t.true(deprecations.every(({ instead }) => instead !== ''));
});

// Contract: references-limits
test('limits are those of the contract, with their defaults', async (t) => {
  const { limits } = await contents();
  const getValue = (start: string) =>
    limits.flatMap(({ rows }) => rows).find(({ what }) => what.startsWith(start))?.value;
  t.is(getValue('per_page'), '20 by default, at most 100');
  t.is(getValue('Furthest record'), '50,000 by default; the setting offset_pagination_limit');
  t.is(getValue('Records that are counted'), '10,000');
  t.is(getValue('Complexity of a query'), '250 signed in, 200 without a credential');
  t.is(getValue('Text of a query'), '10,000 characters');
  t.is(getValue('Nodes of a page'), '100 by default and at most');
  t.is(getValue('Time of a request'), '30 s');
  t.is(getValue('Notes that one user creates in a minute'), '300');
});

// Contract: references-plans
test('plans and offerings are those that operations declare', async (t) => {
  const { plans } = await contents();
  const needing = allRoutes.filter(({ operation }) => (operation.plan ?? 'free') !== 'free' || operation.offerings);
  t.is(plans.length, needing.length);
  t.like(
    plans.find(({ method, path }) => method === 'GET' && path === '/deploy_tokens'),
    { plan: 'free', offerings: ['self-managed', 'dedicated'] },
  );
  t.like(
    plans.find(({ path }) => path === '/projects/{id}/dora/metrics'),
    { plan: 'ultimate', offerings: [] },
  );
});

// Contract: references-graphql
test('graphql.json is the whole schema, packed for whom takes it so, and 304 for whom has it', async (t) => {
  const path = '/-/api-docs/graphql.json';
  const plain = await app.withHeaders({ 'Accept-Encoding': 'identity' }).raw('GET', path);
  t.is(plain.headers.get('content-encoding'), null);
  const client = buildClientSchema((plain.body as { data: IntrospectionQuery }).data);
  t.is(schemaText(client), schemaText(schema));
  const packed = await app.withHeaders({ 'Accept-Encoding': 'gzip' }).raw('GET', path);
  t.is(packed.headers.get('content-encoding'), 'gzip');
  t.is(packed.text, plain.text);
  const etag = packed.headers.get('etag') ?? '';
  t.is((await app.withHeaders({ 'Accept-Encoding': 'gzip', 'If-None-Match': etag }).raw('GET', path)).status, 304);
  t.is((await app.anonymous.raw('POST', path)).status, 404);
});

// Contract: references-graphql
test('neither document tells anonymous callers which version runs', async (t) => {
  const { apiVersion, revision } = app.services.config;
  const { text } = await app.anonymous.raw('GET', '/-/api-docs/contents.json');
  t.false(text.includes(apiVersion) || text.includes(revision));
});
