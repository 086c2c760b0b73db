import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { buildSchema, GraphQLError, graphqlSync, parse } from 'graphql';
import type { OperationDefinitionNode } from 'graphql';
import test from 'ava';
import { presentError } from '../../../api/core/graphql/errors.js';
import { guardFields } from '../../../api/core/graphql/guard-fields.js';
import { measureNesting } from '../../../api/core/graphql/nesting.js';
import { prepare } from '../../../api/core/graphql/requests/prepare.js';
import { Execution, GraphqlRequest } from '../../../api/core/graphql/request.js';
import { loadGraphql } from '../../../api/graphql.js';
import { StatementTimedOut } from '../../../shared/core/values/errors.js';
import { useApp } from '../app.js';

const app = useApp(test);

const echoes = (count: number) =>
  `{ ${Array.from({ length: count }, (_, index) => `e${index}: echo(text: "x")`).join(' ')} }`;
const tooComplex = (score: number, limit: number) => ({
  errors: [{ message: `Query has complexity of ${score}, which exceeds max complexity of ${limit}` }],
});

// Contract: graphql-2.1
test('anonymous callers may ask for a complexity of 200', async (t) => {
  t.is((await app.anonymous.graphql(echoes(199))).body.errors, undefined);
  t.is((await app.anonymous.graphql(echoes(200))).body.errors, undefined);
  const { status, body } = await app.anonymous.graphql(echoes(201));
  t.is(status, 200);
  t.deepEqual(body, tooComplex(201, 200));
});

// Contract: graphql-2.1
test('signed-in callers may ask for a complexity of 250, administrators too', async (t) => {
  for (const user of [await app.build.user(), await app.build.admin()]) {
    t.is((await app.as(user).graphql(echoes(249))).body.errors, undefined);
    t.is((await app.as(user).graphql(echoes(250))).body.errors, undefined);
    t.deepEqual((await app.as(user).graphql(echoes(251))).body, tooComplex(251, 250));
  }
});

// Contract: graphql-2.2.1
test('queryComplexity tells score and limit of the whole query, to anonymous callers too', async (t) => {
  const query = '{ queryComplexity { score limit } echo(text: "x") }';
  t.deepEqual((await app.anonymous.graphql(query)).body.data.queryComplexity, { score: 4, limit: 200 });
  const user = await app.build.user();
  t.deepEqual((await app.as(user).graphql(query)).body.data.queryComplexity, { score: 4, limit: 250 });
});

/** The cost of a selection, without the 2 for the query itself. */
async function getCost(selection: string, variables?: Record<string, unknown>, head = ''): Promise<number> {
  const { body, text } = await app.anonymous.graphql(`${head}{ queryComplexity { score } ${selection} }`, variables);
  if (body.errors) throw new Error(text);
  return body.data.queryComplexity.score - 2;
}

const inProject = (selection: string) => `project(fullPath: "g/p") { ${selection} }`;

// Contract: graphql-2.1.1
test('a connection costs its fields and one more, and up to as much again for a page of 100', async (t) => {
  // Three below it: iid, status and nodes.
  t.is(await getCost(inProject('pipelines(first: 50) { nodes { iid status } }')), 6 + 1);
  t.is(await getCost(inProject('pipelines(first: 1) { nodes { iid status } }')), 4 + 1);
  t.is(await getCost(inProject('pipelines(last: 25) { nodes { iid status } }')), 5 + 1);
  t.is(await getCost(inProject('pipelines { nodes { iid status } }')), 8 + 1);
  t.is(await getCost(inProject('pipelines(first: 500) { nodes { iid status } }')), 8 + 1);
  t.is(await getCost(inProject('pipelines(first: -5) { nodes { iid status } }')), 4 + 1);
});

// Contract: graphql-2.1.2
test('a sort that is given costs one more, a default one nothing', async (t) => {
  t.is(await getCost(inProject('pipelineSchedules(first: 0) { nodes { cron } }')), 3 + 1);
  t.is(await getCost(inProject('pipelineSchedules(first: 0, sort: CRON_ASC) { nodes { cron } }')), 4 + 1);
});

// Contract: graphql-2.1.3
test('edges, node, pageInfo, count and __typename cost one each', async (t) => {
  t.is(await getCost(inProject('pipelines(first: 0) { edges { cursor node { iid } } }')), 5 + 1);
  t.is(await getCost(inProject('pipelines(first: 0) { count pageInfo { endCursor } }')), 4 + 1);
  t.is(await getCost('__typename'), 1);
});

// Contract: graphql-2.1.4
test('fragments count where they are spread, aliases count apart, skipped fields not at all', async (t) => {
  const head = 'query($yes: Boolean!) ';
  t.is(await getCost('...F ...F } fragment F on Query { echo(text: "x")'), 2);
  t.is(await getCost('a: echo(text: "x") b: echo(text: "y")'), 2);
  t.is(
    await getCost('a: echo(text: "x") @skip(if: $yes) b: echo(text: "y") @include(if: $yes)', { yes: true }, head),
    1,
  );
});

// Contract: graphql-2.1.5
test('a batch must stay below the limit as a whole', async (t) => {
  const send = (counts: number[]) =>
    app.anonymous.raw(
      'POST',
      '/api/graphql',
      JSON.stringify(counts.map((count) => ({ query: echoes(count) }))),
      'application/json',
    );
  const allowed = await send([100, 100]);
  t.is(allowed.body[1].errors, undefined);
  const { status, body } = await send([100, 101]);
  t.is(status, 200);
  t.deepEqual(body, [tooComplex(201, 200), tooComplex(201, 200)]);
});

const nested = buildSchema(
  `type Query { ${Array.from({ length: 30 }, (_, index) => `f${index}: Query`).join(' ')} leaf: Int
    node: Query nodes: [Query] edges: [Query] ofType: Query }`,
);

const chain = (fields: string[]) => `{ ${fields.join(' { ')} { leaf ${'}'.repeat(fields.length + 1)}`;
const deep = (depth: number) => chain(Array.from({ length: depth - 1 }, (_, index) => `f${index}`));
const messages = (query: string, depth: number) =>
  prepare(nested, { query, operationName: null, variables: {} }, { complexity: 1000, depth }).errors.map(
    ({ message }) => message,
  );

// Contract: graphql-2.3
test('a depth of 15 is allowed to anonymous callers and 16 is refused, 20 and 21 for signed-in ones', async (t) => {
  t.deepEqual(messages(deep(15), 15), []);
  t.deepEqual(messages(deep(16), 15), ['Query has depth of 16, which exceeds max depth of 15']);
  t.deepEqual(messages(deep(20), 20), []);
  t.deepEqual(messages(deep(21), 20), ['Query has depth of 21, which exceeds max depth of 20']);
});

// Contract: graphql-2.3
test('over HTTP the depth of anonymous and of signed-in callers is limited', async (t) => {
  const inner = 'pipelineSchedules { edges { node { project {';
  const query = `{ project(fullPath: "a/b") { ${inner} ${inner} ${inner} ${inner} name } ${'} } } } '.repeat(4)} }`;
  const messagesFor = async (client: typeof app.anonymous) =>
    (await client.graphql(query)).body.errors.map((error: { message: string }) => error.message);
  t.true((await messagesFor(app.anonymous)).includes('Query has depth of 18, which exceeds max depth of 15'));
  const signedIn = await messagesFor(app.as(await app.build.user()));
  t.false(signedIn.some((message: string) => message.includes('depth')));
});

// Contract: graphql-2.3
test('fragments are counted as deep as where they are spread', (t) => {
  const document = parse('{ f0 { ...A } } fragment A on Query { f1 { ...B } } fragment B on Query { f2 { leaf } }');
  t.is(measureNesting(document, document.definitions[0] as OperationDefinitionNode).depth, 4);
});

// Contract: graphql-2.4
test('a field within itself more than twice is refused, list wrappers and leaves are not counted', (t) => {
  const wrapped = parse(chain(['f0', 'f1', 'f0', 'node', 'node', 'node', 'edges', 'edges', 'edges', 'nodes']));
  t.deepEqual(measureNesting(wrapped, wrapped.definitions[0] as OperationDefinitionNode).recursive, {});
  const [message] = messages(chain(['f0', 'f1', 'f0', 'f2', 'f0']), 20);
  t.is(message, `Recursive query - too many of fields '{"f0"=>3}' detected in single branch of the query`);
  t.deepEqual(messages('{ f0 { f0 { leaf } } f1 { f0 { f0 { leaf } } } }', 20), []);
});

// Contract: graphql-2.4
test('recursion is refused over HTTP', async (t) => {
  const inner = 'pipelineSchedules(first: 1) { nodes { project { name ';
  const { status, body } = await app.anonymous.graphql(
    `{ project(fullPath: "a/b") { ${inner} ${inner} ${'} } } '.repeat(2)} } }`,
  );
  t.is(status, 200);
  t.regex(body.errors[0].message, /^Recursive query - too many of fields /);
});

/** The first error of a query. */
async function checked(query: string): Promise<string> {
  const { schema } = await loadGraphql();
  const { errors } = prepare(schema, { query, operationName: null, variables: {} }, { complexity: 200, depth: 15 });
  return errors[0]?.message ?? '';
}

// Contract: graphql-2.7
test('fragments that spread each other many times over are measured once each', async (t) => {
  const layers = Array.from(
    { length: 60 },
    (_, index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`,
  );
  const query = `{ ...F0 } ${layers.join(' ')} fragment F60 on Query { echo(text: "x") }`;
  // Each twice, one after the other, would be 2^60 spreads.
  t.not(await checked(query), '');
});

// Contract: graphql-2.7
test('a query of one name written thousands of times is refused', async (t) => {
  const message = await checked(`{ queryComplexity { ${'score '.repeat(1650)} } }`);
  t.regex(message, /^Query has complexity of 1651/);
});

// Contract: graphql-2.7
test('an introspection of one name written thousands of times is refused', async (t) => {
  const message = await checked(`{ __schema { types { ${'name '.repeat(1900)} } } }`);
  t.is(message, 'Query has more than 600 fields');
});

test('a query that was asked before is checked by the limits of who asks now, and by its variables', async (t) => {
  const signedIn = app.as(await app.build.user());
  const query = echoes(230);
  t.is((await signedIn.graphql(query)).body.errors, undefined);
  t.is((await signedIn.graphql(query)).body.errors, undefined);
  t.deepEqual((await app.anonymous.graphql(query)).body, tooComplex(230, 200));
  const variable = 'query($t: String!) { echo(text: $t) }';
  for (const text of ['a', 'b'])
    t.is((await app.anonymous.graphql(variable, { t: text })).body.data.echo, `nil says: ${text}`);
  t.is((await app.anonymous.graphql(variable, { t: 5 })).body.errors.length, 1);
});

test('many different queries are all answered, also once the first are forgotten', async (t) => {
  const padded = (number: number) => `{ echo(text: "${number}") } # ${'-'.repeat(9000)}`;
  for (const number of Array.from({ length: 40 }, (_, index) => index % 35))
    t.is((await app.anonymous.graphql(padded(number))).body.data.echo, `nil says: ${number}`);
});

// Contract: graphql-2.7
test('braces nested thousands deep are refused and harm nobody', async (t) => {
  for (const query of [
    `${'{a'.repeat(3300)}`,
    `{ echo(text: ${'['.repeat(9000)} }`,
    `${'{a'.repeat(3300)}${'}'.repeat(3300)}`,
  ]) {
    const { status, body } = await app.anonymous.graphql(query);
    t.is(status, 200);
    t.true(body.errors.length > 0);
  }
  t.is((await app.anonymous.graphql('{ echo(text: "alive") }')).body.data.echo, 'nil says: alive');
});

// Contract: graphql-2.2
test('introspection is exempt from complexity and depth, also for anonymous callers', async (t) => {
  const types = Array.from({ length: 9 }, () => 'ofType { name').join(' ') + ' }'.repeat(9);
  const fields = Array.from({ length: 12 }, (_, index) => `a${index}: fields { name type { name ${types} } }`).join(
    ' ',
  );
  const { body } = await app.anonymous.graphql(
    `query IntrospectionQuery { queryComplexity { score } __schema { types { name ${fields} } } }`,
  );
  t.is(body.errors, undefined);
  t.is(body.data.queryComplexity.score, 2);
});

// Contract: graphql-2.6
test('a field that is reached after the time is over is an error at its path, and the rest is answered', (t) => {
  const schema = buildSchema('type Query { quick: Int slow: Int }');
  const fields = schema.getQueryType()!.getFields();
  fields.slow!.resolve = () => 1;
  fields.quick!.resolve = (_root, _args, request: GraphqlRequest) => {
    request.execution.time.end();
    return 1;
  };
  guardFields(schema);
  const execution = new Execution(app.services, ANONYMOUS, { requestId: 'x', ip: null });
  const contextValue = new GraphqlRequest(execution, 0, 0);
  const result = graphqlSync({ schema, source: '{ quick slow }', contextValue });
  t.deepEqual({ ...result.data }, { quick: 1, slow: null });
  t.is(result.errors?.[0]?.message, 'Timeout on Query.slow');
  t.deepEqual(result.errors?.[0]?.path, ['slow']);
});

// Contract: graphql-1.2.8
test('a statement that the database cancelled ends the whole request', (t) => {
  const error = new GraphQLError('x', { originalError: new StatementTimedOut() });
  t.throws(() => presentError(error, app.context()), { instanceOf: StatementTimedOut });
});

// Contract: graphql-1.2.9
test('a bug tells callers nothing but that there was one', (t) => {
  const error = new GraphQLError('secret', { originalError: new Error('secret'), path: ['x'] });
  t.deepEqual(presentError(error, app.context()), { message: 'Internal server error', path: ['x'] });
});
