import test from 'ava';
import type { ExecutionContext } from 'ava';
import { compileConfiguration } from '../../../shared/ci/configuration/compile-configuration.js';
import type {
  Compilation,
  CompileRequest,
  DataAnswer,
  DataRequest,
} from '../../../shared/ci/configuration/compile.types.js';

// The vectors of section 20 of ci-execution.md that a compilation alone can show, by their numbers.

const ORIGIN = { project: 'group/project', sha: 'a'.repeat(40) };
const MISSING =
  "'a' job needs 'b' job, but 'b' does not exist in the pipeline. This might be because of the only, except, or rules " +
  'keywords. To need a job that sometimes does not exist in the pipeline, use needs:optional.';
const NOT_A_VARIABLE = 'variable definition must be either a string or a hash';
const WRONG_EXPRESSION = 'jobs:a:rules:rule if invalid expression syntax';
const CIRCLE = 'The pipeline has circular dependencies';
const TOO_BIG = 'The parsed YAML is too big';

interface Options extends Partial<CompileRequest> {
  /** Files of this project by path. */
  files?: Record<string, string>;
  /** What changed; unknown without it. */
  changedPaths?: string[];
}

function compile(text: string, { files = {}, changedPaths, ...options }: Options = {}): Promise<Compilation> {
  const ask = async (request: DataRequest): Promise<DataAnswer> => {
    if (request.kind !== 'include') return { kind: 'paths', paths: changedPaths ?? null };
    const location = request.request.kind === 'local' ? request.request.path : '';
    const content = files[location];
    if (content === undefined)
      return { kind: 'include', answer: { error: `Local file \`${location}\` does not exist!` } };
    return { kind: 'include', answer: { files: [{ location, text: content, origin: ORIGIN }] } };
  };
  const source = options.source ?? 'push';
  const request: CompileRequest = {
    text,
    location: '.gitlab-ci.yml',
    origin: ORIGIN,
    inputs: {},
    ref: 'main',
    isTag: false,
    source,
    projectPath: ORIGIN.project,
    variables: {},
    predefined: { CI_PIPELINE_SOURCE: source, CI_COMMIT_BRANCH: 'main', CI_COMMIT_REF_NAME: 'main' },
    limits: { needs: 50, pipelineSize: 0 },
    evaluatesRules: true,
    merged: true,
    ...options,
  };
  return compileConfiguration(request, ask);
}

const listMessages = (problems: readonly { message: string }[]) => problems.map(({ message }) => message);
const listErrors = async (text: string, options?: Options) => listMessages((await compile(text, options)).errors);
const define = (values: Record<string, string>): CompileRequest['variables'] =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { value, masked: false, secret: false, expand: true }]),
  );

/** The names of the jobs of a pipeline that can be made. */
async function listJobs(t: ExecutionContext, text: string, options?: Options): Promise<string[]> {
  const { jobs, errors } = await compile(text, options);
  t.deepEqual(listMessages(errors), []);
  return jobs.map(({ name }) => name);
}

/** Whether an expression holds. */
async function holds(t: ExecutionContext, expression: string, variables: Record<string, string>): Promise<boolean> {
  const rule = JSON.stringify({ if: expression });
  const names = await listJobs(t, `a: {script: x, rules: [${rule}]}\nz: {script: x}`, { variables: define(variables) });
  return names.includes('a');
}

test('vector 4: a blank file has no content', async (t) => {
  for (const text of ['', ' \n\n', '# nothing\n', '---\n'])
    t.deepEqual(await listErrors(text), ['Please provide content of .gitlab-ci.yml']);
});

test('vector 5: a file with hidden jobs alone has no job', async (t) => {
  t.deepEqual(await listErrors('.x: {script: a}'), ['jobs config should contain at least one visible job']);
});

test('vector 6: an unknown key of a job is named', async (t) => {
  t.deepEqual(await listErrors('a: {script: x, foo: 1}'), ['jobs:a config contains unknown keys: foo']);
});

test('vector 7: a stage that there is not is named with those that there are', async (t) => {
  t.deepEqual(await listErrors('a: {script: x, stage: s}'), [
    'a job: chosen stage s does not exist; available stages are .pre, build, test, deploy, .post',
  ]);
});

test('vector 8: a need that is no job is named', async (t) => {
  t.deepEqual(await listErrors('a: {script: x, needs: [b]}'), ['a job: undefined need: b']);
});

test('vector 9: jobs do not need one another', async (t) => {
  t.deepEqual(await listErrors('a: {script: x, needs: [b]}\nb: {script: x, needs: [a]}'), [CIRCLE]);
});

test('vector 10: a job that rules left out cannot be needed, unless the need is optional', async (t) => {
  const excluded = 'b: {script: x, rules: [{when: never}]}';
  t.deepEqual(await listErrors(`a: {script: x, needs: [b]}\n${excluded}`), [MISSING]);
  t.deepEqual(await listJobs(t, `a: {script: x, needs: [{job: b, optional: true}]}\n${excluded}`), ['a']);
});

test('vector 11: eleven levels of extends are enough, and no circle', async (t) => {
  const chain = (length: number) => [
    ...Array.from({ length }, (_, i) => `.l${i}: {extends: .l${i + 1}}`),
    `.l${length}: {script: x}`,
    'a: {extends: .l0}',
  ];
  t.deepEqual(await listJobs(t, chain(10).join('\n')), ['a']);
  t.deepEqual(await listErrors(chain(11).reverse().join('\n')), ['.l10: nesting too deep in `extends`']);
  const circle = await listErrors('a: {extends: .b}\n.b: {extends: .c}\n.c: {extends: .b, script: x}');
  t.deepEqual(circle, ['.b: circular dependency detected in `extends`']);
  t.deepEqual(await listErrors('a: {script: x, extends: a}'), ['a: circular dependency detected in `extends`']);
});

test('vector 12: references are followed twice and flattened, and one to nothing is an error', async (t) => {
  const text = `
.a: {script: [one, !reference [.b, script]]}
.b: {script: [two, three]}
j: {script: [zero, !reference [.a, script], four]}`;
  const { jobs } = await compile(text);
  t.deepEqual(jobs[0]?.script, ['zero', 'one', 'two', 'three', 'four']);
  t.deepEqual(await listErrors('j: {script: [!reference [.a, script]]}'), [
    '!reference [".a", "script"] could not be found',
  ]);
});

test('vector 13: the last of two equal keys counts, with a warning', async (t) => {
  const { jobs, warnings } = await compile('a: {script: one}\na:\n  script: two\n');
  t.deepEqual(
    jobs.map(({ name, script }) => [name, script]),
    [['a', ['two']]],
  );
  t.is(warnings.length, 1);
  t.regex(warnings[0]!.message, /`a`/);
  t.deepEqual(warnings[0]!.position, { line: 2, column: 1 });
});

test('vector 14: variables are read as YAML 1.1', async (t) => {
  const { variables } = await compile('variables: {B: 012, C: y, D: 12:30}\na: {script: x}');
  const values = Object.entries(variables).map(([name, { value }]) => [name, value]);
  t.deepEqual(values, [
    ['B', '10'],
    ['C', 'y'],
    ['D', '750'],
  ]);
  t.deepEqual(await listErrors('variables: {A: on}\na: {script: x}'), [NOT_A_VARIABLE]);
  t.deepEqual(await listErrors('a: {script: x, variables: {A: on}}'), [NOT_A_VARIABLE]);
});

test('vector 15: 150 includes are the most, beside each other or one in another', async (t) => {
  const buildList = (count: number) => {
    const paths = Array.from({ length: count }, (_, i) => `f${i}.yml`);
    return { text: `include: [${paths.join(', ')}]\na: {script: x}`, paths };
  };
  const buildChain = (count: number) => {
    const paths = Array.from({ length: count }, (_, i) => `f${i}.yml`);
    const files = Object.fromEntries(paths.map((path, i) => [path, `.f${i}: {}\ninclude: [${paths[i + 1] ?? ''}]`]));
    return { text: 'include: f0.yml\na: {script: x}', files };
  };
  const fill = (paths: string[]) => Object.fromEntries(paths.map((path, i) => [path, `.f${i}: {}`]));
  const [most, more] = [buildList(150), buildList(151)];
  const error = 'Maximum of 150 nested includes are allowed!';
  t.deepEqual(await listJobs(t, most.text, { files: fill(most.paths) }), ['a']);
  t.deepEqual(await listErrors(more.text, { files: fill(more.paths) }), [error]);
  t.deepEqual(await listJobs(t, buildChain(150).text, buildChain(150)), ['a']);
  t.deepEqual(await listErrors(buildChain(151).text, buildChain(151)), [error]);
});

test('vector 18: aliases of aliases do not fill the memory', async (t) => {
  const levels = Array.from({ length: 8 }, (_, i) => `.l${i + 1}: &l${i + 1} [${`*l${i}, `.repeat(8)}*l${i}]`);
  const text = ['.l0: &l0 [x, x, x, x, x, x, x, x, x]', ...levels, 'a: {script: *l8}'].join('\n');
  t.true(text.length < 1000);
  t.deepEqual(await listErrors(text), [TOO_BIG]);
  const hashes = Array.from({ length: 26 }, (_, i) => `.h${i + 1}: &h${i + 1} {a: *h${i}, b: *h${i}}`);
  t.deepEqual(await listErrors(['.h0: &h0 {a: x}', ...hashes, 'a: {script: x}'].join('\n')), [TOO_BIG]);
});

test('vector 19: trigger is not supported', async (t) => {
  t.deepEqual(await listErrors('a: {trigger: x/y}'), ['jobs:a:trigger is not supported by this service']);
});

test('vector 20: a job for schedules is in a pipeline of a schedule alone, and the reason is told', async (t) => {
  const text = `a: {script: x, rules: [{if: '$CI_PIPELINE_SOURCE == "schedule"'}]}\nb: {script: x}`;
  t.deepEqual(await listJobs(t, text, { source: 'schedule' }), ['a', 'b']);
  const { jobs, excluded } = await compile(text);
  t.deepEqual(
    jobs.map(({ name }) => name),
    ['b'],
  );
  t.deepEqual(
    excluded.map(({ name }) => name),
    ['a'],
  );
  const [explanation] = excluded[0]!.explanation;
  t.is(explanation?.result, 'no_match');
  t.deepEqual(explanation?.because, [
    {
      part: '$CI_PIPELINE_SOURCE == "schedule"',
      operands: [{ name: 'CI_PIPELINE_SOURCE', value: 'push' }],
      result: false,
    },
  ]);
});

test('vector 21: without any job there is no pipeline', async (t) => {
  for (const source of ['api', 'schedule']) {
    const { filtered, errors, jobs, excluded } = await compile('a: {script: x, rules: [{if: $NOPE}]}', { source });
    t.deepEqual({ filtered, errors, jobs }, { filtered: 'rules', errors: [], jobs: [] });
    t.deepEqual(
      excluded.map(({ name }) => name),
      ['a'],
    );
  }
  const edges = 'a: {script: x, stage: .pre}\nb: {script: x, stage: .post}';
  t.is((await compile(edges)).filtered, 'rules');
  t.is((await compile('workflow: {rules: [{when: never}]}\na: {script: x}')).filtered, 'workflow');
});

test('vector 22: a variable that is not set is null', async (t) => {
  const expected: [string, boolean][] = [
    ['$A == null', true],
    ['$A == ""', false],
    ['$A', false],
    ['$A !~ /x/', true],
  ];
  for (const [expression, result] of expected) t.is(await holds(t, expression, {}), result, expression);
});

test('vector 23: a variable that is empty is a text, and false', async (t) => {
  const expected: [string, boolean][] = [
    ['$A == null', false],
    ['$A == ""', true],
    ['$A', false],
  ];
  for (const [expression, result] of expected) t.is(await holds(t, expression, { A: '' }), result, expression);
});

test('vector 24: and binds closer than or', async (t) => {
  t.true(await holds(t, '$A || $B && $C', { A: '1' }));
});

test('vector 25: a pattern can ignore case', async (t) => {
  t.true(await holds(t, String.raw`$V =~ /^v\d+$/i`, { V: 'V12' }));
  t.false(await holds(t, String.raw`$V =~ /^v\d+$/i`, { V: 'x' }));
});

test('vector 26: look-ahead and more than a hundred tokens are no expressions', async (t) => {
  const rule = (expression: string) => `a: {script: x, rules: [{if: '${expression}'}]}`;
  t.deepEqual(await listErrors(rule('$A =~ /(?=x)/')), [WRONG_EXPRESSION]);
  const terms = (count: number) => Array.from({ length: count }, () => '$A').join(' || ');
  // 50 variables with 49 operators are 99 tokens, and 51 with 50 are 101.
  t.deepEqual(await listErrors(rule(terms(50))), []);
  t.deepEqual(await listErrors(rule(`!${terms(50)}`)), []);
  t.deepEqual(await listErrors(rule(terms(51))), [WRONG_EXPRESSION]);
});

test('vector 27: a pattern with nested repeats takes its time by the length of the text', async (t) => {
  // With backtracking this would take some 2 ** 10,000 steps, and never end.
  t.false(await holds(t, '$A =~ /(a+)+$/', { A: `${'a'.repeat(10_000)}b` }));
  t.true(await holds(t, '$A =~ /(a+)+$/', { A: 'a'.repeat(10_000) }));
  const pattern = '/^(([a-z])+.)+[A-Z]([a-z])+$/';
  t.false(await holds(t, '$A =~ $P', { A: 'a'.repeat(10_000), P: pattern }));
});

test('vector 28: changes hold in a schedule', async (t) => {
  const text = 'a: {script: x, rules: [{changes: [docs/*]}]}\nb: {script: x}';
  t.deepEqual(await listJobs(t, text, { source: 'schedule' }), ['a', 'b']);
  t.deepEqual(await listJobs(t, text, { changedPaths: ['docs/a.md'] }), ['a', 'b']);
  t.deepEqual(await listJobs(t, text, { changedPaths: ['src/a.c'] }), ['b']);
});

test('vector 29: manual in a rule holds the pipeline back, manual at the job does not', async (t) => {
  const text = `
rule: {script: x, rules: [{when: manual}]}
job: {script: x, when: manual}
both: {script: x, when: manual, rules: [{if: $CI_COMMIT_BRANCH}]}
soft: {script: x, rules: [{when: manual, allow_failure: true}]}
hard: {script: x, when: manual, allow_failure: false}`;
  const { jobs } = await compile(text);
  t.deepEqual(
    jobs.map(({ name, when, allow_failure }) => [name, when, allow_failure]),
    [
      ['rule', 'manual', false],
      ['job', 'manual', true],
      ['both', 'manual', true],
      ['soft', 'manual', true],
      ['hard', 'manual', false],
    ],
  );
});

test('vector 30: no needs at all is something else than an empty list', async (t) => {
  const { jobs } = await compile('a: {script: x, needs: []}\nb: {script: x}\nc: {script: x, stage: build}');
  t.deepEqual(
    jobs.map(({ name, stage, needs }) => [name, stage, needs]),
    [
      ['a', 'test', []],
      ['b', 'test', null],
      ['c', 'build', null],
    ],
  );
});

test('vector 32: the exit codes that a job may have are numbers', async (t) => {
  const { jobs } = await compile(
    'a: {script: x, allow_failure: {exit_codes: 137}}\nb: {script: x, allow_failure: {exit_codes: [1, 2]}}',
  );
  t.deepEqual(
    jobs.map((job) => job.allow_failure),
    [{ exit_codes: [137] }, { exit_codes: [1, 2] }],
  );
});

test('vector 34: retry twice is read, with a number and with a hash', async (t) => {
  const { jobs } = await compile('a: {script: x, retry: 2}\nb: {script: x, retry: {max: 2, when: script_failure}}');
  t.deepEqual(
    jobs.map(({ retry }) => retry),
    [
      { max: 2, when: ['always'], exit_codes: [] },
      { max: 2, when: ['script_failure'], exit_codes: [] },
    ],
  );
});

test('vector 35: a matrix makes a job of each combination', async (t) => {
  const { jobs } = await compile('j: {script: x, parallel: {matrix: [{X: [a, b], Y: [1]}]}}');
  t.deepEqual(
    jobs.map(({ name }) => name),
    ['j: [a, 1]', 'j: [b, 1]'],
  );
  t.deepEqual(
    jobs.map(({ node }) => node),
    [
      { index: 1, total: 2 },
      { index: 2, total: 2 },
    ],
  );
  const [first] = jobs;
  const values = Object.entries(first!.variables).map(([name, { value }]) => [name, value]);
  t.deepEqual(values, [
    ['CI_NODE_INDEX', '1'],
    ['CI_NODE_TOTAL', '2'],
    ['X', 'a'],
    ['Y', '1'],
  ]);
});

test('vector 36: a variable from outside wins over that of the job, and this over the global one', async (t) => {
  const text = `
variables: {K: global, L: global}
a: {script: x, variables: {K: job}, tags: [$K, $L], rules: [{if: '$K == "job"', variables: {K: rule}}, {when: always}]}`;
  const readTags = async (variables: Record<string, string>) => {
    const { jobs } = await compile(text, { variables: define(variables), source: 'schedule' });
    return jobs[0]?.tags;
  };
  t.deepEqual(await readTags({ K: 'schedule' }), ['schedule', 'global']);
  t.deepEqual(await readTags({ K: 'project', L: 'project' }), ['project', 'project']);
  t.deepEqual(await readTags({}), ['rule', 'global']);
});

test('vector 41: an input that is no number is refused', async (t) => {
  const text = 'spec: {inputs: {n: {type: number}}}\n---\na: {script: x, parallel: $[[ inputs.n ]]}';
  const error = '`n` input: provided value is not a number';
  t.deepEqual(await listErrors(text.replace('parallel: $[[ inputs.n ]]', ''), { inputs: { n: 'abc' } }), [error]);
  t.deepEqual(await listErrors(text, { inputs: { n: 'abc' }, source: 'schedule' }), [error]);
  t.deepEqual(await listJobs(t, text, { inputs: { n: 2 } }), ['a 1/2', 'a 2/2']);
});

test('vector 42: the value of an input stays inside of its text', async (t) => {
  const text = 'spec: {inputs: {x: {}}}\n---\na:\n  script:\n    - echo $[[ inputs.x ]]\n    - $[[ inputs.x ]]\n';
  for (const x of ['"; rm', "'\n  b: 1\nz:\n  script: rm", '*a', '!reference [.a]', '$[[ inputs.x ]]', '<<: *x']) {
    const { jobs, errors } = await compile(text, { inputs: { x } });
    t.deepEqual(errors, []);
    t.deepEqual(
      jobs.map(({ name, script }) => [name, script]),
      [['a', [`echo ${x}`, x]]],
    );
  }
});

test('bad input: files that include one another end', async (t) => {
  const files = { 'one.yml': 'include: two.yml', 'two.yml': 'include: one.yml' };
  const errors = await listErrors('include: one.yml\na: {script: x}', { files });
  t.is(errors.length, 1);
  t.regex(errors[0]!, /one\.yml.*circular|Maximum of 150 nested includes are allowed!/);
  const itself = 'include: .gitlab-ci.yml\na: {script: x}';
  t.is((await listErrors(itself, { files: { '.gitlab-ci.yml': itself } })).length, 1);
});

test('bad input: a long circle of needs is found, and needs of a rule as well', async (t) => {
  const size = 5_000;
  const jobs = Array.from({ length: size }, (_, i) => `j${i}: {script: x, needs: [j${(i + 1) % size}]}`);
  t.deepEqual(await listErrors(jobs.join('\n')), [CIRCLE]);
  const rules = 'a: {script: x, needs: [b]}\nb: {script: x, rules: [{if: $CI_COMMIT_BRANCH, needs: [a]}]}';
  t.deepEqual(await listErrors(rules), [CIRCLE]);
});

test('bad input: a matrix of 200 by 200 is refused before it is made', async (t) => {
  const values = JSON.stringify(Array.from({ length: 200 }, (_, i) => `v${i}`));
  const error = 'jobs:a:parallel:matrix config generates too many jobs (maximum is 200)';
  t.deepEqual(await listErrors(`a: {script: x, parallel: {matrix: [{A: ${values}, B: ${values}}]}}`), [error]);
  const names = Array.from({ length: 200 }, (_, i) => `V${i}: ${values}`).join(', ');
  t.deepEqual(await listErrors(`a: {script: x, parallel: {matrix: [{${names}}]}}`), [error]);
  const items = Array.from({ length: 201 }, (_, i) => `{A: v${i}}`).join(', ');
  t.deepEqual(await listErrors(`a: {script: x, parallel: {matrix: [${items}]}}`), [error]);
  t.is((await listJobs(t, `a: {script: x, parallel: {matrix: [{A: ${values}}]}}`)).length, 200);
});

test('bad input: a file may have 2 MB and no byte more', async (t) => {
  const text = 'a: {script: x}\n#';
  const pad = (bytes: number) => text + 'x'.repeat(bytes - text.length);
  t.deepEqual(await listJobs(t, pad(2 * 1024 * 1024)), ['a']);
  t.deepEqual(await listErrors(pad(2 * 1024 * 1024 + 1)), [TOO_BIG]);
  t.deepEqual(await listErrors(`a: {script: x}\n#${'é'.repeat(1024 * 1024)}`), [TOO_BIG]);
});

test('bad input: lists inside of lists have an end', async (t) => {
  t.deepEqual(await listErrors(`a: {script: ${'['.repeat(500)}x${']'.repeat(500)}}`), [TOO_BIG]);
  t.deepEqual(await listErrors(`a: {script: ${'['.repeat(12)}x${']'.repeat(12)}}`), [
    'jobs:a:script config should be a string or a nested array of strings up to 10 levels deep',
  ]);
});

test('global variables count for each job that takes a copy of them', async (t) => {
  const globals = `variables: {A: ${'x'.repeat(100_000)}}\n`;
  const parallel = 'script: x, parallel: 200';
  t.deepEqual(await listErrors(`${globals}a: {${parallel}}\n`), [TOO_BIG]);
  t.deepEqual(await listErrors(`${globals}a: {${parallel}, inherit: {variables: [A]}}\n`), [TOO_BIG]);
  t.is((await listJobs(t, `${globals}a: {${parallel}, inherit: {variables: false}}\n`)).length, 200);
});

test('characters that cannot be stored are refused, and no message has one', async (t) => {
  const refused = ['`x\uFFFDy` contains characters that are not allowed'];
  t.deepEqual(await listErrors('"x\\0y": {script: x}\n'), refused);
  t.deepEqual(await listErrors('a: {script: x, tags: ["x\\0y"]}\n'), refused);
  t.deepEqual(await listErrors('a: {script: x, tags: ["x\\uD83Dy"]}\n'), refused);
  t.deepEqual(await listErrors('a: {script: x, resource_group: "x\\0y"}\n'), refused);
  t.deepEqual(await listErrors('workflow: {name: "x\\0y"}\na: {script: x}\n'), refused);
  t.deepEqual(await listErrors('a: {script: x, "f\\0oo": 1}\n'), ['jobs:a config contains unknown keys: f\uFFFDoo']);
  t.deepEqual(await listJobs(t, 'a: {script: "x\\0y"}\n'), ['a']);
});
