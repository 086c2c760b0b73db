import test from 'ava';
import { sql } from 'kysely';
import type { BuiltUser } from '../builders.js';
import { useApp } from '../app.js';

const app = useApp(test);

/** A project with so many pipelines. */
async function withPipelines(count: number) {
  const project = await app.build.project();
  await app.context().query(sql`
    insert into pipelines (project_id, iid, ref, tag, sha, before_sha, status, source, user_id, created_at, updated_at)
    select ${project.id}, n, 'main', false, repeat('a', 40), repeat('0', 40), 'success', 'push', ${project.owner.id},
           ${app.clock.now()}, ${app.clock.now()}
      from generate_series(1, ${count}::int) n`);
  return project;
}

interface Project {
  full_path: string;
  owner: BuiltUser;
}

async function page(project: Project, args: string) {
  const { body } = await app.as(project.owner).graphql(
    `{ project(fullPath: "${project.full_path}") { pipelines${args === '' ? '' : `(${args})`} {
      nodes { iid } edges { cursor node { iid } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`,
  );
  const found = body.data.project?.pipelines;
  return {
    errors: body.errors as { message: string; path: string[] }[] | undefined,
    iids: found?.nodes.map((node: { iid: string }) => Number(node.iid)) as number[],
    edges: found?.edges as { cursor: string; node: { iid: string } }[],
    info: found?.pageInfo,
  };
}

// Contract: graphql-2.5
test('101 nodes are read in two pages, the first of 100', async (t) => {
  const project = await withPipelines(101);
  const one = await page(project, '');
  t.is(one.iids.length, 100);
  t.is(one.info.hasNextPage, true);
  t.is(one.info.hasPreviousPage, false);
  const two = await page(project, `after: "${one.info.endCursor}"`);
  t.is(two.iids.length, 1);
  t.is(two.info.hasNextPage, false);
  t.deepEqual(
    [...one.iids, ...two.iids],
    Array.from({ length: 101 }, (_, index) => 101 - index),
  );
});

// Contract: graphql-2.5
test('a first above 100 is cut to 100 without an error, a negative one is none', async (t) => {
  const project = await withPipelines(101);
  const large = await page(project, 'first: 500');
  t.is(large.iids.length, 100);
  t.is(large.errors, undefined);
  t.deepEqual((await page(project, 'first: -1')).iids, []);
});

// Contract: graphql-4.2
test('edges carry the same nodes with cursors, and the page names its first and last', async (t) => {
  const project = await withPipelines(3);
  const { iids, edges, info } = await page(project, '');
  t.deepEqual(
    edges.map((edge) => Number(edge.node.iid)),
    iids,
  );
  t.is(info.startCursor, edges[0]?.cursor);
  t.is(info.endCursor, edges[2]?.cursor);
  const empty = await page(project, `after: "${info.endCursor}"`);
  t.deepEqual(empty.edges, []);
  t.is(empty.info.startCursor, null);
});

// Contract: graphql-4.3
test('last reads from the end, in the order of the list', async (t) => {
  const project = await withPipelines(5);
  const end = await page(project, 'last: 2');
  t.deepEqual(end.iids, [2, 1]);
  t.is(end.info.hasPreviousPage, true);
  t.is(end.info.hasNextPage, false);
  const before = await page(project, `last: 2, before: "${end.info.startCursor}"`);
  t.deepEqual(before.iids, [4, 3]);
  const start = await page(project, `last: 2, before: "${before.info.startCursor}"`);
  t.deepEqual(start.iids, [5]);
  t.is(start.info.hasPreviousPage, false);
});

// Contract: graphql-4.3
test('a page after a cursor has a previous one, a page before a cursor has a next one', async (t) => {
  const project = await withPipelines(3);
  const { edges } = await page(project, '');
  t.is((await page(project, `after: "${edges[0]?.cursor}"`)).info.hasPreviousPage, true);
  const before = await page(project, `before: "${edges[2]?.cursor}"`);
  t.deepEqual(before.iids, [3, 2]);
  t.is(before.info.hasNextPage, true);
});

// Contract: graphql-1.3.7, graphql-2.2.2
test('first together with last is an error', async (t) => {
  const { errors } = await page(await withPipelines(1), 'first: 1, last: 1');
  t.is(errors?.[0]?.message, 'Can only provide either `first` or `last`, not both');
  t.deepEqual(errors?.[0]?.path, ['project', 'pipelines']);
});

// Contract: graphql-2.2.2
test('a cursor of nothing, or of another order, is an error', async (t) => {
  const schedule = await app.build.schedule();
  const ask = async (args: string) => {
    const { body } = await app
      .as(schedule.ownedBy)
      .graphql(
        `{ project(fullPath: "${schedule.project.full_path}") { pipelineSchedules(${args}) { pageInfo { endCursor } } } }`,
      );
    return body;
  };
  const { endCursor } = (await ask('sort: ID_DESC')).data.project.pipelineSchedules.pageInfo;
  t.is((await ask(`sort: ID_DESC, after: "${endCursor}"`)).errors, undefined);
  for (const args of ['after: "nonsense"', 'before: "e30"', `sort: CRON_ASC, after: "${endCursor}"`])
    t.is((await ask(args)).errors[0].message, 'Please provide a valid cursor', args);
});

// Contract: graphql-4.2
test('count tells how many there are on all pages, and stops one above its limit', async (t) => {
  const project = await withPipelines(12);
  const { body } = await app
    .as(project.owner)
    .graphql(
      `{ project(fullPath: "${project.full_path}") { pipelines(first: 1) { all: count most: count(limit: 5) enough: count(limit: 20) } } }`,
    );
  t.deepEqual(body.data.project.pipelines, { all: 12, most: 6, enough: 12 });
});

// Contract: graphql-4.4
test('rows with equal sort keys are neither repeated nor lost', async (t) => {
  const project = await app.build.project();
  for (let number = 0; number < 5; number += 1)
    await app.build.schedule({ project, owner: project.owner, description: 'same' });
  const ids: string[] = [];
  for (let after = ''; ;) {
    const { body } = await app.as(project.owner).graphql(
      `{ project(fullPath: "${project.full_path}") { pipelineSchedules(first: 2, sort: DESCRIPTION_ASC, after: "${after}") {
        nodes { id } pageInfo { hasNextPage endCursor } } } }`,
    );
    const { nodes, pageInfo } = body.data.project.pipelineSchedules;
    ids.push(...nodes.map((node: { id: string }) => node.id));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  t.is(ids.length, 5);
  t.is(new Set(ids).size, 5);
});

// Contract: graphql-4.5
test('what belongs to one record is paged in memory by the same rules', async (t) => {
  const schedule = await app.build.schedule({ inputs: ['a', 'b', 'c'].map((name) => ({ name, value: name })) });
  const ask = async (args: string) => {
    const { body } = await app.as(schedule.ownedBy).graphql(
      `{ project(fullPath: "${schedule.project.full_path}") { pipelineSchedules { nodes { inputs(${args}) {
        nodes { name } pageInfo { hasNextPage hasPreviousPage endCursor startCursor } } } } } }`,
    );
    const inputs = body.data.project.pipelineSchedules.nodes[0].inputs;
    return {
      names: inputs?.nodes.map((node: { name: string }) => node.name).join(''),
      info: inputs?.pageInfo,
      errors: body.errors,
    };
  };
  const one = await ask('first: 2');
  t.is(one.names, 'ab');
  t.is(one.info.hasNextPage, true);
  t.is((await ask(`first: 2, after: "${one.info.endCursor}"`)).names, 'c');
  t.is((await ask(`last: 1, before: "${one.info.endCursor}"`)).names, 'a');
  t.is((await ask('last: 2')).names, 'bc');
  t.is((await ask('after: "nonsense"')).errors[0].message, 'Please provide a valid cursor');
});
