import test from 'ava';
import type { Hash, Value } from '../../../shared/ci/configuration-model/configuration.types.js';
import { parsePeriod } from '../../../shared/ci/configuration/read-duration.js';
import { readPipelineConfig } from '../../../shared/ci/configuration/read-pipeline-config.js';
import { readErrors, readJobErrors, readJobX, readWarnings } from './keywords.steps.js';

const JOB: Hash = { x: { script: 'a' } };

test('vector 14: variables are texts and whole numbers', (t) => {
  const { variables } = readPipelineConfig({ variables: { B: 10, C: 'y', D: 750, E: null }, ...JOB });
  const texts = Object.entries(variables).map(([key, { value }]) => `${key}=${value}`);
  t.deepEqual(texts, ['B=10', 'C=y', 'D=750', 'E=']);
  const expected = ['variable definition must be either a string or a hash'];
  for (const A of [true, 1.5, ['a'], 2 ** 60]) t.deepEqual(readErrors({ variables: { A }, ...JOB }), expected);
});

test('variables as hashes', (t) => {
  const variable = { value: 'a', description: 'd', options: ['a', 'b'], expand: false };
  t.deepEqual(readPipelineConfig({ variables: { A: variable }, ...JOB }).variables['A'], variable);
  const { variables } = readJobX({ variables: { A: { value: 1, expand: false } } });
  t.deepEqual(variables['A'], { value: '1', expand: false });
  t.deepEqual(readJobErrors({ variables: { A: variable } }), [
    'jobs:x:variables:A config uses invalid data keys: description, options',
  ]);
  t.deepEqual(readErrors({ variables: { A: { value: 'c', options: ['a'] } }, ...JOB }), [
    'variables:A config value must be present in options',
  ]);
  t.deepEqual(readErrors({ variables: { A: { value: true, description: [], expand: 1, options: 'a' } }, ...JOB }), [
    'variables:A config value must be an alphanumeric string',
    'variables:A config description must be an alphanumeric string',
    'variables:A config expand should be a boolean value',
    'variables:A config options should be an array of strings',
  ]);
  t.deepEqual(readJobErrors({ rules: [{ variables: { A: { value: 'a' } } }] }), [
    'jobs:x:rules:rule:variables:A config must be a string',
  ]);
});

test('durations', (t) => {
  const samples: [string, number | null][] = [
    ['1h 30m', 5400],
    ['1 week', 604_800],
    ['3 days', 259_200],
    ['3 mins 4 sec', 184],
    ['2 hrs 20 min', 8400],
    ['2h20min', 8400],
    ['6 mos 1 day', 15_638_400],
    ['3 weeks and 2 days', 1_987_200],
    ['1.5 hours', 5400],
    ['5', 5],
    ['1:30:00', 5400],
    ['1 Hour, 2 Minutes', 3720],
    ['0', null],
    ['', null],
    ['7 elephants', null],
    ['h', null],
    ['-1 day', null],
    ['1 day!', null],
    ['and', null],
  ];
  for (const [text, seconds] of samples) t.is(parsePeriod(text), seconds, text);
  t.is(readJobX({ timeout: '1 month' }).timeout, 2_592_000);
  t.deepEqual(readJobErrors({ timeout: '32 days' }), ['jobs:x:timeout config should not exceed the limit']);
});

test('images and services', (t) => {
  const options = { docker: { platform: 'p', user: 1 }, kubernetes: { user: 'u' } };
  const image = { name: 'a', entrypoint: [''], pull_policy: 'always', ...options };
  t.deepEqual(readJobX({ image }).image, { ...image, pull_policy: ['always'], docker: { platform: 'p', user: '1' } });
  const service = { name: 'db', alias: 'a b', command: ['c'] };
  t.deepEqual(readJobX({ services: ['x', [service]] }).services, [{ name: 'x' }, service]);
  t.deepEqual(readWarnings({ x: { script: 'a', image: { name: 'a', ports: [80] } } }), [
    'jobs:x:image:ports is accepted and has no effect in this service',
  ]);
  t.deepEqual(readJobErrors({ image: { alias: 'a', entrypoint: 'e' } }), [
    'jobs:x:image config contains unknown keys: alias',
    "jobs:x:image name can't be blank",
  ]);
  t.deepEqual(readJobErrors({ image: { name: 'a', pull_policy: ['b'], docker: { privileged: true } } }), [
    'jobs:x:image:pull_policy config contains unknown values: b',
    'jobs:x:image executor opts must be a valid json schema',
  ]);
  t.deepEqual(readJobErrors({ services: [10, { name: 'a', command: 'c', alias: 1 }] }), [
    'jobs:x:services:service config should be a hash or a string',
    'jobs:x:services:service alias should be a string',
    'jobs:x:services:service command should be an array of strings',
  ]);
});

test('tags: fewer than 50', (t) => {
  const tags = Array.from({ length: 50 }, (_, index) => `t${index}`);
  t.is(readJobX({ tags: tags.slice(1) }).tags.length, 49);
  t.deepEqual(readJobErrors({ tags }), ['jobs:x:tags config must be less than the limit of 50 tags']);
});

test('retry', (t) => {
  const when = 'server_timeout_canceling';
  t.deepEqual(readJobX({ retry: { max: 2, when } }).retry, { max: 2, when: [when], exit_codes: [] });
  t.deepEqual(readJobX({ retry: { max: 1, exit_codes: [137, 1] } }).retry, { max: 1, when: [], exit_codes: [137, 1] });
  const samples: [Value, string][] = [
    [3, 'config must be less than or equal to 2'],
    [-1, 'config must be greater than or equal to 0'],
    [1.5, 'config must be an integer'],
    [{ max: 3 }, 'max must be less than or equal to 2'],
    [{ max: 'a' }, 'max is not a number'],
    [{ other: 1 }, 'config contains unknown keys: other'],
    [{ when: ['always', 'a'] }, 'when contains unknown values: a'],
    [{ when: 'a' }, 'when is not included in the list'],
    [{ when: 1 }, 'when should be an array of strings or a string'],
    [{ exit_codes: 'a' }, 'exit codes should be an array of integers or an integer'],
  ];
  for (const [retry, text] of samples) t.deepEqual(readJobErrors({ retry }), [`jobs:x:retry ${text}`]);
});

test('parallel and its matrix', (t) => {
  t.deepEqual(readJobX({ parallel: { matrix: [{ X: ['a', 2], Y: 1 }] } }).parallel, {
    matrix: [Object.assign(Object.create(null), { X: ['a', '2'], Y: ['1'] })],
  });
  const many = Array.from({ length: 15 }, (_, index) => index);
  const pairs = 'should be a hash of key value pairs, value can be an array';
  const samples: [Value, string][] = [
    [0, ' config must be greater than or equal to 1'],
    [201, ' config must be less than or equal to 200'],
    [1.5, ' config must be an integer'],
    [{}, ' config missing required keys: matrix'],
    [{ matrix: [{ A: 'b' }], x: 1 }, ' config contains unknown keys: x'],
    [{ matrix: 'a' }, ':matrix config should be an array of hashes'],
    [{ matrix: [] }, ':matrix config should be an array of hashes'],
    [{ matrix: [{}] }, ':matrix:variables config requires at least 1 items'],
    [{ matrix: [{ A: [] }] }, `:matrix:variables config ${pairs}`],
    [{ matrix: [{ A: [true] }] }, `:matrix:variables config ${pairs}`],
    [{ matrix: [{ A: many, B: many }] }, ':matrix config generates too many jobs (maximum is 200)'],
  ];
  for (const [parallel, text] of samples) t.deepEqual(readJobErrors({ parallel }), [`jobs:x:parallel${text}`]);
});

test('needs', (t) => {
  t.deepEqual(readJobX({ needs: ['a', [{ job: 'b', artifacts: false, optional: true }]] }).needs, [
    { job: 'a', artifacts: true, optional: false },
    { job: 'b', artifacts: false, optional: true },
  ]);
  const matrix = [Object.assign(Object.create(null), { A: ['b'] })];
  t.deepEqual(readJobX({ needs: { job: 'a', parallel: { matrix: [{ A: 'b' }] } } }).needs, [
    { job: 'a', artifacts: true, optional: false, matrix },
  ]);
  t.deepEqual(readJobErrors({ needs: [{ project: 'a/b', job: 'c', ref: 'd' }, { pipeline: '1' }] }), [
    'jobs:x:needs:project is not supported by this service',
    'jobs:x:needs:pipeline is not supported by this service',
  ]);
  t.deepEqual(readJobErrors({ needs: [1, { artifacts: true }, '', { job: 'a', some: 1, optional: 2 }, { job: 3 }] }), [
    'jobs:x:needs:need has an unsupported type',
    'jobs:x:needs:need has an unsupported type',
    "jobs:x:needs:need config can't be blank",
    'jobs:x:needs:need config contains unknown keys: some',
    'jobs:x:needs:need optional should be a boolean value',
    'jobs:x:needs:need job should be a string',
  ]);
  t.deepEqual(readJobErrors({ needs: [{ job: 'a', parallel: 2 }] }), [
    'jobs:x:needs:need:parallel config cannot use "parallel: <number>".',
  ]);
  const text = 'others, but you have listed';
  const names = Array.from({ length: 51 }, (_, index) => `j${index}`);
  const advice = 'See needs keyword documentation for more details';
  t.deepEqual(readJobErrors({ needs: names }), [`x: one job can only need 50 ${text} 51. ${advice}`]);
  t.deepEqual(readJobErrors({ needs: ['a', 'b'] }, { needsLimit: 1 }), [
    `x: one job can only need 1 ${text} 2. ${advice}`,
  ]);
});

test('artifacts', (t) => {
  const artifacts = { paths: ['a'], expire_in: 'never', public: false, reports: { dotenv: 'e', junit: ['a', 'b'] } };
  t.like(readJobX({ artifacts }).artifacts, {
    paths: ['a'],
    exclude: [],
    untracked: false,
    when: 'on_success',
    expire_in: 'never',
    access: 'developer',
    reports: { dotenv: ['e'], junit: ['a', 'b'] },
  });
  const reports = { coverage_report: { coverage_format: 'cobertura', path: 'c' } };
  t.deepEqual(readJobX({ artifacts: { reports } }).artifacts?.reports, { coverage_report: ['c'] });
  const samples: [Hash, string][] = [
    [{ x: 1, y: 2 }, ' config contains unknown keys: x, y'],
    [{ name: 1 }, ' name should be a string'],
    [{ when: 1 }, ' when should be one of: on_success, on_failure, always'],
    [{ expire_in: '7 elephants' }, ' expire in should be a duration'],
    [{ untracked: 'a' }, ' untracked should be a boolean value'],
    [{ paths: 'a' }, ' paths should be an array of strings'],
    [{ access: 'some' }, ' access should be one of: none, developer, maintainer, all'],
    [{ public: true, access: 'all' }, ' config these keys cannot be used together: public, access'],
    [{ expose_as: 'a' }, " paths can't be blank"],
    [{ expose_as: 'a', paths: ['*'] }, " paths can't contain '*' when used with 'expose_as'"],
    [{ expose_as: '?', paths: ['a'] }, " expose as can contain only letters, digits, '-', '_' and spaces"],
    [{ reports: 'a' }, ':reports config should be a hash'],
    [{ reports: { foo: 'a' } }, ':reports config contains unknown keys: foo'],
    [{ reports: { junit: 1 } }, ':reports junit should be an array of strings or a string'],
  ];
  for (const [value, text] of samples) t.deepEqual(readJobErrors({ artifacts: value }), [`jobs:x:artifacts${text}`]);
});

test('caches', (t) => {
  const common = { paths: [], untracked: false, when: 'on_success' as const, unprotect: false, fallback_keys: [] };
  t.deepEqual(readJobX({ cache: [{ key: { files: ['/a'], prefix: 'p' } }, { key: 'k', policy: '$P' }] }).cache, [
    { ...common, key: { files: ['a'], prefix: 'p' }, policy: 'pull-push' },
    { ...common, key: 'k', policy: '$P' },
  ]);
  t.is(readJobX({ cache: {} }).cache[0]!.key, 'default');
  const samples: [Value, string][] = [
    [[{}, {}, {}, {}, {}], ' config no more than 4 caches can be created'],
    [{ x: 1 }, ' config contains unknown keys: x'],
    [{ key: 1 }, ':key should be a hash, a string or a symbol'],
    [{ key: 'a/b' }, ':key config cannot contain the "/" character'],
    [{ key: '%2E' }, ':key config cannot be "." or ".."'],
    [{ key: { prefix: 'a' } }, ':key config missing required keys: files'],
    [{ key: { files: [1] } }, ':key:files config should be an array of strings'],
    [{ key: { files: [] } }, ':key:files config requires at least 1 item'],
    [{ key: { files: ['a', 'b', 'c'] } }, ':key:files config has too many items (maximum is 2)'],
    [{ key: { files: ['a'], prefix: 1 } }, ':key:prefix config should be a string or symbol'],
    [{ untracked: 'a' }, ':untracked config should be a boolean value'],
    [{ unprotect: 'a' }, ':unprotect config should be a boolean value'],
    [{ paths: 'a' }, ':paths config should be an array of strings'],
    [{ policy: 'a' }, ' policy should be a variable or one of: pull-push, push, pull'],
    [{ when: 'a' }, ' when should be one of: on_success, on_failure, always'],
    [{ fallback_keys: ['1', '2', '3', '4', '5', '6'] }, ' fallback keys has to many entries (maximum 5)'],
  ];
  for (const [cache, text] of samples) t.deepEqual(readJobErrors({ cache }), [`jobs:x:cache${text}`]);
});

test('environments', (t) => {
  const name = 'review/$CI_COMMIT_REF_SLUG';
  t.like(readJobX({ environment: name }).environment, { name, action: 'start' });
  const full = { name, url: 'u', auto_stop_in: '$T', on_stop: 'b', deployment_tier: 'other' };
  t.deepEqual(readJobX({ environment: full }).environment, { ...full, action: 'start' });
  const letters =
    "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, " +
    "but it cannot start or end with '/'";
  const samples: [Value, string][] = [
    [{}, " name can't be blank"],
    ['a/', ` name ${letters}`],
    [{ name: 'a?' }, ` name ${letters}`],
    [{ name: 'a', x: 1 }, ' config contains unknown keys: x'],
    [{ name: 'a', url: 1 }, ' url should be a string'],
    [{ name: 'a', url: 'u'.repeat(256) }, ' url is too long (maximum is 255 characters)'],
    [{ name: 'a', action: 'b' }, ' action should be start, stop, prepare, verify, or access'],
    [{ name: 'a', on_stop: 1 }, ' on stop should be a string'],
    [{ name: 'a', auto_stop_in: 'b' }, ' auto stop in should be a duration'],
    [
      { name: 'a', deployment_tier: 'b' },
      ' deployment tier must be one of production, staging, testing, development, other',
    ],
    [{ name: 'a', kubernetes: 'b' }, ' kubernetes should be a hash'],
  ];
  for (const [environment, text] of samples) t.deepEqual(readJobErrors({ environment }), [`jobs:x:environment${text}`]);
});

test('coverage and resource_group', (t) => {
  t.is(readJobX({ coverage: '/a\\d+/' }).coverage, 'a\\d+');
  t.is(readJobX({ coverage: '/a/i' }).coverage, '(?i)a');
  t.deepEqual(readJobErrors({ coverage: '/(?=a)/', resource_group: 'a'.repeat(256) }), [
    'jobs:x:coverage config must be a regular expression with re2 syntax',
    'jobs:x resource group is too long (maximum is 255 characters)',
  ]);
});
