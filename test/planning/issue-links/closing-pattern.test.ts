import test from 'ava';
import { closedBy } from '../../../shared/planning/issue-links/closing-pattern.js';

const BASE = 'http://here.example';
const closedIssues = (message: string) => closedBy(message, BASE).map(({ path, iid }) => `${path ?? ''}#${iid}`);

// Contract: markdown-4.pattern
test('every word of the default pattern closes, small or with a capital first', (t) => {
  const phrases = [
    'Close',
    'Closes',
    'Closed',
    'Closing',
    'close',
    'closes',
    'closed',
    'closing',
    'Fix',
    'Fixes',
    'Fixed',
    'Fixing',
    'fix',
    'fixes',
    'fixed',
    'fixing',
    'Resolve',
    'Resolves',
    'Resolved',
    'Resolving',
    'resolve',
    'resolves',
    'resolved',
    'resolving',
    'Implement',
    'Implements',
    'Implemented',
    'Implementing',
    'implement',
    'implements',
    'implemented',
    'implementing',
  ];
  for (const word of phrases) {
    t.deepEqual(closedIssues(`${word} #1`), ['#1'], word);
    t.deepEqual(closedIssues(`${word}: #1`), ['#1'], word);
    t.deepEqual(closedIssues(`This ${word}   issue #1.`), ['#1'], word);
  }
  for (const text of [
    'CLOSES #1',
    'encloses #1',
    'Closes#1',
    'Closes\n#1',
    'Closes the #1',
    'fixture #1',
    'close #1a',
    '#1',
  ])
    t.deepEqual(closedIssues(text), [], text);
});

// Contract: markdown-4.pattern
test('a word closes all issues behind it, of whatever project', (t) => {
  t.deepEqual(closedIssues('Closes #1, #2 and group/project#3'), ['#1', '#2', 'group/project#3']);
  t.deepEqual(closedIssues('Closes #1, and #2, issues #3 #4. Also #5'), ['#1', '#2', '#3', '#4']);
  t.deepEqual(closedIssues(`Fixes: ${BASE}/a/b/c/-/issues/7, other#8\n\nResolves ${BASE}/a/b/-/work_items/9`), [
    'a/b/c#7',
    'other#8',
    'a/b#9',
  ]);
  t.deepEqual(closedIssues('Closes http://elsewhere.example/a/b/-/issues/7'), []);
  t.deepEqual(closedIssues(`Awesome commit message\n\nFix #20, Fixes #21 and Closes group/other#22.`), [
    '#20',
    '#21',
    'group/other#22',
  ]);
});

// Contract: markdown-1.bombs
test('a message that is made to cost is read in one pass', (t) => {
  const length = 10_000;
  for (const piece of [
    'Closes ',
    'Closes #1 ',
    'Closes a',
    'Closes a/',
    'Closes #',
    'close: issue ',
    `Closes ${BASE}/a`,
    'Fixes #1, and ',
  ])
    t.true(closedIssues(piece.repeat(length)).length <= length);
  t.deepEqual(closedIssues(`Closes ${' '.repeat(100_000)}x`), []);
  t.deepEqual(closedIssues(`Closes ${'a'.repeat(100_000)}#1`), []);
});
