import {
  getIntrospectionQuery,
  getNamedType,
  isCompositeType,
  isEnumType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { GraphQLArgument, GraphQLField, GraphQLObjectType } from 'graphql';
import test from 'ava';
import { declaredMost, isConnection, isList, MAX_INTROSPECTED, MAX_NODES } from '../../../api/core/graphql/nodes.js';
import { prepare, SIGNED_IN_LIMITS } from '../../../api/core/graphql/requests/prepare.js';
import { loadGraphql } from '../../../api/graphql.js';
import { sql } from 'kysely';
import { useApp } from '../app.js';

const app = useApp(test);
const { schema } = await loadGraphql();

type Field = GraphQLField<unknown, unknown>;

const UNLIMITED = { complexity: Number.MAX_SAFE_INTEGER, depth: Number.MAX_SAFE_INTEGER };
const prepared = (query: string, variables: Record<string, unknown> = {}) =>
  prepare(schema, { query, operationName: null, variables }, SIGNED_IN_LIMITS);

function getNodes(query: string, variables?: Record<string, unknown>): number {
  const { nodeCount, errors } = prepared(query, variables);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return nodeCount.nodes;
}

const tooMany = (nodes: number) => [{ message: `Query has ${nodes} nodes, which exceeds max nodes of ${MAX_NODES}` }];

// Contract: graphql-2.8
test.serial('a cheap query for many connections in connections is refused before anything is read', async (t) => {
  const user = await app.build.user();
  await app.as(user).get('/version');
  const aliases = Array.from({ length: 7 }, (_, index) => `c${index}: pipelines(first: 1) { nodes { id } }`).join(' ');
  const query = `{ queryComplexity { score } groups { nodes { projects { nodes { ${aliases} } } } } }`;
  t.true(prepared(query).score <= SIGNED_IN_LIMITS.complexity);
  let answer: unknown;
  const statements = await app.statementsOf(async () => {
    const { status, body } = await app.as(user).graphql(query);
    t.is(status, 200);
    answer = body;
  });
  // A connection and its nodes are one and a hundred, here within one and a hundred.
  t.deepEqual(answer, { errors: tooMany(2 + 100 * (1 + 1 + 100 * (1 + 7 * (1 + 1)))) });
  t.is(statements, 1, 'the token');
});

test('nodes are counted by the sizes of pages, their default and the names given', (t) => {
  t.is(getNodes('{ projects { nodes { id } } }'), 1 + 100);
  t.is(getNodes('{ projects(first: 7) { nodes { id } } }'), 1 + 7);
  t.is(getNodes('{ projects(last: 7) { nodes { id } } }'), 1 + 7);
  t.is(getNodes('{ projects(first: 500) { nodes { id } } }'), 1 + 100);
  t.is(getNodes('{ projects(first: -1) { nodes { id } } }'), 1);
  t.is(getNodes('{ projects(ids: ["1", "2"]) { nodes { id } } }'), 1 + 2);
  t.is(getNodes('{ users(usernames: ["a"], first: 50) { nodes { id } } }'), 1 + 1);
  t.is(getNodes('query($n: Int) { projects(first: $n) { nodes { id } } }', { n: 3 }), 1 + 3);
  t.is(getNodes('query($n: Int = 4) { projects(first: $n) { nodes { id } } }'), 1 + 4);
});

test('edges hold their nodes, pageInfo and count hold nothing', (t) => {
  t.is(getNodes('{ projects(first: 5) { edges { cursor node { id } } pageInfo { endCursor } count } }'), 1 + 5);
  t.is(getNodes('{ projects(first: 5) { nodes { id } edges { cursor } } }'), 1 + 5 + 5);
});

test('what is below a node counts for each node, lists of a record with what they declare', (t) => {
  t.is(getNodes('{ projects(first: 5) { nodes { namespace { id } } } }'), 1 + 5 * (1 + 1));
  t.is(getNodes('{ projects(first: 5) { nodes { languages { name } } } }'), 1 + 5 * (1 + 10));
  t.is(
    getNodes('{ projects(first: 5) { nodes { pipelines(first: 3) { nodes { user { id } } } } } }'),
    1 + 5 * (1 + 1 + 3 * 2),
  );
});

// Contract: graphql-2.8
test('aliases, fragments and operations of a batch add up, what is skipped does not count', async (t) => {
  t.is(getNodes('{ a: projects(first: 5) { nodes { id } } b: projects(first: 5) { nodes { id } } }'), 2 * 6);
  t.is(
    getNodes(
      '{ ...F ... on Query { projects(first: 5) { nodes { id } } } } fragment F on Query { groups(first: 5) { nodes { id } } }',
    ),
    2 * 6,
  );
  const skipped = 'query($no: Boolean!) { projects(first: 5) @include(if: $no) { nodes { id } } echo(text: "x") }';
  t.is(getNodes(skipped, { no: false }), 0);
  t.is(getNodes(skipped, { no: true }), 6);
  // 6,001 each: one is allowed, two are not.
  const half = '{ projects(first: 60) { nodes { pipelines(first: 98) { nodes { id } } } } }';
  t.is(getNodes(half), 1 + 60 * (1 + 1 + 98));
  const batch = JSON.stringify([{ query: half }, { query: half }]);
  const { status, body } = await app.anonymous.raw('POST', '/api/graphql', batch, 'application/json');
  t.is(status, 200);
  t.deepEqual(body, [{ errors: tooMany(12_002) }, { errors: tooMany(12_002) }]);
});

test('every list of objects that is no connection declares how many it holds', (t) => {
  const lists = Object.values(schema.getTypeMap())
    .filter(
      (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__') && !isConnection(type),
    )
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, field })))
    .filter(({ field }) => isList(field) && isCompositeType(getNamedType(field.type)));
  t.true(lists.length > 0);
  t.deepEqual(
    lists.filter(({ field }) => declaredMost(field) === null).map(({ name }) => name),
    [],
  );
});

/** Values for required arguments. */
const REQUIRED: Record<string, string> = {
  fullPath: '"a/b"',
  text: '"x"',
  title: '"x"',
  iid: '"1"',
  status: 'SUCCESS',
};

/** The same for an argument; of a global id's type it is an id. */
const required = ({ name, type }: GraphQLArgument): string =>
  `${name}: ${REQUIRED[name] ?? `"gid://service/${String(type).replace(/ID!$/, '')}/1"`}`;

interface Step {
  text: string;
  /** Objects that one parent has of it. */
  most: number;
}

function getSteps(
  type: GraphQLObjectType,
  branch: readonly string[],
): { steps: Step[]; to: GraphQLObjectType; name: string }[] {
  return Object.values(type.getFields()).flatMap((field: Field) => {
    const outputType = getNamedType(field.type);
    // A field that occurs within itself more than twice is refused for that reason.
    if (!isObjectType(outputType) || branch.filter((name) => name === field.name).length > 1) return [];
    const args = field.args.filter(isRequiredArgument).map(required);
    const text = field.name + (args.length > 0 ? `(${args.join()})` : '');
    const nodes = isConnection(outputType) ? outputType.getFields().nodes : undefined;
    const most = declaredMost(field) ?? 100;
    if (!nodes) return [{ steps: [{ text, most: isList(field) ? most : 1 }], to: outputType, name: field.name }];
    const to = getNamedType(nodes.type) as GraphQLObjectType;
    return [
      {
        steps: [
          { text, most: 1 },
          { text: 'nodes', most },
        ],
        to,
        name: field.name,
      },
    ];
  });
}

// Contract: graphql-2.8
test('no path through the schema may start more than the bound, by pages as long as they can be', (t) => {
  let rejections = 0;
  let allowed = 0;
  const walk = (type: GraphQLObjectType, path: readonly Step[], branch: readonly string[]) => {
    for (const { steps, to, name } of getSteps(type, branch)) {
      const next = [...path, ...steps];
      const query = `{ ${next.map(({ text }) => text).join(' { ')} { __typename ${'}'.repeat(next.length + 1)}`;
      let objects = 0;
      let parents = 1;
      for (const { most } of next) objects += parents *= most;
      const { errors } = prepare(schema, { query, operationName: null, variables: {} }, UNLIMITED);
      t.deepEqual(errors, objects > MAX_NODES ? tooMany(objects) : [], query);
      if (objects > MAX_NODES) rejections += 1;
      else {
        allowed += 1;
        if (branch.length < 3) walk(to, next, [...branch, name]);
      }
    }
  };
  walk(schema.getQueryType() as GraphQLObjectType, [], []);
  t.true(rejections > 100 && allowed > 100, `${rejections} ${allowed}`);
});

test('lists that are longer than they are taken to be count for what they hold', async (t) => {
  const admin = await app.build.admin();
  const ctx = app.context();
  const users = await Promise.all(Array.from({ length: 3 }, () => app.build.user()));
  await ctx.query(sql`
    insert into user_custom_attributes (user_id, key, value, created_at, updated_at)
    select u.id, 'key' || n, 'x', ${app.clock.now()}, ${app.clock.now()}
      from unnest(${users.map(({ id }) => id)}::bigint[]) u (id) cross join generate_series(1, 4000) n`);
  const ask = (count: number) => {
    const names = users.slice(0, count).map(({ username }) => username);
    return app
      .as(admin)
      .graphql('query($names: [String!]) { users(usernames: $names) { nodes { customAttributes { key } } } }', {
        names,
      });
  };
  const { body } = await ask(2);
  t.is(body.errors, undefined);
  t.is(body.data.users.nodes[1].customAttributes.length, 4000);
  const beyond = (await ask(3)).body;
  t.true(beyond.errors.length > 0);
  for (const { message } of beyond.errors) t.is(message, `Query has more than ${MAX_NODES} nodes`);
});

// Contract: graphql-2.9
test('lists of names are at most 100 long, in every field that takes one', async (t) => {
  const project = await app.build.project({ empty: true });
  // Global ids where the argument takes nothing else.
  const long = (scalar: string) => {
    const [, type] = /^(\w+)ID$/.exec(scalar) ?? [];
    const prefix = type === undefined ? '' : `gid://service/${type}/`;
    return JSON.stringify(Array.from({ length: 101 }, (_, index) => `${prefix}${index + 1}`));
  };
  const queries: string[] = [];
  for (const type of [
    schema.getQueryType(),
    schema.getType('Project'),
    schema.getType('Namespace'),
  ] as GraphQLObjectType[]) {
    for (const field of Object.values(type.getFields())) {
      for (const arg of field.args) {
        // Enum values do not identify records.
        if (!isListType(arg.type) || isEnumType(getNamedType(arg.type))) continue;
        const of = isConnection(getNamedType(field.type)) ? 'nodes { __typename }' : '__typename';
        const inner = `${field.name}(${arg.name}: ${long(getNamedType(arg.type).name)}) { ${of} }`;
        const within =
          type.name === 'Query'
            ? inner
            : `project(fullPath: "${project.full_path}") { ${type.name === 'Project' ? inner : `namespace { ${inner} }`} }`;
        const { body } = await app.as(project.owner).graphql(`{ ${within} }`);
        t.is(body.errors?.[0]?.message, `You cannot provide more than 100 ${arg.name}`, `${type.name}.${field.name}`);
        queries.push(arg.name);
      }
    }
  }
  t.true(queries.length > 5);
});

test('an introspection is counted by what the schema holds, and the standard one is far below its bound', (t) => {
  const { nodeCount, errors } = prepared(getIntrospectionQuery());
  t.deepEqual(errors, []);
  t.true(
    nodeCount.introspected > 1000 && nodeCount.introspected < MAX_INTROSPECTED / 2,
    String(nodeCount.introspected),
  );
  t.is(prepared('{ __type(name: "PageInfo") { fields { name type { name } } } }').nodeCount.introspected, 1 + 4 * 2);
  t.is(prepared('{ __type(name: "Nothing") { name } }').nodeCount.introspected, 0);
});

test('an introspection that multiplies the schema with itself is refused at once', (t) => {
  const fields = Array.from({ length: 20 }, (_, index) => `f${index}: fields { type { fields { type { name } } } }`);
  const [error] = prepared(`{ __schema { types { ${fields.join(' ')} } } }`).errors;
  t.regex(error?.message ?? '', /^Query has \d+ schema nodes, which exceeds max schema nodes of 50000$/);
});
