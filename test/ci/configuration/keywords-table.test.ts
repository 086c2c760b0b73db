import test from 'ava';
import type { Hash, Value } from '../../../shared/ci/configuration-model/configuration.types.js';
import { KEYWORDS, listKeywords } from '../../../shared/ci/configuration/keywords.js';
import type { KeywordName } from '../../../shared/ci/configuration/keywords.js';
import { readErrors, readJobErrors, readWarnings } from './keywords.steps.js';

const COMMANDS = 'should be a string or a nested array of strings up to 10 levels deep';

/** For each keyword of a job a good value, a wrong one and its error; keywords without a wrong value take anything. */
const SAMPLES: Partial<Record<KeywordName, [good: Value, wrong?: Value, error?: string]>> = {
  variables: [{ A: 'b', C: 1 }, 'x', 'jobs:x:variables config should be a hash'],
  extends: ['.a'],
  inherit: [{ default: false, variables: ['A'] }, 1, 'jobs:x:inherit config should be a hash'],
  script: [['a', ['b']], 1, `jobs:x:script config ${COMMANDS}`],
  before_script: ['a', { a: 1 }, `jobs:x:before_script config ${COMMANDS}`],
  after_script: ['a', [1], `jobs:x:after_script config ${COMMANDS}`],
  hooks: [{ pre_get_sources_script: 'a' }, { a: 1 }, 'jobs:x:hooks config contains unknown keys: a'],
  stage: ['test', 1, 'jobs:x:stage config should be a string'],
  needs: [[], 'y', 'jobs:x:needs config can only be a hash or an array'],
  dependencies: [['y'], 'y', 'jobs:x dependencies should be an array of strings'],
  rules: [[{ when: 'never' }], 'a', 'jobs:x rules should be an array containing hashes and arrays of hashes'],
  when: ['always', 1, 'jobs:x when should be one of: on_success, on_failure, always, manual, delayed'],
  allow_failure: [true, 'a', 'jobs:x allow failure should be a hash or a boolean value'],
  only: [['main'], 'main', 'jobs:x:only has to be either an array of conditions or a hash'],
  except: [{ refs: ['main'] }, 1, 'jobs:x:except has to be either an array of conditions or a hash'],
  tags: [['a'], 'mysql', 'jobs:x:tags config should be an array of strings'],
  retry: [2, 'a', 'jobs:x:retry config has to be either an integer or a hash'],
  timeout: ['1h 30m', 3600, 'jobs:x:timeout config should be a duration'],
  parallel: [5, 'a', 'jobs:x:parallel should be an integer or a hash'],
  image: ['ruby', ['ruby'], 'jobs:x:image config should be a hash or a string'],
  services: [['db'], 'db', 'jobs:x:services config should be an array'],
  artifacts: [{ paths: ['a'] }, 'a', 'jobs:x:artifacts config should be a hash'],
  cache: [{ paths: ['a'] }, 'a', 'jobs:x:cache config can only be a hash or an array'],
  interruptible: [true, 'yes', 'jobs:x:interruptible config should be a boolean value'],
  resource_group: ['a', 1, 'jobs:x resource group should be a string'],
  coverage: ['/a/', 'a', 'jobs:x:coverage config must be a regular expression with re2 syntax'],
  environment: ['production', 1, 'jobs:x:environment config should be a hash or a string'],
  pages: [{ path_prefix: 'a' }, 'a', 'jobs:x:pages config should be a hash or a boolean value'],
  manual_confirmation: ['Sure?', 1, 'jobs:x manual confirmation should be a string'],
  dast_configuration: [{ site_profile: 'a' }, 'a', 'jobs:x:dast_configuration config should be a hash'],
  identity: ['google_cloud', 'a', 'jobs:x identity should be one of: google_cloud'],
  publish: ['public', 1, 'jobs:x:publish config should be a string'],
  inputs: [{ a: 1 }, 'a', 'jobs:x:inputs config should be a hash'],
};

const REJECTED = ['trigger', 'run', 'release', 'secrets', 'id_tokens'];

test('every keyword of a job has a sample or is refused', (t) => {
  const sampled = [...Object.keys(SAMPLES), 'start_in', ...REJECTED];
  t.deepEqual(listKeywords('job').sort(), sampled.sort());
});

for (const [name, [good, wrong, error]] of Object.entries(SAMPLES)) {
  test(`${name}: a good value is taken, with a warning if it does nothing`, (t) => {
    const { support } = KEYWORDS[name as KeywordName];
    const content: Hash = { x: { script: 'true', [name]: good }, y: { script: 'true' } };
    const expected: Record<string, string[]> = {
      accepted: [`jobs:x:${name} is accepted and has no effect in this service`],
      pending: [`jobs:x:${name} is read and checked, but this service does not obey it yet`],
    };
    t.deepEqual(readWarnings(content), expected[support] ?? []);
  });
  if (wrong === undefined) continue;
  test(`${name}: a wrong value is refused`, (t) => {
    t.deepEqual(readJobErrors({ [name]: wrong }), [error]);
  });
}

for (const name of REJECTED) {
  test(`${name}: is not supported, with a script or without`, (t) => {
    t.deepEqual(readJobErrors({ [name]: 'a/b' }), [`jobs:x:${name} is not supported by this service`]);
  });
}

test('a job with trigger or run alone is told that these are not supported', (t) => {
  t.deepEqual(readErrors({ a: { trigger: 'x/y' } }), ['jobs:a:trigger is not supported by this service']);
  t.deepEqual(readErrors({ a: { run: [] } }), ['jobs:a:run is not supported by this service']);
});

test('a blank value is as good as none', (t) => {
  for (const name of listKeywords('job')) if (name !== 'script') t.deepEqual(readJobErrors({ [name]: null }), [], name);
});

for (const name of listKeywords('default')) {
  const keyword = KEYWORDS[name as KeywordName];
  test(`default:${name}`, (t) => {
    const [good, wrong, error] = SAMPLES[name as KeywordName] ?? ['a', 'a'];
    const refused = [`default:${name} is not supported by this service`];
    const isRejected = keyword.support === 'refused' || name === 'identity';
    t.deepEqual(readErrors({ default: { [name]: good }, x: { script: 'true' } }), isRejected ? refused : []);
    const message = error?.replace('jobs:x', 'default') ?? '';
    t.deepEqual(readErrors({ default: { [name]: wrong! }, x: { script: 'true' } }), isRejected ? refused : [message]);
  });
}

test('older keywords at the top of the file are checked like defaults', (t) => {
  const globals = { image: ['a'], services: 1, cache: 'a', before_script: 1, after_script: [1] };
  const errors = readErrors({ ...globals, x: { script: 'a' } });
  t.deepEqual(errors, [
    'image config should be a hash or a string',
    'services config should be an array',
    'cache config can only be a hash or an array',
    `before_script config ${COMMANDS}`,
    `after_script config ${COMMANDS}`,
  ]);
});

test('default holds only what jobs can inherit', (t) => {
  t.deepEqual(readErrors({ default: { script: 'a', foo: 1 }, x: { script: 'a' } }), [
    'default config contains unknown keys: script, foo',
  ]);
  t.deepEqual(readErrors({ default: 'a', x: { script: 'a' } }), ['default config should be a hash']);
});
