import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);
const word = () => `w${unique()}x${Math.random().toString(36).slice(2, 8)}`;

async function shelf(letters: string, visibility = 'private') {
  const owner = await app.build.user();
  const tag = word();
  const ids: Record<string, number> = {};
  const paths: Record<string, string> = {};
  for (const letter of letters) {
    const project = await app.build.project({ owner, empty: true, visibility, name: `${tag} ${letter}` });
    ids[letter] = project.id;
    paths[letter] = project.full_path;
  }
  const list = async (args: string, by: BuiltUser | null = owner) => {
    const client = by ? app.as(by) : app.anonymous;
    const { body } = await client.graphql(`{ projects(${args}) { count nodes { name } } }`);
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data.projects.nodes.map(({ name }: { name: string }) => name.at(-1)).join('') as string;
  };
  return { owner, tag, ids, paths, list };
}

// Contract: projects-lists.graphql
test('projects come newest first, or the best match first where something is searched', async (t) => {
  const { owner, tag, list } = await shelf('ABC');
  t.is(await list('personal: true'), 'CBA');
  const best = await app.build.project({ owner, empty: true, name: tag });
  const { body } = await app.as(owner).graphql(`{ projects(search: "${tag}") { nodes { id } } }`);
  t.is(body.data.projects.nodes[0].id, `gid://service/Project/${best.id}`);
});

// Contract: projects-lists.graphql
test('projects are chosen by ids and full paths, as the caller sees them', async (t) => {
  const { ids, paths, list } = await shelf('ABC');
  t.is(await list(`ids: ["gid://service/Project/${ids.A}", "gid://service/Project/${ids.C}"]`), 'CA');
  t.is(await list(`fullPaths: ["${paths.B?.toUpperCase()}", "no/where"]`), 'B');
  t.is(await list(`ids: ["gid://service/Project/${ids.A}"]`, null), '');
  t.is(await list('ids: []'), '');
});

// Contract: projects-lists.graphql
test('filters narrow as they do in REST', async (t) => {
  const { owner, tag, ids, list } = await shelf('ABCD');
  await app.context().query(sql`update projects set archived = true where id = ${ids.A}`);
  await app
    .context()
    .query(sql`update projects set marked_for_deletion_at = '2029-05-05T12:00:00Z' where id = ${ids.B}`);
  await app.context().query(sql`update projects set visibility = 'public' where id = ${ids.C}`);
  const sorted = (args: string, by?: BuiltUser) => list(`search: "${tag}", sort: "name_asc", ${args}`, by);
  t.is(await sorted('archived: ONLY'), 'A');
  t.is(await sorted('archived: EXCLUDE'), 'BCD');
  t.is(await sorted('archived: INCLUDE'), 'ABCD');
  t.is(await sorted('active: true'), 'CD');
  t.is(await sorted('aimedForDeletion: true'), 'B');
  t.is(await sorted('notAimedForDeletion: true'), 'ACD');
  t.is(await sorted('markedForDeletionOn: "2029-05-05"'), 'B');
  t.is(await sorted('visibilityLevel: public'), 'C');
  t.is(await sorted(`namespacePath: "${owner.username}"`), 'ABCD');
  t.is(await sorted('namespacePath: "no-such-path"'), '');
  const member = await app.build.member({ id: ids.D as number }, 'developer');
  t.is(await sorted('membership: true', member), 'D');
  t.is(await sorted('minAccessLevel: MAINTAINER', member), '');
  t.is(await sorted('minAccessLevel: DEVELOPER', member), 'D');
  t.is(await sorted('withIssuesEnabled: true', member), 'CD');
});

// Contract: projects-lists.graphql
test('every sort pages by cursor without losing or repeating a project', async (t) => {
  const { owner, tag, ids } = await shelf('ABCDE');
  for (const [letter, stars] of Object.entries({ A: 1, B: 2, C: 1, D: 2, E: 1 }))
    await app.context().query(sql`update projects set star_count = ${stars} where id = ${ids[letter]}`);
  const admin = app.as(await app.build.admin());
  t.truthy(owner);
  for (const column of [
    'id',
    'name',
    'path',
    'created_at',
    'updated_at',
    'star_count',
    'latest_activity',
    'storage_size',
  ])
    for (const direction of ['asc', 'desc']) await pages(`sort: "${column}_${direction}"`);
  await pages('sort: "similarity"');

  async function pages(sort: string) {
    const names: string[] = [];
    for (let after: string | null = null; ;) {
      const { body } = await admin.graphql(`{ projects(search: "${tag}", ${sort}, first: 2,
        after: ${JSON.stringify(after)}) { nodes { name } pageInfo { hasNextPage endCursor } } }`);
      if (body.errors) throw new Error(`${sort} ${JSON.stringify(body.errors)}`);
      const { nodes, pageInfo } = body.data.projects;
      names.push(...nodes.map(({ name }: { name: string }) => name.at(-1)));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    t.is(names.toSorted().join(''), 'ABCDE', sort);
  }
});

// Contract: projects-lists.graphql
test('an unknown sort, too many paths and bad ids are errors', async (t) => {
  for (const args of [
    'sort: "size_asc"',
    `fullPaths: [${Array.from({ length: 51 }, () => '"a/b"').join()}]`,
    'ids: ["gid://service/User/1"]',
    'minAccessLevel: ADMIN',
  ]) {
    const { body } = await app.anonymous.graphql(`{ projects(${args}) { nodes { id } } }`);
    t.is(body.errors?.length, 1, args);
  }
});
