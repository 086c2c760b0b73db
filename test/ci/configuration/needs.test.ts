import test from 'ava';
import { checkNeeds, checkRemainingNeeds } from '../../../shared/ci/configuration/check-needs.js';
import {
  ConfigurationError,
  type EnvironmentConfig,
  type NeedConfig,
  type RuleConfig,
} from '../../../shared/ci/configuration-model/configuration.types.js';

const STAGES = ['.pre', 'build', 'test', 'deploy', '.post'];

interface Values {
  stage?: string;
  needs?: NeedConfig[];
  dependencies?: string[];
  rules?: RuleConfig[];
  environment?: EnvironmentConfig;
  base_name?: string;
}
const buildJob = (name: string, values: Values = {}) => ({
  name,
  stage: 'test',
  needs: null,
  dependencies: null,
  rules: null,
  environment: null,
  ...values,
});
const need = (job: string, optional = false): NeedConfig => ({ job, artifacts: true, optional });

function listMessages(step: () => void): string[] {
  try {
    step();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ message }) => message);
    throw error;
  }
  return [];
}
const check = (...jobs: ReturnType<typeof buildJob>[]) => listMessages(() => checkNeeds(jobs, STAGES));

test('needs and dependencies may be of the same stage or an earlier one', (t) => {
  const jobs = [
    buildJob('a', { stage: '.pre' }),
    buildJob('b', { stage: 'deploy', needs: [need('a'), need('c'), need('gone', true)], dependencies: ['a', 'c'] }),
    buildJob('c', { stage: 'deploy', needs: [] }),
  ];
  t.deepEqual(check(...jobs), []);
});

test('what is needed or depended on must exist', (t) => {
  const rules = [{ if: '$A' }, { needs: [need('z')] }];
  t.deepEqual(check(buildJob('a', { needs: [need('b')], dependencies: ['c'], rules })), [
    'a job: undefined dependency: c',
    'a job: undefined need: b',
    'a job: undefined need: z',
  ]);
  t.deepEqual(check(buildJob('a', { needs: [need('constructor')], dependencies: ['__proto__'] })), [
    'a job: undefined dependency: __proto__',
    'a job: undefined need: constructor',
  ]);
});

test('what is needed or depended on must not be of a later stage', (t) => {
  const job = buildJob('a', { needs: [need('b'), need('b2', true)], dependencies: ['b'] });
  const later = { stage: 'deploy' };
  t.deepEqual(check(job, buildJob('b', later), buildJob('b2', later)), [
    'a job: dependency b is not defined in current or prior stages',
    'a job: need b is not defined in current or prior stages',
    'a job: need b2 is not defined in current or prior stages',
  ]);
});

test('a need that is listed more than once is an error', (t) => {
  const needs = ['b', 'c', 'b', 'c', 'b', 'd'].map((name) => need(name));
  t.deepEqual(check(buildJob('a', { needs }), buildJob('b'), buildJob('c'), buildJob('d')), [
    'a has the following needs duplicated: b, c.',
  ]);
});

test('jobs that need one another in a circle, or themselves, are an error', (t) => {
  const circle = 'The pipeline has circular dependencies';
  t.deepEqual(check(buildJob('a', { needs: [need('b')] }), buildJob('b', { needs: [need('a')] })), [circle]);
  t.deepEqual(check(buildJob('a', { needs: [need('a')] })), [circle]);
  const diamond = [
    buildJob('a'),
    buildJob('b', { needs: [need('a')] }),
    buildJob('c', { needs: [need('a')] }),
    buildJob('d', { needs: [need('b'), need('c')] }),
  ];
  t.deepEqual(check(...diamond), []);
  t.deepEqual(check(...diamond, buildJob('e', { needs: [need('f', true)] }), buildJob('f', { needs: [need('e')] })), [
    circle,
  ]);
});

test('a chain of 20,000 needs is checked without recursion', (t) => {
  const jobs = Array.from({ length: 20_000 }, (_, index) => buildJob(`j${index}`, { needs: [need(`j${index + 1}`)] }));
  t.deepEqual(check(...jobs, buildJob('j20000')), []);
  t.deepEqual(check(...jobs, buildJob('j20000', { needs: [need('j0')] })), ['The pipeline has circular dependencies']);
});

test('circles are found as a slow walk finds them', (t) => {
  let seed = 7;
  const random = (limit: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * limit);
  };
  for (let round = 0; round < 300; round++) {
    const names = Array.from({ length: 2 + random(6) }, (_, index) => `j${index}`);
    const choose = () => names.filter(() => random(5) === 0).map((name) => need(name));
    const jobs = names.map((name) => buildJob(name, { needs: choose() }));
    const reaches = (from: string, to: string, requests = new Set<string>()): boolean =>
      (jobs.find(({ name }) => name === from)?.needs ?? []).some(({ job }: NeedConfig) => {
        if (job === to) return true;
        if (requests.has(job)) return false;
        requests.add(job);
        return reaches(job, to, requests);
      });
    const isCircular = names.some((name) => reaches(name, name));
    t.is(check(...jobs).length, isCircular ? 1 : 0);
  }
});

test('the job that stops an environment must exist and be one that does', (t) => {
  const start = (on_stop: string) => ({ environment: { name: 'e', action: 'start' as const, on_stop } });
  const jobs = [
    buildJob('a', start('gone')),
    buildJob('b', start('plain')),
    buildJob('c', start('other')),
    buildJob('d', start('starts')),
    buildJob('e', start('stops')),
    buildJob('plain'),
    buildJob('other', { environment: { name: 'f', action: 'stop' } }),
    buildJob('starts', { environment: { name: 'e', action: 'start' } }),
    buildJob('stops', { environment: { name: 'e', action: 'stop' } }),
  ];
  t.deepEqual(check(...jobs), [
    'a job: on_stop job gone is not defined',
    'b job: on_stop job plain does not have environment defined',
    'c job: on_stop job other have different environment name',
    'd job: on_stop job starts needs to have action stop defined',
  ]);
});

test('problems name the first part of a job only, and at most 100 of them are listed', (t) => {
  const part = (name: string) => buildJob(name, { base_name: 'x', needs: [need('y')] });
  t.deepEqual(check(part('x 1/2'), part('x 2/2')), ['x 1/2 job: undefined need: y']);
  const jobs = Array.from({ length: 200 }, (_, index) => buildJob(`j${index}`, { needs: [need('y')] }));
  t.is(check(...jobs).length, 100);
});

test('after rules, what is needed must still be there unless it is optional', (t) => {
  const jobs = [
    { name: 'a', needs: [need('b'), need('c', true), need('d')] },
    { name: 'd', needs: null },
  ];
  t.deepEqual(
    listMessages(() => checkRemainingNeeds(jobs)),
    [
      "'a' job needs 'b' job, but 'b' does not exist in the pipeline. This might be because of the only, except, or " +
        'rules keywords. To need a job that sometimes does not exist in the pipeline, use needs:optional.',
    ],
  );
  t.deepEqual(
    listMessages(() => checkRemainingNeeds([{ name: 'a', needs: [need('c', true)] }])),
    [],
  );
});

test('after rules, a job may need 50 others and none in a circle', (t) => {
  const others = Array.from({ length: 51 }, (_, index) => ({ name: `o${index}`, needs: null }));
  const needs = others.map(({ name }) => need(name));
  t.deepEqual(
    listMessages(() => checkRemainingNeeds([...others, { name: 'a', needs: needs.slice(1) }])),
    [],
  );
  t.deepEqual(
    listMessages(() => checkRemainingNeeds([...others, { name: 'a', needs }])),
    ['a: one job can only need 50 others, but you have listed 51. See needs keyword documentation for more details'],
  );
  t.deepEqual(
    listMessages(() => checkRemainingNeeds([...others, { name: 'a', needs }], 51)),
    [],
  );
  const circle = [
    { name: 'a', needs: [need('b')] },
    { name: 'b', needs: [need('a', true)] },
  ];
  t.deepEqual(
    listMessages(() => checkRemainingNeeds(circle)),
    ['The pipeline has circular dependencies'],
  );
});
