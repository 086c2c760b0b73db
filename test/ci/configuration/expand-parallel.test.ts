import test from 'ava';
import {
  ConfigurationError,
  type JobConfig,
  type NeedConfig,
} from '../../../shared/ci/configuration-model/configuration.types.js';
import { expandParallel } from '../../../shared/ci/configuration/expand-parallel.js';
import { buildJobConfig } from '../job-definition-sample.js';

const buildJob = (name: string, values: Partial<JobConfig> = {}): JobConfig => buildJobConfig({ name, ...values });
const need = (job: string, values: Partial<NeedConfig> = {}): NeedConfig => ({
  job,
  artifacts: true,
  optional: false,
  ...values,
});
const list = (count: number, name = 'v') => Array.from({ length: count }, (_, index) => `${name}${index}`);

function listMessages(jobs: JobConfig[]): string[] {
  try {
    expandParallel(jobs);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ message }) => message);
    throw error;
  }
  return [];
}

test('a job without parallel stays one, and is its own base', (t) => {
  const job = buildJob('a', { variables: { A: { value: '1', expand: true } } });
  t.deepEqual(expandParallel([job]), [{ ...job, base_name: 'a', node: null, matrix_variables: {} }]);
});

test('a number makes numbered parts that know which they are', (t) => {
  const own = { CI_NODE_TOTAL: { value: 'own', expand: true }, A: { value: '1', expand: true } };
  const jobs = expandParallel([buildJob('x', { parallel: 3, variables: own })]);
  t.deepEqual(
    jobs.map(({ name }) => name),
    ['x 1/3', 'x 2/3', 'x 3/3'],
  );
  t.deepEqual(
    jobs.map(({ base_name, node }) => [base_name, node]),
    [
      ['x', { index: 1, total: 3 }],
      ['x', { index: 2, total: 3 }],
      ['x', { index: 3, total: 3 }],
    ],
  );
  t.deepEqual({ ...jobs[1]?.variables }, { CI_NODE_INDEX: { value: '2', expand: false }, ...own });
  t.is(expandParallel([buildJob('y', { parallel: 1 })])[0]?.name, 'y 1/1');
});

test('a matrix makes a part of each combination, the last variable changing fastest', (t) => {
  const matrix = [
    { X: ['a', 'b'], Y: ['1'] },
    { X: ['c'], Y: ['2', '3'] },
  ];
  const variables = { X: { value: 'own', expand: false } };
  const jobs = expandParallel([buildJob('j', { parallel: { matrix }, variables })]);
  t.deepEqual(
    jobs.map(({ name }) => name),
    ['j: [a, 1]', 'j: [b, 1]', 'j: [c, 2]', 'j: [c, 3]'],
  );
  t.deepEqual({ ...jobs[3]?.matrix_variables }, { X: 'c', Y: '3' });
  t.deepEqual(
    { ...jobs[3]?.variables },
    {
      CI_NODE_INDEX: { value: '4', expand: false },
      CI_NODE_TOTAL: { value: '4', expand: false },
      X: { value: 'c', expand: true },
      Y: { value: '3', expand: true },
    },
  );
});

test('a matrix variable may have any name', (t) => {
  const matrix = [JSON.parse('{"__proto__": ["a"], "constructor": ["b"]}') as Record<string, string[]>];
  const [job] = expandParallel([buildJob('j', { parallel: { matrix } })]);
  t.is(job?.name, 'j: [a, b]');
  t.is(JSON.stringify(job?.matrix_variables), '{"__proto__":"a","constructor":"b"}');
});

test('what needs a parallel job needs all of its parts', (t) => {
  const jobs = expandParallel([
    buildJob('x', { parallel: 2 }),
    buildJob('a', {
      needs: [need('x', { artifacts: false }), need('b'), need('x 1/2', { optional: true }), need('gone')],
      dependencies: ['x', 'b'],
      rules: [{ if: '$A' }, { needs: [need('x', { optional: true })] }],
    }),
    buildJob('b', { parallel: { matrix: [{ V: ['1', '2'] }] }, needs: [] }),
  ]);
  const job = jobs.find(({ name }) => name === 'a');
  t.deepEqual(job?.needs, [
    need('x 1/2', { artifacts: false }),
    need('x 2/2', { artifacts: false }),
    need('b: [1]'),
    need('b: [2]'),
    need('x 1/2', { optional: true }),
    need('gone'),
  ]);
  t.deepEqual(job?.dependencies, ['x 1/2', 'x 2/2', 'b: [1]', 'b: [2]']);
  t.deepEqual(job?.rules, [
    { if: '$A' },
    { needs: [need('x 1/2', { optional: true }), need('x 2/2', { optional: true })] },
  ]);
  t.deepEqual(jobs.at(-1)?.needs, []);
});

test('needs:parallel:matrix chooses parts, in whichever order its variables are', (t) => {
  const choose = (matrix: Record<string, string[]>[], job = 'b') => {
    const jobs = [
      buildJob('b', { parallel: { matrix: [{ X: ['1', '2'], Y: ['3', '4'] }] } }),
      buildJob('c', { parallel: 2 }),
      buildJob('a', { needs: [need(job, { matrix })] }),
    ];
    return expandParallel(jobs)
      .at(-1)
      ?.needs?.map((chosen) => chosen.job);
  };
  t.deepEqual(
    choose([
      { X: ['1'], Y: ['3', '4'] },
      { Y: ['4'], X: ['2'] },
    ]),
    ['b: [1, 3]', 'b: [1, 4]', 'b: [2, 4]'],
  );
  t.deepEqual(choose([{ X: ['1'] }, { X: ['1'], Y: ['5'] }]), ['b: [1]', 'b: [1, 5]']);
  t.deepEqual(choose([{ X: ['1'] }], 'c'), ['c: [1]']);
});

test('more than 200 parts of a job are refused, however many variables there are', (t) => {
  t.is(expandParallel([buildJob('x', { parallel: 200 })]).length, 200);
  t.is(expandParallel([buildJob('x', { parallel: { matrix: [{ A: list(10), B: list(20) }] } })]).length, 200);
  const many = Object.fromEntries(list(300, 'K').map((name) => [name, list(50)]));
  const wide = [{ X: list(201) }];
  const jobs = [
    buildJob('x', { parallel: 201 }),
    buildJob('y', { parallel: { matrix: [{ A: list(100) }, { A: list(101) }] } }),
    buildJob('z', { parallel: { matrix: [many] } }),
  ];
  t.deepEqual(listMessages(jobs), [
    'jobs:x:parallel config must be less than or equal to 200',
    'jobs:y:parallel:matrix config generates too many jobs (maximum is 200)',
    'jobs:z:parallel:matrix config generates too many jobs (maximum is 200)',
  ]);
  t.deepEqual(listMessages([buildJob('a', { needs: [need('b', { matrix: wide })] })]), [
    'jobs:a:needs:need:parallel:matrix config generates too many jobs (maximum is 200)',
  ]);
  t.deepEqual(expandParallel([buildJob('x', { parallel: { matrix: [{ ...many, Z: [] }] } })]), []);
});

test('names that are too long, too many jobs and too many needs are refused', (t) => {
  const long = buildJob('x', { parallel: { matrix: [{ A: ['a'.repeat(255)] }] } });
  t.deepEqual(listMessages([long]), ['jobs:x:parallel name is too long (maximum is 255 characters)']);
  const jobs = list(101, 'j').map((name) => buildJob(name, { parallel: 200 }));
  t.deepEqual(listMessages(jobs), ['The number of jobs has exceeded the limit of 20000.']);
  const needs = list(50, 'j').map((name) => need(name));
  const all = [...jobs.slice(0, 50), buildJob('last', { parallel: 51, needs })];
  t.deepEqual(listMessages(all), ['The jobs have too many needs (maximum is 500000).']);
});

test('of two jobs with one name the later one stays', (t) => {
  const jobs = expandParallel([
    buildJob('x', { parallel: 2 }),
    buildJob('x 1/2', { stage: 'deploy' }),
    buildJob('y', { parallel: { matrix: [{ A: ['1'] }, { A: ['1'] }] } }),
  ]);
  t.deepEqual(
    jobs.map(({ name, stage }) => [name, stage]),
    [
      ['x 1/2', 'deploy'],
      ['x 2/2', 'test'],
      ['y: [1]', 'test'],
    ],
  );
});
