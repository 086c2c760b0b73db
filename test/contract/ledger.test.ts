import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';

interface Row {
  ledger: string;
  id: string;
  words: string;
  tests: { file: string; title: string }[];
}

const FOLDER = 'test/contract';

function readLedgers(): Row[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.ledger'))
    .flatMap((ledger) =>
      readFileSync(path.join(FOLDER, ledger), 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '' && !line.startsWith('#'))
        .map((line) => {
          const [id = '', words = '', ...rest] = line.split(' | ');
          const tests = rest
            .join(' | ')
            .split(' ;; ')
            .filter((entry) => entry.includes(' :: '))
            .map((entry) => {
              const [file = '', title = ''] = entry.split(' :: ');
              return { file: file.trim(), title: title.trim() };
            });
          return { ledger, id: id.trim(), words: words.trim(), tests };
        }),
    );
}

/** Titles of the tests in a file, as literal texts. */
function titlesIn(file: string): Set<string> {
  const text = readFileSync(path.join('test', file), 'utf8');
  const titles = [...text.matchAll(/test(?:\.serial)?\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`$]*)`)/g)];
  return new Set(titles.map(([, single, double, back]) => (single ?? double ?? back ?? '').replace(/\\(.)/g, '$1')));
}

test('every row of the ledger has a test that exists', (t) => {
  const titles = new Map<string, Set<string>>();
  const problems: string[] = [];
  for (const { ledger, id, words, tests } of readLedgers()) {
    if (words === '' || tests.length === 0) problems.push(`${ledger}: ${id} names no test`);
    for (const { file, title } of tests) {
      if (!existsSync(path.join('test', file))) {
        problems.push(`${ledger}: ${id} names ${file}, which is not there`);
        continue;
      }
      if (!titles.has(file)) titles.set(file, titlesIn(file));
      if (!titles.get(file)?.has(title)) problems.push(`${ledger}: ${id} names "${title}", which ${file} lacks`);
    }
  }
  t.deepEqual(problems, []);
});

test('no row of the ledger is claimed twice', (t) => {
  const ids = readLedgers().map((row) => row.id);
  t.deepEqual([...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))], []);
});
