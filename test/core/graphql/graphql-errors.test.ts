import test from 'ava';
import { useApp } from '../app.js';

const app = useApp(test);

const first = async (query: string, variables?: Record<string, unknown>) => {
  const { status, body } = await app.anonymous.graphql(query, variables);
  return { status, ...body.errors[0] };
};

// Contract: graphql-1.3.1
test('a field that does not exist is told with its place, path and code', async (t) => {
  t.deepEqual(await first('{ project(fullPath: "g/p") { foo } }'), {
    status: 200,
    message: "Field 'foo' doesn't exist on type 'Project'",
    locations: [{ line: 1, column: 30 }],
    path: ['query', 'project', 'foo'],
    extensions: { code: 'undefinedField', typeName: 'Project', fieldName: 'foo' },
  });
});

// Contract: graphql-1.3.1
test('the path of an error starts with the name of its operation or fragment', async (t) => {
  t.deepEqual((await first('query Who { foo }')).path, ['query Who', 'foo']);
  t.deepEqual((await first('{ ...F } fragment F on Query { foo }')).path, ['fragment F', 'foo']);
});

// Contract: graphql-1.3.2
test('each kind of mistake has its code', async (t) => {
  const cases: [string, string][] = [
    ['{ echo(text: "x", nope: 1) }', 'argumentNotAccepted'],
    ['{ echo }', 'missingRequiredArguments'],
    ['{ echo(text: 5) }', 'argumentLiteralsIncompatible'],
    ['{ currentUser }', 'selectionMismatch'],
    ['{ echo(text: "x") { length } }', 'selectionMismatch'],
    ['{ echo(text: $nope) }', 'variableNotDefined'],
    ['query($n: Int) { echo(text: $n) }', 'variableMismatch'],
    ['{ echo(text: "x") @nope }', 'undefinedDirective'],
    ['query($n: Nope) { echo(text: "x") }', 'undefinedType'],
  ];
  for (const [query, code] of cases) t.is((await first(query)).extensions?.code, code, query);
});

// Contract: graphql-1.3.3
test('at most five mistakes are told', async (t) => {
  const { body } = await app.anonymous.graphql('{ a b c d e f g }');
  t.is(body.errors.length, 5);
});

test('fields that can not be merged are refused', async (t) => {
  t.regex((await first('{ a: echo(text: "x") a: echo(text: "y") }')).message, /conflict/);
});

// Contract: graphql-1.3.4
test('a bad value of a variable is told with the variable, its type and the problem', async (t) => {
  const mutation = (type: string) => `mutation($id: ${type}) { pipelineSchedulePlay(input: { id: $id }) { errors } }`;
  const explanation = '"x" is not a valid Global ID';
  t.like(await first(mutation('CiPipelineScheduleID!'), { id: 'x' }), {
    message: 'Variable $id of type CiPipelineScheduleID! was provided invalid value',
    extensions: { value: 'x', problems: [{ path: [], explanation, message: explanation }] },
  });
  t.like(await first(mutation('CiPipelineScheduleID!'), {}), {
    message: 'Variable $id of type CiPipelineScheduleID! was provided invalid value',
    extensions: { value: null, problems: [{ path: [], explanation: 'Expected value to not be null' }] },
  });
});

// Contract: graphql-1.3.4
test('a bad value inside of a variable is told with its path', async (t) => {
  const query = 'mutation($input: PipelineSchedulePlayInput!) { pipelineSchedulePlay(input: $input) { errors } }';
  const problem = await first(query, { input: { id: 'gid://service/Project/1' } });
  t.is(
    problem.message,
    'Variable $input of type PipelineSchedulePlayInput! was provided invalid value for id ' +
      '("gid://service/Project/1" does not represent an instance of Ci::PipelineSchedule)',
  );
});

// Contract: graphql-3.6
test('global ids of no form, of another service and of another type are refused in words', async (t) => {
  const play = (id: string) => first(`mutation { pipelineSchedulePlay(input: { id: "${id}" }) { errors } }`);
  const cases: [string, string][] = [
    ['x', '"x" is not a valid Global ID'],
    ['gid://service/Ci::PipelineSchedule/x', '"gid://service/Ci::PipelineSchedule/x" is not a valid Global ID'],
    ['gid://other/User/1', '"gid://other/User/1" is not a Service Global ID'],
    ['gid://service/User/1', '"gid://service/User/1" does not represent an instance of Ci::PipelineSchedule'],
  ];
  for (const [id, message] of cases) t.is((await play(id)).message, message);
});

// Contract: graphql-1.3.5, graphql-3.7
test('a well-formed global id of nothing is the error that hides what exists', async (t) => {
  const user = await app.build.user();
  for (const id of ['999999', '99999999999999999999999999']) {
    const { status, body } = await app
      .as(user)
      .graphql(
        `mutation { pipelineSchedulePlay(input: { id: "gid://service/Ci::PipelineSchedule/${id}" }) { errors } }`,
      );
    t.is(status, 200);
    t.deepEqual(body.data, { pipelineSchedulePlay: null });
    t.deepEqual(body.errors[0].path, ['pipelineSchedulePlay']);
    t.regex(body.errors[0].message, /^The resource that you are attempting to access does not exist or you don't have/);
  }
});
