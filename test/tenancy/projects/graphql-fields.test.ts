import test from 'ava';
import { graphqlRows } from '../../contract/graphql-rows.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);

/** Names of a type that have landed, by the rows of the contract. */
const landed = (type: string) => graphqlRows().flatMap((row) => new RegExp(`^${type}\\.(\\w+)`).exec(row)?.[1] ?? []);

/** What has tests of its own, with its filters and rights. */
const ELSEWHERE = [
  'environments',
  'environment',
  'deployment',
  'pipelines',
  'pipeline',
  'pipelineCounts',
  'pipelineSchedules',
  'branchRules',
  'userPermissions',
  'issue',
  'issues',
  'issueStatusCounts',
  'mergeRequest',
  'mergeRequests',
  'snippets',
  'dora',
  'label',
  'labels',
  'milestones',
];

type Rest = Record<string, unknown> & {
  id: number;
  namespace: { id: number; kind: string; full_path: string };
  forked_from_project?: { id: number };
  default_branch: string | null;
  statistics?: Record<string, number>;
};

const gid = (type: string, id: number) => `gid://service/${type}/${id}`;
const levels: Record<string, number> = { disabled: 0, private: 10, enabled: 20, public: 30 };

/** Fields that do not simply equal the REST field with the same name: the selection, and the expected value. */
const OTHERS: Record<string, { ask: string; of: (rest: Rest) => unknown }> = {
  id: { ask: 'id', of: ({ id }) => gid('Project', id) },
  fullPath: { ask: 'fullPath', of: (rest) => rest.path_with_namespace },
  group: {
    ask: 'group { id }',
    of: ({ namespace }) => (namespace.kind === 'group' ? { id: gid('Group', namespace.id) } : null),
  },
  namespace: { ask: 'namespace { fullPath }', of: ({ namespace }) => ({ fullPath: namespace.full_path }) },
  forkedFrom: {
    ask: 'forkedFrom { id }',
    of: ({ forked_from_project: upstream }) => (upstream ? { id: gid('Project', upstream.id) } : null),
  },
  isForked: { ask: 'isForked', of: (rest) => rest.forked_from_project !== undefined },
  languages: {
    ask: 'languages { name share }',
    of: (rest) => Object.entries(rest.languages as object).map(([name, share]) => ({ name, share: Number(share) })),
  },
  repository: {
    ask: 'repository { rootRef empty exists }',
    // An empty project has no branch yet; REST returns its future default branch.
    of: ({ default_branch: rootRef, empty_repo: empty }) => ({
      rootRef: empty ? null : rootRef,
      empty,
      exists: !empty,
    }),
  },
  customAttributes: { ask: 'customAttributes { key value }', of: (rest) => rest.custom_attributes ?? null },
};

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The selection of a field, and its expected value from REST. */
function field(name: string): { ask: string; of: (rest: Rest) => unknown } {
  const other = OTHERS[name];
  if (other) return other;
  if (!name.endsWith('AccessLevel')) return { ask: name, of: (rest) => rest[snake(name)] };
  return {
    ask: `${name} { stringValue integerValue }`,
    of(rest) {
      const level = rest[snake(name)] as string;
      return { stringValue: level.toUpperCase(), integerValue: levels[level] };
    },
  };
}

const fields = landed('Project').filter((name) => !ELSEWHERE.includes(name) && name !== 'statistics');

/** The complete REST record of a project. */
async function getRest(user: BuiltUser, id: number): Promise<Rest> {
  const as = app.as(user);
  const { body } = await as.get(`/projects/${id}?statistics=true&with_custom_attributes=true`);
  return { ...body, languages: (await as.get(`/projects/${id}/languages`)).body };
}

/** The fields of a project, in queries that are cheap enough each. */
async function getGraphql(
  user: BuiltUser,
  path: string,
  selected: readonly string[],
): Promise<Record<string, unknown>> {
  const found = {};
  for (let at = 0; at < selected.length; at += 20) {
    const { body } = await app
      .as(user)
      .graphql(`{ project(fullPath: "${path}") { ${selected.slice(at, at + 20).join(' ')} } }`);
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    Object.assign(found, body.data.project);
  }
  return found;
}

/** A fork in a group with files, topics, a description and stars, and projects in every other state. */
async function states() {
  const upstream = await app.build.project({ visibility: 'public' });
  const group = await app.build.group({ visibility: 'public' });
  const owner = app.as(group.owner);
  const forked = await owner.post(`/projects/${upstream.id}/fork`, { namespace_id: group.id, path: 'fork' });
  await app.work();
  const at = `/projects/${forked.body.id}`;
  await owner.put(at, {
    description: '*Words*',
    topics: ['one', 'two'],
    issues_access_level: 'private',
    wiki_access_level: 'disabled',
    request_access_enabled: false,
    lfs_enabled: false,
  });
  const file = { branch: 'main', commit_message: 'x', content: 'export const one = 1;\n' };
  await owner.post(`${at}/repository/files/a.ts`, file);
  await owner.post(`${at}/star`);
  await app.work();
  const archived = await app.build.projectIn(group);
  await owner.post(`/projects/${archived.id}/archive`);
  const leaving = await app.build.projectIn(group);
  await owner.delete(`/projects/${leaving.id}`);
  const own = await app.build.project({ owner: group.owner, empty: true });
  return { group, ids: { fork: forked.body.id as number, archived: archived.id, leaving: leaving.id, own: own.id } };
}

// Contract: graphql-5.3.fields
test('GraphQL tells every field of a project as REST does, to its owner and to administrators', async (t) => {
  const { group, ids } = await states();
  const admin = await app.build.admin();
  await app.as(admin).put(`/projects/${ids.fork}/custom_attributes/tier`, { value: 'gold' });
  t.true(fields.length > 45);
  for (const user of [group.owner, admin])
    for (const [state, id] of Object.entries(ids)) {
      const rest = await getRest(user, id);
      const found = await getGraphql(
        user,
        rest.path_with_namespace as string,
        fields.map((name) => field(name).ask),
      );
      for (const name of fields) t.deepEqual(found[name], field(name).of(rest), `${state}: ${name}`);
    }
  const { archived, leaving } = {
    archived: await getRest(admin, ids.archived),
    leaving: await getRest(admin, ids.leaving),
  };
  t.true(archived.archived);
  t.truthy(leaving.marked_for_deletion_on);
});

// Contract: graphql-5.3.statistics
test('statistics are told to Reporters and above, each size that REST has', async (t) => {
  const project = await app.build.project();
  await app.work();
  const names = landed('ProjectStatistics');
  t.is(names.length, 11);
  const query = `{ project(fullPath: "${project.full_path}") { statistics { ${names.join(' ')} } } }`;
  const ask = async (user: BuiltUser) => (await app.as(user).graphql(query)).body.data.project.statistics;
  const reporter = await app.build.member(project, 'reporter');
  const { statistics } = await getRest(reporter, project.id);
  // Artifacts of builds are artifacts of jobs in REST.
  const inRest = (name: string) => (name === 'buildArtifactsSize' ? 'job_artifacts_size' : snake(name));
  t.deepEqual(await ask(reporter), Object.fromEntries(names.map((name) => [name, statistics?.[inRest(name)]])));
  t.true((statistics?.repository_size ?? 0) > 0);
  t.is(await ask(await app.build.member(project, 'guest')), null);
});

// Contract: graphql-5.3.custom-attributes
test('only administrators are told custom attributes of a project', async (t) => {
  const project = await app.build.project();
  const ask = async (user: BuiltUser) =>
    (await app.as(user).graphql(`{ project(fullPath: "${project.full_path}") { customAttributes { key } } }`)).body.data
      .project.customAttributes;
  t.is(await ask(project.owner), null);
  t.deepEqual(await ask(await app.build.admin()), []);
});
