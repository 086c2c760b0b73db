import test from 'ava';
import type { RefPolicy } from '../../../shared/ci/configuration-model/configuration.types.js';
import { evaluateOnlyExcept } from '../../../shared/ci/rules/evaluate-only-except.js';
import { checkRef } from '../../../shared/ci/rules/match-refs.js';
import { RuleError } from '../../../shared/ci/rules/rule-errors.js';
import type { PolicyContext } from '../../../shared/ci/rules/rules.types.js';

interface Setup extends Partial<Omit<PolicyContext, 'lookup'>> {
  values?: Record<string, string>;
  changed?: string[] | null;
}

const MERGE_REQUEST: Setup = { source: 'merge_request_event', ref: 'refs/merge-requests/1/head' };

async function evaluate(only: RefPolicy | null, except: RefPolicy | null, setup: Setup = {}) {
  const { values = {}, changed = null, ...rest } = setup;
  return evaluateOnlyExcept(only, except, {
    job: 'x',
    ref: 'main',
    isTag: false,
    source: 'push',
    projectPath: 'group/project',
    lookup: (name) => (Object.hasOwn(values, name) ? values[name] : undefined),
    changedPaths: async () => changed,
    ...rest,
  });
}

async function isIncluded(only: RefPolicy | null, except: RefPolicy | null, setup: Setup = {}): Promise<boolean> {
  return (await evaluate(only, except, setup)).included;
}

async function fitsRef(ref: string, setup: Setup = {}): Promise<boolean> {
  const [only, except] = [
    await isIncluded({ refs: [ref] }, null, setup),
    await isIncluded(null, { refs: [ref] }, setup),
  ];
  if (setup.source !== 'merge_request_event' && only === except) throw new Error('only and except disagree');
  return only;
}

test('without conditions a job is for branches and tags', async (t) => {
  t.true(await isIncluded(null, null));
  t.true(await isIncluded(null, null, { isTag: true, ref: 'v1' }));
  t.false(await isIncluded(null, null, MERGE_REQUEST));
  t.false(await isIncluded(null, { refs: ['main'] }, MERGE_REQUEST));
  t.false(await isIncluded({ variables: ['$A'] }, null, { ...MERGE_REQUEST, values: { A: '1' } }));
  t.true(await isIncluded(null, null, { ...MERGE_REQUEST, workflowRules: true }));
});

test('keywords for kinds of refs and pipelines', async (t) => {
  t.true(await fitsRef('branches'));
  t.false(await fitsRef('tags'));
  t.true(await fitsRef('tags', { isTag: true }));
  t.false(await fitsRef('branches', { isTag: true }));
  t.false(await fitsRef('branches', MERGE_REQUEST));
  t.true(await fitsRef('merge_requests', MERGE_REQUEST));
  const sources = {
    schedules: 'schedule',
    pushes: 'push',
    api: 'api',
    web: 'web',
    triggers: 'trigger',
    pipelines: 'pipeline',
    external: 'external',
    chat: 'chat',
    external_pull_requests: 'external_pull_request_event',
  };
  for (const [keyword, source] of Object.entries(sources)) {
    t.true(await fitsRef(keyword, { source }), keyword);
    t.false(await fitsRef(keyword, { source: 'other' }), keyword);
  }
  t.true(await fitsRef('api', { ref: 'api', source: 'web' }));
});

test('names are exact, patterns are searched for', async (t) => {
  t.true(await fitsRef('main'));
  t.false(await fitsRef('mai'));
  t.false(await fitsRef('m*'));
  t.true(await fitsRef('/^ma/'));
  t.false(await fitsRef('/^MA/'));
  t.true(await fitsRef('/^MA/i'));
  t.true(await fitsRef('/^a/b$/', { ref: 'a/b' }));
  t.false(await fitsRef('a@b', { ref: 'a@b' }));
});

test('a path means one project only', async (t) => {
  t.true(await fitsRef('main@group/project'));
  t.false(await fitsRef('main@group/fork'));
  t.true(await fitsRef('branches@group/project'));
  t.true(await fitsRef('/^MAIN$/i@group/project'));
  t.false(await fitsRef('/^main$/@group/fork'));
  t.true(await fitsRef('/^main$/@group/s', { projectPath: 'group/s' }));
  t.true(await fitsRef('/^a@b$/', { ref: 'a@b' }));
});

test('every key of only must hold, and none of except', async (t) => {
  const only: RefPolicy = { refs: ['main'], variables: ['$A', '$B'], changes: ['src/*'] };
  const setup: Setup = { values: { B: '1' }, changed: ['src/a'] };
  t.true(await isIncluded(only, null, setup));
  t.false(await isIncluded(only, null, { ...setup, ref: 'dev' }));
  t.false(await isIncluded(only, null, { ...setup, values: {} }));
  t.false(await isIncluded(only, null, { ...setup, changed: ['a'] }));
  t.true(await isIncluded(only, null, { ...setup, changed: null }));
  const except: RefPolicy = { refs: ['dev'], variables: ['$A'], changes: ['docs/*'] };
  t.true(await isIncluded(null, except, setup));
  t.false(await isIncluded(null, except, { ...setup, ref: 'dev' }));
  t.false(await isIncluded(null, except, { ...setup, values: { A: '1' } }));
  t.false(await isIncluded(null, except, { ...setup, changed: ['docs/a'] }));
  t.false(await isIncluded(null, except, { ...setup, changed: null }));
  t.false(await isIncluded({ refs: ['main'] }, { refs: ['branches'] }, setup));
  t.false(await isIncluded({ refs: [] }, null, setup));
  t.false(await isIncluded({ kubernetes: 'active' }, null, setup));
  t.true(await isIncluded(null, { kubernetes: 'active' }, setup));
});

test('variables in paths of changes are expanded', async (t) => {
  t.true(await isIncluded({ changes: ['$D/*'] }, null, { values: { D: 'src' }, changed: ['src/a'] }));
});

test('the explanation has an entry for each key', async (t) => {
  const outcome = await evaluate(
    { refs: ['tags', 'main'] },
    { variables: ['$A == "1"'], changes: ['*'] },
    { values: { A: '1' } },
  );
  t.deepEqual(outcome, {
    included: false,
    explanation: [
      {
        index: 0,
        clause: 'only:refs: tags, main',
        result: 'match',
        because: [
          { part: 'tags', operands: [{ name: 'CI_COMMIT_REF_NAME', value: 'main' }], result: false },
          { part: 'main', operands: [{ name: 'CI_COMMIT_REF_NAME', value: 'main' }], result: true },
        ],
      },
      {
        index: 1,
        clause: 'except:variables: $A == "1"',
        result: 'match',
        because: [{ part: '$A == "1"', operands: [{ name: 'A', value: '1' }], result: true }],
      },
      { index: 2, clause: 'except:changes: *', result: 'not_reached', because: [] },
    ],
  });
});

test('a long list of refs is explained by the first of them and the one that matches', async (t) => {
  const refs = Array.from({ length: 5_000 }, (_, index) => `r${index}`);
  t.is((await evaluate({ refs }, null)).explanation[0]!.because.length, 20);
  const { explanation } = await evaluate({ refs: [...refs, 'main'] }, null);
  t.is(explanation[0]!.because.length, 20);
  t.is(explanation[0]!.because.at(-1)!.part, 'main');
});

test('errors name the job and the keyword', async (t) => {
  const invalid = await t.throwsAsync(evaluate({ variables: ['$A =='] }, null), { instanceOf: RuleError });
  t.is(invalid?.message, 'jobs:x:only variables invalid expression syntax');
  const except = await t.throwsAsync(evaluate(null, { variables: ['(', '$A'] }), { instanceOf: RuleError });
  t.is(except?.message, 'jobs:x:except variables invalid expression syntax');
  t.is(except?.explanation.at(-1)?.result, 'error');
  const pattern = await t.throwsAsync(evaluate({ refs: ['/(?=x)/'] }, null), { instanceOf: RuleError });
  t.is(pattern?.message, 'jobs:x:only config should be an array of strings or regular expressions using re2 syntax');
  t.deepEqual(['main', '/x/i', '/(/', '/(?=x)/@g/p', '/'].map(checkRef), [true, true, false, false, true]);
});
