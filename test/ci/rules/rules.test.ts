import test from 'ava';
import type { RuleConfig } from '../../../shared/ci/configuration-model/configuration.types.js';
import { evaluateRules } from '../../../shared/ci/rules/evaluate-rules.js';
import { rejectCompareTo, rejectProject, rejectRef, RuleError } from '../../../shared/ci/rules/rule-errors.js';
import type { RuleContext } from '../../../shared/ci/rules/rules.types.js';

interface Setup extends Partial<Omit<RuleContext, 'lookup'>> {
  values?: Record<string, string>;
  /** null: not known. */
  changed?: string[] | null;
  tree?: string[];
}

function makeContext({ values = {}, changed = [], tree = [], ...rest }: Setup = {}): RuleContext {
  return {
    owner: { kind: 'job', name: 'x' },
    lookup: (name) => (Object.hasOwn(values, name) ? values[name] : undefined),
    changedPaths: async () => changed,
    pathsInTree: async () => tree,
    ...rest,
  };
}

async function findRule(rules: RuleConfig[], setup: Setup = {}): Promise<number | null> {
  return (await evaluateRules(rules, makeContext(setup))).matched;
}

async function catchError(rules: RuleConfig[], setup: Setup = {}): Promise<RuleError> {
  try {
    await evaluateRules(rules, makeContext(setup));
  } catch (error) {
    if (error instanceof RuleError) return error;
    throw error;
  }
  throw new Error('No error was thrown.');
}

test('the first rule that matches decides, and a rule without conditions always matches', async (t) => {
  const rules: RuleConfig[] = [{ if: '$A' }, { if: '$B', when: 'manual' }, { when: 'never' }];
  t.is(await findRule(rules, { values: { B: '1' } }), 1);
  t.is(await findRule(rules), 2);
  t.is(await findRule([{ if: '$A' }]), null);
  t.is(await findRule([]), null);
  const outcome = await evaluateRules(rules, makeContext({ values: { B: '1' } }));
  t.is(outcome.rule, rules[1]!);
});

test('a schedule matches a rule for schedules, and the explanation has the operands', async (t) => {
  const rules: RuleConfig[] = [{ if: '$CI_PIPELINE_SOURCE == "schedule"' }, { when: 'never' }];
  const explain = async (source: string) =>
    (await evaluateRules(rules, makeContext({ values: { CI_PIPELINE_SOURCE: source } }))).explanation;
  const condition = {
    part: '$CI_PIPELINE_SOURCE == "schedule"',
    operands: [{ name: 'CI_PIPELINE_SOURCE', value: 'schedule' }],
    result: true,
  };
  const clause = 'if: $CI_PIPELINE_SOURCE == "schedule"';
  t.deepEqual(await explain('schedule'), [
    { index: 0, clause, result: 'match', because: [condition] },
    { index: 1, clause: 'no condition', result: 'not_reached', because: [] },
  ]);
  t.deepEqual(await explain('push'), [
    {
      index: 0,
      clause,
      result: 'no_match',
      because: [{ ...condition, operands: [{ name: 'CI_PIPELINE_SOURCE', value: 'push' }], result: false }],
    },
    { index: 1, clause: 'no condition', result: 'match', because: [] },
  ]);
});

test('all conditions of a rule must hold', async (t) => {
  const rules: RuleConfig[] = [{ if: '$A', changes: { paths: ['src/**'] }, exists: { paths: ['Dockerfile'] } }];
  const setup = { values: { A: '1' }, changed: ['src/a'], tree: ['Dockerfile'] };
  t.is(await findRule(rules, setup), 0);
  t.is(await findRule(rules, { ...setup, values: {} }), null);
  t.is(await findRule(rules, { ...setup, changed: ['doc/a'] }), null);
  t.is(await findRule(rules, { ...setup, tree: ['docker/Dockerfile'] }), null);
  const { explanation } = await evaluateRules(rules, makeContext(setup));
  t.is(explanation[0]!.clause, 'if: $A, changes: src/**, exists: Dockerfile');
  t.deepEqual(
    explanation[0]!.because.map(({ part }) => part),
    ['$A', 'changes: src/**', 'exists: Dockerfile'],
  );
});

test('changes hold where the changed paths are not known', async (t) => {
  const rules: RuleConfig[] = [{ changes: { paths: ['src/**'] } }];
  t.is(await findRule(rules, { changed: null }), 0);
  t.is(await findRule(rules, { changed: [] }), null);
  const { explanation } = await evaluateRules(rules, makeContext({ changed: null }));
  t.deepEqual(explanation[0]!.because, [
    { part: 'changes: src/**', operands: [], result: true, note: 'the changed paths are not known' },
  ]);
});

test('variables in paths and refs are expanded, unknown ones stay as text', async (t) => {
  const calls: unknown[] = [];
  const setup: Setup = {
    values: { DIR: 'src', BRANCH: 'main', P: 'g/p' },
    changedPaths: async (compareTo) => {
      calls.push(compareTo);
      return ['src/a', '$NONE/x'];
    },
    pathsInTree: async (project, ref) => {
      calls.push([project, ref]);
      return ['src/b'];
    },
  };
  t.is(await findRule([{ changes: { paths: ['$DIR/*'], compare_to: 'refs/heads/$BRANCH' } }], setup), 0);
  t.is(await findRule([{ changes: { paths: ['$NONE/*'] } }], setup), 0);
  t.is(await findRule([{ exists: { paths: ['${DIR}/b'], project: '$P', ref: '$BRANCH' } }], setup), 0);
  t.is(await findRule([{ exists: { paths: ['${DIR}/a'] } }], setup), null);
  t.deepEqual(calls, ['refs/heads/main', undefined, ['g/p', 'main'], [undefined, undefined]]);
  const rules: RuleConfig[] = [{ exists: { paths: ['${DIR}/b'], project: '$P', ref: '$BRANCH' } }];
  const { explanation } = await evaluateRules(rules, makeContext(setup));
  t.deepEqual(explanation[0]!.because, [
    {
      part: 'exists: ${DIR}/b (project: $P, ref: $BRANCH)',
      operands: [
        { name: 'P', value: 'g/p' },
        { name: 'BRANCH', value: 'main' },
        { name: 'DIR', value: 'src' },
      ],
      result: true,
    },
  ]);
});

test('more than 50,000 comparisons match, and say so', async (t) => {
  const tree = Array.from({ length: 50_001 }, (_, index) => `${index}`);
  const { explanation } = await evaluateRules([{ exists: { paths: ['*.md'] } }], makeContext({ tree }));
  t.is(explanation[0]!.result, 'match');
  t.is(explanation[0]!.because[0]!.note, 'more than 50,000 comparisons');
});

test('an invalid expression names the job, the workflow or the include', async (t) => {
  const rules: RuleConfig[] = [{ if: '$A' }, { if: '$A =~ /(?=x)/' }, { when: 'never' }];
  const error = await catchError(rules);
  t.is(error.message, 'jobs:x:rules:rule if invalid expression syntax');
  t.deepEqual(error.problems, [{ message: 'jobs:x:rules:rule if invalid expression syntax' }]);
  t.deepEqual(
    error.explanation.map(({ index, result }) => [index, result]),
    [
      [0, 'no_match'],
      [1, 'error'],
      [2, 'not_reached'],
    ],
  );
  const many: RuleConfig[] = [{ if: `${'!'.repeat(100)}$A` }];
  t.is((await catchError(many)).message, 'jobs:x:rules:rule if invalid expression syntax');
  const workflow = await catchError(many, { owner: { kind: 'workflow' } });
  t.is(workflow.message, 'workflow:rules:rule if invalid expression syntax');
  t.is(
    (await catchError(many, { owner: { kind: 'include' } })).message,
    'include:rules:rule if invalid expression syntax',
  );
});

test('what a rule compares with must be there', async (t) => {
  const reject = (error: Error) => async () => {
    throw error;
  };
  const changes: RuleConfig[] = [{ changes: { paths: ['a'], compare_to: 'nope' } }];
  const noRef = await catchError(changes, { changedPaths: reject(rejectCompareTo()) });
  t.is(noRef.message, 'Failed to parse rule for x: rules:changes:compare_to is not a valid ref');
  t.is(noRef.explanation[0]!.result, 'error');
  const exists: RuleConfig[] = [{ exists: { paths: ['a'], project: 'g/p', ref: 'r' } }];
  t.is(
    (await catchError(exists, { pathsInTree: reject(rejectProject('g/p')) })).message,
    'Failed to parse rule for x: rules:exists:project `g/p` is not a valid project path',
  );
  t.is(
    (await catchError(exists, { pathsInTree: reject(rejectRef('r', 'g/p')) })).message,
    'Failed to parse rule for x: rules:exists:ref `r` is not a valid ref in project `g/p`',
  );
  await t.throwsAsync(findRule(exists, { pathsInTree: reject(new Error('lost')) }), { message: 'lost' });
});

test('an explanation has at most 200 entries, with the one that decides', async (t) => {
  const rules: RuleConfig[] = [...Array.from({ length: 1_000 }, () => ({ if: '$A' })), {}, { if: '$B' }];
  const { matched, explanation } = await evaluateRules(rules, makeContext());
  t.is(matched, 1_000);
  t.is(explanation.length, 200);
  t.is(explanation.at(-1)!.index, 1_000);
  t.is((await evaluateRules(rules.toReversed(), makeContext())).explanation.length, 200);
});
