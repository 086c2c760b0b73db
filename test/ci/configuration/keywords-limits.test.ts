import test from 'ava';
import type { Hash, Value } from '../../../shared/ci/configuration-model/configuration.types.js';
import { readPipelineConfig } from '../../../shared/ci/configuration/read-pipeline-config.js';
import { readErrors, readWarnings } from './keywords.steps.js';

test('2,000 jobs are read', (t) => {
  const before = Array.from({ length: 20 }, (_, index) => `echo ${index}`);
  const names = Array.from({ length: 2000 }, (_, index) => `job ${index}`);
  const job = { script: ['make', before], before_script: before, rules: [{ if: '$A == "b"' }], variables: { A: 'b' } };
  const content: Hash = Object.fromEntries(names.map((name) => [name, { ...job }]));
  t.is(readPipelineConfig(content).jobs.length, 2000);
});

test('lists that aliases make endless are refused', (t) => {
  let list: Value = Array.from({ length: 9 }, () => 'a');
  for (let level = 0; level < 9; level++) list = Array.from({ length: 9 }, () => list);
  t.deepEqual(readErrors({ x: { script: list } }), ['The parsed YAML is too big']);
});

test('many jobs that share one large hash of variables are refused', (t) => {
  const variables = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`V${index}`, 'a']));
  const job = { script: 'a', variables };
  const jobs = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`j${index}`, job]));
  t.deepEqual(readErrors(jobs), ['The parsed YAML is too big']);
});

test('long lists of unknown keys are cut', (t) => {
  const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key ${index}`, 1]));
  const [message, ...others] = readErrors({ x: { script: 'a', ...keys } });
  t.deepEqual([message!.length, others.length], [2001, 0]);
});

test('at most 100 warnings are listed', (t) => {
  const job = { script: 'a', publish: 'p' };
  const jobs = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`j${index}`, job]));
  t.is(readWarnings(jobs).length, 100);
});

test('whatever stands in a keyword, the result is a configuration or a list of errors', (t) => {
  let seed = 7;
  const pick = <T>(list: readonly T[]): T => list[(seed = (seed * 48_271) % 2_147_483_647) % list.length]!;
  const words = `script image rules needs cache retry parallel only artifacts environment variables services hooks
    allow_failure inherit pages name key matrix paths when if`;
  const names = words.split(/\s+/);
  const make = (depth: number): Value => {
    const kind = pick(depth > 3 ? ['scalar'] : ['scalar', 'list', 'hash']);
    if (kind === 'list') return [make(depth + 1), make(depth + 1)];
    if (kind === 'hash') return { [pick(names)]: make(depth + 1), [pick(names)]: make(depth + 1) };
    return pick([null, true, 0, 1.5, -1, '', 'a', '$A', '/a/', 'always', '1 day']);
  };
  for (let round = 0; round < 3000; round++) {
    const job: Hash = { script: 'a' };
    for (let count = 0; count < 3; count++) job[pick(names)] = make(0);
    t.true(Array.isArray(readErrors({ x: job, default: make(0), workflow: make(1), variables: make(1) })));
  }
});
