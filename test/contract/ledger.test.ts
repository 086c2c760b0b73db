import test from 'ava';
import { getLedger, printed, getProblems, readLedger } from './ledger.js';

test('every row of the ledger has a test that exists', (t) => {
  const ledger = readLedger();
  t.true(ledger.rows.length > 800);
  t.deepEqual(getProblems(ledger), []);
});

test('no row of the ledger is claimed twice', (t) => {
  const ids = readLedger().rows.map((row) => row.id);
  t.deepEqual([...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))], []);
});

const ledgerFrom = (rows: string[], tests: string[]) =>
  getLedger(
    [['shared/contract/a.md', ['# A', '- no row', '## Rows', ...rows].join('\n')]],
    [['test/a.test.ts', tests.join('\n')]],
  );

test('a row is shown by the test below its id, serial ones, those of loops and of functions that make tests too', (t) => {
  const ledger = ledgerFrom(
    ['', 'About these:', '- `a-1`: a | bar', '- `a-2`: b', '- `a-3`: c', '- `a-4`: d', '- `a-5`: e'],
    [
      'const each = (title: string) =>\n  test(`${title} is so`, (t) => {\n    t.pass();\n  });',
      '// Contract: a-1, a-2',
      '// Contract: a-3',
      "test('it\\'s so', (t) => {",
      '  // Contract: a-4',
      '  test.serial(\n    `${kind} is so`,',
      '// Contract: a-5, a-1',
      'each("that");',
    ],
  );
  t.deepEqual(getProblems(ledger), []);
  t.is(
    printed(ledger),
    [
      'a-1 | a | bar',
      "    test/a.test.ts:5  it's so",
      '    test/a.test.ts:11  that',
      'a-2 | b',
      "    test/a.test.ts:5  it's so",
      'a-3 | c',
      "    test/a.test.ts:6  it's so",
      'a-4 | d',
      '    test/a.test.ts:8  ${kind} is so',
      'a-5 | e',
      '    test/a.test.ts:11  that',
      '',
    ].join('\n'),
  );
});

test('a row without a test, a claim without a row, and an id that stands twice are told by their places', (t) => {
  const rows = ['- `a-1`: a', '- `a-2`: b', '- `a-1`: c'];
  t.deepEqual(getProblems(ledgerFrom(rows, ['// Contract: a-1, a-3, a-1', "test('x', (t) => t.pass());"])), [
    'shared/contract/a.md:4: a-1 stands more than once in shared/contract.',
    'shared/contract/a.md:6: a-1 stands more than once in shared/contract.',
    'shared/contract/a.md:5: no test shows a-2. Write "// Contract: a-2" above one that does.',
    'test/a.test.ts:1: shared/contract has no row a-3.',
    'test/a.test.ts:1: a-1 stands twice in the claim.',
  ]);
});

test('what is meant as a row or a claim and is none is told', (t) => {
  const wrong = ['- a-1', '- `a-1`:', '- `a-1` words', '- `a 1`: words'];
  t.is(ledgerFrom(wrong, []).unread.length, wrong.length);
  for (const claim of ['//Contract: a-1', '/* Contract: a-1 */', '// contract: a-1', '// Contract: a-1 a-2'])
    t.deepEqual(ledgerFrom([], [claim]).unread, ['test/a.test.ts:1: a claim is "// Contract: id, id".'], claim);
});

test('a claim above a hook, a skipped test, another call or a comment shows nothing', (t) => {
  for (const below of [
    "test.before('x', () => {",
    "test.skip('x', (t) => {",
    "test.serial.skip('x', (t) => {",
    "console.log('x')",
    '// Words',
    '',
  ])
    t.deepEqual(
      getProblems(ledgerFrom(['- `a-1`: a'], ['// Contract: a-1', below])),
      [
        'shared/contract/a.md:4: no test shows a-1. Write "// Contract: a-1" above one that does.',
        'test/a.test.ts:1: no test stands right below the claim.',
      ],
      below,
    );
});
