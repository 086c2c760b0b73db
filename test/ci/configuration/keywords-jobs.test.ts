import test from 'ava';
import { ConfigurationError, Reference } from '../../../shared/ci/configuration-model/configuration.types.js';
import type { Hash } from '../../../shared/ci/configuration-model/configuration.types.js';
import type { KeywordProblem } from '../../../shared/ci/configuration/keyword-scope.js';
import { readPipelineConfig } from '../../../shared/ci/configuration/read-pipeline-config.js';
import { readErrors, readJobErrors, readJobX, readWarnings } from './keywords.steps.js';

const NO_SCRIPT = 'config should implement the script:, run:, or trigger: keyword';

test('a job without anything but a script has the defaults of the service', (t) => {
  const config = readPipelineConfig({ '.hidden': 1, x: { script: 'echo hi' } });
  t.deepEqual(config.stages, ['.pre', 'build', 'test', 'deploy', '.post']);
  t.deepEqual(config.workflow, { name: null, rules: null, auto_cancel: {} });
  t.is(config.jobs.length, 1);
  const { variables, ...job } = config.jobs[0]!;
  t.deepEqual(Object.keys(variables), []);
  t.deepEqual(job, {
    name: 'x',
    stage: 'test',
    before_script: [],
    script: ['echo hi'],
    after_script: [],
    hooks: { pre_get_sources_script: [] },
    image: null,
    services: [],
    tags: [],
    cache: [],
    artifacts: null,
    inherit_variables: true,
    rules: null,
    only: null,
    except: null,
    when: 'on_success',
    start_in: null,
    allow_failure: false,
    needs: null,
    dependencies: null,
    parallel: null,
    retry: null,
    timeout: null,
    interruptible: false,
    resource_group: null,
    coverage: null,
    environment: null,
  });
});

test('vector 5: only hidden jobs, or none', (t) => {
  const expected = ['jobs config should contain at least one visible job'];
  t.deepEqual(readErrors({ '.x': { script: 'a' } }), expected);
  t.deepEqual(readErrors({ variables: { A: 'b' } }), expected);
});

test('vector 6: unknown keys are listed', (t) => {
  t.deepEqual(readErrors({ a: { script: 'x', foo: 1 } }), ['jobs:a config contains unknown keys: foo']);
  t.deepEqual(readErrors({ a: { script: 'x', foo: 1, bar: 2, stages: [] } }), [
    'jobs:a config contains unknown keys: foo, bar, stages',
  ]);
});

test('vector 7: a stage that does not exist', (t) => {
  const text = 'does not exist; available stages are';
  t.deepEqual(readErrors({ a: { script: 'x', stage: 's' } }), [
    `a job: chosen stage s ${text} .pre, build, test, deploy, .post`,
  ]);
  t.deepEqual(readErrors({ stages: ['s', '.post'], a: { script: 'x' } }), [
    `a job: chosen stage test ${text} .pre, s, .post`,
  ]);
  t.deepEqual(readErrors({ stages: 'a', a: { script: 'x', stage: 's' } }), [
    'stages config should be an array of strings or a nested array of strings up to 10 levels deep',
  ]);
});

test('stages: .pre is first and .post last wherever they are written; doubles count once', (t) => {
  const { stages } = readPipelineConfig({ stages: ['.post', 'a', ['b', 'a'], '.pre'], x: { script: 'y', stage: 'a' } });
  t.deepEqual(stages, ['.pre', 'a', 'b', '.post']);
});

test('what is no job: text, list, hash without script', (t) => {
  t.deepEqual(readErrors({ a: 'x', b: ['y'], c: { stage: 'test' }, d: null }), [
    `jobs a ${NO_SCRIPT}`,
    `jobs b ${NO_SCRIPT}`,
    `jobs c ${NO_SCRIPT}`,
    `jobs d ${NO_SCRIPT}`,
  ]);
});

test('a script may not be empty', (t) => {
  const expected = ["jobs:x script can't be blank"];
  for (const script of [null, '', [], [[]]]) t.deepEqual(readErrors({ x: { script } }), expected);
});

test('scripts: nested lists become one, at most 10 deep', (t) => {
  const nest = (depth: number): Hash[string] => (depth === 0 ? ['a'] : [nest(depth - 1)]);
  t.deepEqual(readJobX({ script: ['a', ['b', ['c']], 'd'] }).script, ['a', 'b', 'c', 'd']);
  t.deepEqual(readJobX({ script: nest(10) }).script, ['a']);
  t.deepEqual(readJobErrors({ script: nest(11) }), [
    'jobs:x:script config should be a string or a nested array of strings up to 10 levels deep',
  ]);
});

test('names of jobs', (t) => {
  const script = 'a';
  t.deepEqual(readErrors({ true: { script } }), ['jobs:true name should be a symbol']);
  t.deepEqual(readErrors({ nil: { script } }), ['jobs:nil name should be a symbol']);
  t.deepEqual(readErrors({ '': { script } }), ["jobs:job name can't be blank"]);
  const long = 'é'.repeat(256);
  t.deepEqual(readErrors({ [long]: { script } }), [`jobs:${long} name is too long (maximum is 255 characters)`]);
  t.deepEqual(readErrors({ [long.slice(1)]: { script }, 'a b: [c]': { script }, pages: { script } }), []);
});

test('names of object members are ordinary jobs, stages, keys and variables', (t) => {
  const content = JSON.parse(`{
    "stages": ["__proto__", "constructor"],
    "variables": {"__proto__": "a", "toString": "b"},
    "__proto__": {"stage": "__proto__", "script": "a", "variables": {"constructor": "c"}},
    "constructor": {"stage": "constructor", "script": "a"}
  }`);
  const config = readPipelineConfig(content);
  t.deepEqual(
    config.jobs.map(({ name }) => name),
    ['__proto__', 'constructor'],
  );
  t.deepEqual(Object.keys(config.variables), ['__proto__', 'toString']);
  t.is(config.variables['toString']!.value, 'b');
  const wrong = JSON.parse('{"a": {"script": "x", "__proto__": 1, "toString": 2}, "hasOwnProperty": 1}');
  t.deepEqual(readErrors(wrong), [
    'jobs:a config contains unknown keys: __proto__, toString',
    `jobs hasOwnProperty ${NO_SCRIPT}`,
  ]);
});

test('a reference that is left anywhere is an error', (t) => {
  const reference = new Reference(['.a', 'script']);
  const expected = ['!reference [".a", "script"] could not be found'];
  t.deepEqual(readJobErrors({ before_script: ['a', [reference]] }), expected);
  t.deepEqual(readJobErrors({ variables: { A: reference } }), expected);
  t.deepEqual(readErrors({ variables: reference, x: { script: 'a' } }), expected);
});

test('all errors are listed, in the order of the file, with the keys that lead to them', (t) => {
  const content: Hash = { b: { script: 1, tags: 'x' }, variables: 1, a: { script: 'a', stage: 's', image: 1 } };
  const error = t.throws(() => readPipelineConfig(content), { instanceOf: ConfigurationError });
  const problems = (error?.problems ?? []) as KeywordProblem[];
  t.deepEqual(
    problems.map(({ message, path }) => [path.join('/'), message.split(' ')[0]]),
    [
      ['b/script', 'jobs:b:script'],
      ['b/tags', 'jobs:b:tags'],
      ['variables', 'variables'],
      ['a/image', 'jobs:a:image'],
      ['a/stage', 'a'],
    ],
  );
});

test('at most 100 errors are listed', (t) => {
  const jobs = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`j${index}`, { script: 1 }]));
  const errors = readErrors(jobs);
  t.is(errors.length, 100);
  t.true(errors[99]!.startsWith('jobs:j99:script'));
});

test('a job takes defaults; its own keyword replaces them whole', (t) => {
  const globals: Hash = {
    default: { image: { name: 'a', entrypoint: ['e'] }, tags: ['t'], retry: 1, timeout: '1h' },
    before_script: ['global'],
  };
  const job = readJobX({ image: 'b', tags: [], inherit: { variables: false } }, globals);
  t.deepEqual([job.image, job.tags, job.before_script, job.timeout], [{ name: 'b' }, [], ['global'], 3600]);
  t.deepEqual(job.retry, { max: 1, when: ['always'], exit_codes: [] });
  t.false(job.inherit_variables);
});

test('inherit:default leaves defaults out, those at the top of the file too', (t) => {
  const globals: Hash = { default: { tags: ['t'], timeout: '1h' }, before_script: ['global'] };
  const none = readJobX({ inherit: { default: false } }, globals);
  t.deepEqual([none.tags, none.timeout, none.before_script], [[], null, []]);
  const some = readJobX({ inherit: { default: ['tags'] } }, globals);
  t.deepEqual([some.tags, some.timeout, some.before_script], [['t'], null, []]);
  t.deepEqual(readJobX({ inherit: { variables: ['A'] } }).inherit_variables, ['A']);
});

test('inherit: errors', (t) => {
  t.deepEqual(readJobErrors({ inherit: { default: 'a', variables: 1 } }), [
    'jobs:x:inherit:default should be a bool or array of strings',
    'jobs:x:inherit:variables should be a bool or array of strings',
  ]);
  t.deepEqual(readJobErrors({ inherit: { default: ['tags', 'script'], other: 1 } }), [
    'jobs:x:inherit config contains unknown keys: other',
    'jobs:x:inherit:default config contains unknown values: script',
  ]);
});

test('a default may not be written twice', (t) => {
  t.deepEqual(readErrors({ image: 'a', cache: {}, default: { image: 'b', cache: [] }, x: { script: 'a' } }), [
    'image is defined in top-level and `default:` entry',
    'cache is defined in top-level and `default:` entry',
  ]);
});

test('a job by hand may fail unless it says otherwise', (t) => {
  t.true(readJobX({ when: 'manual' }).allow_failure);
  t.false(readJobX({ when: 'manual', allow_failure: false }).allow_failure);
  t.deepEqual(readJobX({ allow_failure: { exit_codes: 137 } }).allow_failure, { exit_codes: [137] });
  t.deepEqual(readJobErrors({ allow_failure: { exit_codes: 'a', b: 1 } }), [
    'jobs:x:allow_failure config contains unknown keys: b',
    'jobs:x:allow_failure exit codes should be an array of integers or an integer',
  ]);
});

test('delayed jobs', (t) => {
  t.is(readJobX({ when: 'delayed', start_in: '1 week' }).start_in, 604_800);
  t.deepEqual(readJobErrors({ when: 'delayed' }), ['jobs:x start in should be a duration']);
  t.deepEqual(readJobErrors({ when: 'delayed', start_in: 'soon' }), ['jobs:x start in should be a duration']);
  t.deepEqual(readJobErrors({ when: 'delayed', start_in: '8 days' }), ['jobs:x start in should not exceed the limit']);
  t.deepEqual(readJobErrors({ start_in: '1 day' }), ['jobs:x start in must be blank']);
});

test('dependencies are part of needs', (t) => {
  t.deepEqual(readJobErrors({ needs: ['a'], dependencies: ['a', 'b', 'c'] }), [
    'jobs:x dependencies the b, c should be part of needs',
  ]);
});

test('what is not obeyed so far is warned of, by job and keyword', (t) => {
  const artifacts = { reports: { junit: 'a' } };
  const keywords: Hash = { script: 'a', only: ['merge_requests'], environment: 'e', artifacts };
  const text = 'is read and checked, but this service does not obey it yet';
  t.deepEqual(readWarnings({ pages: keywords }), [
    `jobs:pages:only:merge_requests ${text}`,
    `jobs:pages:environment ${text}`,
    'jobs:pages:artifacts:reports:junit is accepted and has no effect in this service',
    `jobs:pages:artifacts ${text}`,
    `jobs:pages:pages ${text}`,
  ]);
});
