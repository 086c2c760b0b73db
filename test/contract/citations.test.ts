import test from 'ava';
import { getBrokenCitations, getNumbers } from './citations.js';

// Put together here, so that what cites nothing is no comment of this file.
const comment = (text: string): string => ['/', `** ${text} *`, '/'].join('');

const citable = {
  contract: new Map([
    ['README.md', getNumbers('# Contract\n## Decisions\n| 2 | What | That |')],
    ['notes.md', getNumbers('# Notes\n## 4. Writing\n1. First.\n| 2 | a row |\n### 4.3 Changing')],
  ]),
  decisions: new Set(['0034-domains-and-events.md']),
};

test('a citation leads to a document, to one of its sections and rules, or to a decision', (t) => {
  const text = [
    comment('See notes.md sections 4 and 4.3, notes.md section 4.1 and (notes.md 4.2).'),
    comment('By contract decision 2 and decision 34 (decisions/0034-domains-and-events.md).'),
    "const text = 'others.md section 9';",
  ];
  t.deepEqual(getBrokenCitations('shared/a.ts', text.join('\n'), citable), []);
});

test('a citation that leads nowhere is told, also where the comment goes on in the next line', (t) => {
  const text = [
    comment('(others.md section 1, notes.md sections 4 and\n * 5) by contract decision 3'),
    comment('decision 7; 0007-finders.md'),
  ];
  t.deepEqual(getBrokenCitations('shared/a.ts', text.join('\n'), citable), [
    'shared/a.ts: shared/contract has no others.md.',
    'shared/a.ts: shared/contract/notes.md has no section 5.',
    'shared/a.ts: there is no contract decision 3.',
    'shared/a.ts: shared/core/decisions has no 0007-finders.md.',
    'shared/a.ts: there is no decision 7.',
  ]);
});
