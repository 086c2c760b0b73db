import { getNamedType, isCompositeType, isObjectType, isRequiredArgument } from 'graphql';
import type { GraphQLField, GraphQLObjectType } from 'graphql';
import test from 'ava';
import { isConnection, MAX_NODES } from '../../../api/core/graphql/nodes.js';
import { prepare, SIGNED_IN_LIMITS } from '../../../api/core/graphql/requests/prepare.js';
import { loadGraphql } from '../../../api/graphql.js';
import type { BuiltUser } from '../builders.js';
import { useApp } from '../app.js';
import { areaExamples } from '../examples.js';
import { WALK_MS } from '../walk.js';
import { fillGraphql, PARENTS } from './graphql-sandbox.js';

// A long test: it goes through every field of lists.

const app = useApp(test);
const { schema } = await loadGraphql();

type Field = GraphQLField<unknown, unknown>;

/** The number of objects for which every field is requested, in addition to a single one. */
const FEW = 20;

/** Where objects of a type are found: the fields from the root on, the first connection with `$n` nodes, others with one. */
interface TypeLocation {
  type: GraphQLObjectType;
  path: string[];
  listed: boolean;
}

/** Arguments without which a field is an error or null. */
const ARGUMENTS: Record<string, string> = Object.assign({}, ...areaExamples.map(({ graphql }) => graphql?.arguments));

/** The locations of objects that have a field, or of those of a type, if not on the shortest way to their type. */
const WAYS: Record<string, readonly string[]> = Object.assign({}, ...areaExamples.map(({ graphql }) => graphql?.ways));

const wayTo = ({ type, path }: TypeLocation, field: Field): readonly string[] =>
  WAYS[`${type.name}.${field.name}`] ?? WAYS[type.name] ?? path;

/** What only every other object has: of two of them one does. */
const OF_SOME = new Set(areaExamples.flatMap(({ graphql }) => graphql?.ofSome ?? []));

const readFields = (type: GraphQLObjectType): Field[] => Object.values(type.getFields());

/** Fields restricted to one object are never requested for many. */
const isOfMany = ({ args, extensions }: Field): boolean =>
  !args.some(isRequiredArgument) && extensions.oneObject !== true;

function step(location: TypeLocation, field: Field): TypeLocation[] {
  const type = getNamedType(field.type);
  if (!isOfMany(field) || !isObjectType(type)) return [];
  if (!isConnection(type)) {
    const exampleArgs = ARGUMENTS[`${location.type.name}.${field.name}`] ?? '';
    return location.listed ? [{ type, path: [...wayTo(location, field), field.name + exampleArgs], listed: true }] : [];
  }
  const node = getNamedType(type.getFields().nodes?.type as Field['type']);
  if (!isObjectType(node)) return [];
  const exampleArgs = (ARGUMENTS[`${location.type.name}.${field.name}`] ?? '').replace(/^\((.*)\)$/, ', $1');
  const size = location.listed ? 1 : '$n';
  return [
    { type: node, path: [...location.path, `${field.name}(first: ${size}${exampleArgs})`, 'nodes'], listed: true },
  ];
}

/** The shortest way from the root to several objects of each type that there can be several of. */
function typeLocations(): TypeLocation[] {
  const found = new Map<string, TypeLocation>();
  const root = schema.getQueryType() as GraphQLObjectType;
  let edge: TypeLocation[] = [{ type: root, path: [], listed: false }];
  for (let depth = 0; depth < 6; depth += 1) {
    const next = edge.flatMap((location) => readFields(location.type).flatMap((field) => step(location, field)));
    for (const location of next) if (!found.has(location.type.name)) found.set(location.type.name, location);
    // From a type that is already reached, other locations have no shorter ways.
    edge = next.filter((location) => found.get(location.type.name) === location);
  }
  return [...found.values()];
}

const leaves = (type: GraphQLObjectType): string[] =>
  readFields(type)
    .filter((field) => !field.args.some(isRequiredArgument) && !isCompositeType(getNamedType(field.type)))
    .map((field) => field.name);

/** Nodes of each connection that is requested for {@link PARENTS} objects: 100 each would exceed the limit. */
const NODES = 50;

const fits = (query: string): boolean => {
  const { nodeCount, errors } = prepare(
    schema,
    { query, operationName: null, variables: { n: PARENTS } },
    SIGNED_IN_LIMITS,
  );
  return errors.length === 0 && nodeCount.nodes <= MAX_NODES;
};

/** The selections on the objects, split into as many queries as needed to stay within the limit for all of them. */
function fitting(write: (names: string) => string, names: readonly string[]): string[] {
  const query = write(names.join(' ') || '__typename');
  if (names.length < 2 || fits(query)) return [query];
  const half = Math.ceil(names.length / 2);
  return [...fitting(write, names.slice(0, half)), ...fitting(write, names.slice(half))];
}

/**
 * The selection for a field: all scalar fields of its objects. For connections, nodes and edges are in separate
 * queries: for the largest types, both together exceed the limit.
 */
function getQueries(location: TypeLocation, field: Field): string[] {
  const type = getNamedType(field.type);
  const exampleArgs = ARGUMENTS[`${location.type.name}.${field.name}`] ?? '';
  const queryFor = (selection: string, args = exampleArgs) =>
    getQuery(wayTo(location, field), `${field.name}${args} ${selection}`);
  if (!isCompositeType(type)) return [queryFor('')];
  if (!isObjectType(type)) return [queryFor('{ __typename }')];
  if (!isConnection(type)) return fitting((names) => queryFor(`{ ${names} }`), leaves(type));
  const node = getNamedType(type.getFields().nodes?.type as Field['type']);
  const inner = isObjectType(node) ? leaves(node) : [];
  const own = Object.keys(type.getFields()).filter((name) => !['nodes', 'edges', 'pageInfo'].includes(name));
  const args = `(first: ${NODES}${exampleArgs.replace(/^\((.*)\)$/, ', $1')})`;
  return [
    ...fitting((names) => queryFor(`{ nodes { ${names} } pageInfo { endCursor } ${own.join(' ')} }`, args), inner),
    ...fitting((names) => queryFor(`{ edges { cursor node { ${names} } } pageInfo { endCursor } }`, args), inner),
  ];
}

interface Held {
  nodes?: unknown[];
  edges?: { node: unknown }[];
}

/** The items of a parent's list or connection; null for a single record. */
function heldBy(value: Held | unknown[] | null): unknown[] | null {
  if (Array.isArray(value)) return value;
  return value?.nodes ?? value?.edges?.map(({ node }) => node) ?? null;
}

const getQuery = (path: readonly string[], inner: string): string =>
  `query($n: Int!) { ${path.join(' { ')} { ${inner} ${'}'.repeat(path.length + 1)}`;

/** The objects at the end of a path. */
function at(data: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [data];
  const value = (data as Record<string, unknown>)[/^\w+/.exec(name)?.[0] ?? ''];
  return [value].flat().flatMap((one) => (one === null ? [] : at(one, rest)));
}

async function ask(user: BuiltUser, query: string, n: number) {
  const { body, text } = await app.as(user).graphql(query, { n });
  if (body.errors) throw new Error(`${query}: ${text}`);
  return body.data as unknown;
}

const statementsFor = (user: BuiltUser, query: string, n: number) => app.statementsOf(() => ask(user, query, n));

let people: { admin: BuiltUser; member: BuiltUser };
test.serial.before(async (t) => {
  t.timeout(WALK_MS);
  people = await fillGraphql(app);
});

test('every type that a list leads to is found with many parents', (t) => {
  const expected = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !type.name.startsWith('__') && !isConnection(type))
    .map((type) => type.name)
    .filter((name) => !/(Payload|Edge)$/.test(name));
  const ofAreas = areaExamples.flatMap(({ graphql }) => graphql?.alone ?? []);
  const alone = ['Mutation', 'PageInfo', 'Query', 'QueryComplexity', ...ofAreas];
  t.deepEqual(
    typeLocations()
      .map(({ type }) => type.name)
      .sort(),
    expected.filter((name) => !alone.includes(name)).sort(),
  );
});

/**
 * The numbers of objects for which a field is requested in addition to a single one: for connections, up to a full
 * page.
 */
const getSizes = (field: Field): number[] => (isConnection(getNamedType(field.type)) ? [FEW, PARENTS] : [FEW]);

for (const location of typeLocations()) {
  for (const field of readFields(location.type)) {
    if (!isOfMany(field)) continue;
    const name = `${location.type.name}.${field.name}`;
    const sizes = getSizes(field);
    // Contract: graphql-4.10
    test.serial(`${name} of ${sizes.join(' and ')} needs as many statements as of one`, async (t) => {
      for (const query of getQueries(location, field)) {
        for (const user of [people.admin, people.member]) {
          const one = await statementsFor(user, query, OF_SOME.has(name) ? 2 : 1);
          for (const size of sizes) t.is(await statementsFor(user, query, size), one, `${size}: ${query}`);
        }
        // Nothing there would be nothing read.
        if (!isCompositeType(getNamedType(field.type))) continue;
        const most = sizes.at(-1) ?? FEW;
        const parents = at(await ask(people.admin, query, most), wayTo(location, field)) as Record<string, unknown>[];
        t.is(parents.length, most);
        const having = OF_SOME.has(name) ? parents.filter((parent) => parent[field.name] !== null) : parents;
        t.true(having.length > 0, name);
        for (const parent of having) {
          const value = parent[field.name] as Held | unknown[] | null;
          t.truthy(value, name);
          const held = heldBy(value);
          if (held) t.true(held.length > 0 && held.every((one) => one !== null), name);
        }
      }
    });
  }
}
