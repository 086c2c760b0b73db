import { getNamedType, isCompositeType, isObjectType, isRequiredArgument } from 'graphql';
import type { GraphQLField } from 'graphql';
import test from 'ava';
import { isConnection } from '../../../api/core/graphql/nodes.js';
import { loadGraphql } from '../../../api/graphql.js';
import { sql } from 'kysely';
import type { GraphqlPair } from '../area-examples.js';
import { useApp } from '../app.js';
import type { BuiltUser } from '../builders.js';
import type { Client } from '../client.js';
import { areaExamples } from '../examples.js';
import { WALKED_ROLES } from '../sandbox.js';

// A long test: it goes through every field of GraphQL for each visibility.

/*
 * Every kind of caller requests the same record by REST and by GraphQL, in containers of every kind. For each field in
 * both, according to the drift test's list, both must have a value or neither. Whether the values are equal is tested
 * by the areas.
 */
const app = useApp(test);
const { schema } = await loadGraphql();

/** A record of each type in one container. */
interface Fixture {
  state: string;
  project: { id: number; full_path: string };
  group: { id: number; full_path: string };
  records: Record<string, Record<string, string | number>>;
}

/** Where a type's record is found: by REST, and in GraphQL by the fields down to it, the last without its selection. */
interface Way {
  rest: (fixture: Fixture, record: Record<string, string | number>) => string;
  graphql: (fixture: Fixture, record: Record<string, string | number>) => string[];
  /** A list in which an administrator finds the record. */
  listed?: (fixture: Fixture) => string;
}

const inProject = ({ project }: Fixture, ...fields: string[]) => [
  `project(fullPath: "${project.full_path}")`,
  ...fields,
];
const inGroup = ({ group }: Fixture, ...fields: string[]) => [`group(fullPath: "${group.full_path}")`, ...fields];
const ofProject = (path: string) => ({
  listed: ({ project }: Fixture) => `/projects/${project.id}/${path}`,
  rest: ({ project }: Fixture, { id }: Record<string, string | number>) => `/projects/${project.id}/${path}/${id}`,
});
const byIid = (path: string) => ({
  ...ofProject(path),
  rest: ({ project }: Fixture, { iid }: Record<string, string | number>) => `/projects/${project.id}/${path}/${iid}`,
});

const WAYS: Record<string, Way> = {
  Project: {
    rest: ({ project }) => `/projects/${project.id}?statistics=true&with_custom_attributes=true`,
    graphql: (fixture) => inProject(fixture),
  },
  Group: {
    rest: ({ group }) => `/groups/${group.id}?with_custom_attributes=true`,
    graphql: (fixture) => inGroup(fixture),
  },
  CurrentUser: { rest: () => '/user', graphql: () => ['currentUser'] },
  Issue: { ...byIid('issues'), graphql: (fixture, { iid }) => inProject(fixture, `issue(iid: "${iid}")`) },
  MergeRequest: {
    ...byIid('merge_requests'),
    graphql: (fixture, { iid }) => inProject(fixture, `mergeRequest(iid: "${iid}")`),
  },
  Epic: {
    listed: ({ group }) => `/groups/${group.id}/epics`,
    rest: ({ group }, { iid }) => `/groups/${group.id}/epics/${iid}`,
    graphql: (fixture, { iid }) => inGroup(fixture, `epic(iid: "${iid}")`),
  },
  Label: { ...ofProject('labels'), graphql: (fixture, { name }) => inProject(fixture, `label(title: "${name}")`) },
  Milestone: {
    ...ofProject('milestones'),
    graphql: (_fixture, { id }) => [`milestone(id: "gid://service/Milestone/${id}")`],
  },
  Snippet: {
    ...ofProject('snippets'),
    graphql: (fixture, { id }) => inProject(fixture, `snippets(ids: ["gid://service/ProjectSnippet/${id}"])`, 'nodes'),
  },
  Pipeline: { ...ofProject('pipelines'), graphql: (fixture, { iid }) => inProject(fixture, `pipeline(iid: "${iid}")`) },
  PipelineSchedule: {
    ...ofProject('pipeline_schedules'),
    graphql: (fixture, { id }) => inProject(fixture, `pipelineSchedules(ids: ["${id}"])`, 'nodes'),
  },
  Environment: {
    ...ofProject('environments'),
    graphql: (fixture, { name }) => inProject(fixture, `environment(name: "${name}")`),
  },
  Deployment: {
    ...ofProject('deployments'),
    graphql: (fixture, { iid }) => inProject(fixture, `deployment(iid: "${iid}")`),
  },
};

/** Fields with the same value in different forms: REST has null where GraphQL has false. */
const FALSE_IS_NULL = new Set([
  'Issue.discussionLocked',
  'MergeRequest.discussionLocked',
  'MergeRequest.rebaseInProgress',
  'Pipeline.yamlErrors',
]);

/** Fields that the contract makes more visible in one API, by the callers who see them there. */
const ON_PURPOSE: Record<string, (caller: string) => boolean> = {
  // Never null in GraphQL (graphql.md section 5.3); REST returns it to callers with access to the code.
  'Project.forksCount': (caller) => ['guest', 'planner'].includes(caller),
};

/**
 * Anonymous callers receive a short record of a project in REST (discussions-and-notes.md section 2), and everything
 * that is public in GraphQL.
 */
const isShortRecord = (type: string, caller: string) => type === 'Project' && caller === 'anonymous';

/** Types whose records have no separate address in REST: they are read with their parent, to-dos in one's own list. */
const WITHIN = new Set(['PipelineScheduleVariable', 'Todo']);

const pairs: readonly GraphqlPair[] = areaExamples.flatMap(({ graphql }) => graphql?.pairs ?? []);

/** Fields that both sides have, by the key of REST; those that need arguments are left out. */
function sharedFields({
  type,
  serializer,
  renamed = {},
  restOnly = [],
}: GraphqlPair): [string, GraphQLField<unknown, unknown>][] {
  const found = schema.getType(type);
  const fields = isObjectType(found) ? found.getFields() : {};
  return Object.keys(serializer.fields)
    .filter((key) => !restOnly.includes(key))
    .flatMap((key) => {
      const name = renamed[key] ?? key.replace(/(?<=.)_(\w)/g, (_, letter: string) => letter.toUpperCase());
      const field = fields[name];
      return field && !field.args.some(isRequiredArgument)
        ? [[key, field] as [string, GraphQLField<unknown, unknown>]]
        : [];
    });
}

function getSelection(field: GraphQLField<unknown, unknown>): string {
  const type = getNamedType(field.type);
  if (!isCompositeType(type)) return field.name;
  return isConnection(type) ? `${field.name} { pageInfo { endCursor } }` : `${field.name} { __typename }`;
}

type FieldValues = Record<string, unknown> | null;

async function byRest(client: Client, path: string): Promise<FieldValues> {
  const { status, body } = await client.get(path);
  return status === 200 ? (body as FieldValues) : null;
}

async function byGraphql(client: Client, way: string[], fields: string[]): Promise<FieldValues> {
  const { body, text } = await client.graphql(`{ ${way.join(' { ')} { ${fields.join(' ')} ${'}'.repeat(way.length)} }`);
  if (body?.errors && body.data === undefined && body.errors[0].message !== 'API not accessible for user')
    throw new Error(`${way.join(' ')}: ${text}`);
  let found: unknown = body?.data ?? null;
  for (const step of way) {
    found = (found as Record<string, unknown> | null)?.[/^\w+/.exec(step)?.[0] ?? ''] ?? null;
    if (Array.isArray(found)) [found] = found.length > 0 ? (found as unknown[]) : [null];
  }
  return found as FieldValues;
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

type Callers = [string, Client][];

/** A container with everything in it, and everybody who has a role there. */
async function createFixture(admin: BuiltUser, state: string): Promise<{ fixture: Fixture; callers: Callers }> {
  const { build } = app;
  const visibility = ['internal', 'public'].includes(state) ? state : 'private';
  const above = await build.group({ owner: admin, visibility });
  const group = await build.group({ owner: admin, parent: above, visibility });
  const user = await build.groupMember(group, 'developer');
  const project = await build.projectIn({ ...group, owner: admin }, { visibility, empty: false });
  await build.member(project, 'maintainer', user);
  for (const { graphql } of areaExamples) await graphql?.fill?.({ app, admin, user, above, group, project, index: 0 });
  const fixture: Fixture = { state, project, group, records: {} };
  for (const [type, { listed }] of Object.entries(WAYS))
    fixture.records[type] = listed ? (await app.as(admin).get(listed(fixture))).body[0] : {};
  if (state === 'archived') await app.as(admin).post(`/projects/${project.id}/archive`);
  if (state === 'marked') await app.as(admin).delete(`/projects/${project.id}`);
  const members = await Promise.all(
    WALKED_ROLES.map(async (role) => [role, app.as(await build.groupMember(group, role))] as [string, Client]),
  );
  return { fixture, callers: members };
}

async function outsiders(admin: BuiltUser): Promise<Callers> {
  const { build } = app;
  const blocked = await build.user();
  await app.context().query(sql`update users set state = 'blocked' where id = ${blocked.id}`);
  return [
    ['anonymous', app.anonymous],
    ['stranger', app.as(await build.user())],
    ['external', app.as(await build.user({ external: true }))],
    ['auditor', app.as(await build.user({ auditor: true }))],
    ['blocked', app.as(blocked)],
    ['administrator', app.as(admin)],
  ];
}

/** The parts of a record that one caller sees in only one of the two APIs. */
async function differences(fixture: Fixture, pair: GraphqlPair, [name, client]: [string, Client]): Promise<string[]> {
  const way = WAYS[pair.type] as Way;
  const record = fixture.records[pair.type] ?? {};
  const fields = sharedFields(pair);
  const [rest, graphql] = await Promise.all([
    byRest(client, way.rest(fixture, record)),
    byGraphql(
      client,
      way.graphql(fixture, record),
      fields.map(([, field]) => getSelection(field)),
    ),
  ]);
  if (isShortRecord(pair.type, name)) return [];
  return fields.flatMap(([key, field]) => {
    const full = `${pair.type}.${field.name}`;
    const [there, here] = [isPresent(rest?.[key]), isPresent(graphql?.[field.name])];
    const same = there === here || (FALSE_IS_NULL.has(full) && graphql?.[field.name] === false);
    if (same || ON_PURPOSE[full]?.(name)) return [];
    return [`${full} for ${name}, ${fixture.state}: ${there ? 'REST' : 'GraphQL'} alone`];
  });
}

test('each type that REST has too is asked for', (t) => {
  const types = pairs.map(({ type }) => type).filter((type) => !WITHIN.has(type));
  t.deepEqual(
    types.filter((type) => !(type in WAYS)),
    [],
  );
  t.true(pairs.flatMap(sharedFields).length > 150);
});

let admin: BuiltUser;
let others: Callers;
test.serial.before(async () => {
  admin = await app.build.admin();
  others = await outsiders(admin);
});

for (const state of ['private', 'internal', 'public', 'archived', 'marked']) {
  // Contract: graphql-1.4.equal
  test.serial(`nobody is shown more by GraphQL than by REST, or less: ${state}`, async (t) => {
    t.timeout(5 * 60_000);
    const { fixture, callers } = await createFixture(admin, state);
    const wrong: string[] = [];
    for (const pair of pairs.filter(({ type }) => !WITHIN.has(type))) {
      const found = await Promise.all([...others, ...callers].map((caller) => differences(fixture, pair, caller)));
      wrong.push(...found.flat());
    }
    t.deepEqual(wrong, []);
  });
}
