import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import fc from 'fast-check';
import { isValidBranchName, isValidRefName, isValidTagName } from '../../shared/git/index.js';

const run = promisify(execFile);

async function gitAccepts(name: string): Promise<boolean> {
  return run('git', ['check-ref-format', name]).then(
    () => true,
    () => false,
  );
}

test('a ref name is valid exactly when git says so', async (t) => {
  const piece = fc.constantFrom('a', 'Z', '/', '.', '..', '.lock', '@', '{', '@{', '-', '~', '^', ':', '?', '*', '[');
  const odd = fc.constantFrom(
    '\\',
    ' ',
    '\t',
    '\x7f',
    '\x01',
    'é',
    '日',
    '\u00a0',
    'lock',
    'refs',
    'heads',
    '//',
    '#',
    '$',
  );
  const name = fc.array(fc.oneof({ weight: 3, arbitrary: piece }, odd), { minLength: 1, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(name, fc.boolean(), async (pieces, full) => {
      const text = (full ? 'refs/heads/' : '') + pieces.join('');
      // git's own check would take it for an option.
      fc.pre(!text.startsWith('-'));
      return isValidRefName(text) === (await gitAccepts(text));
    }),
    { numRuns: 600 },
  );
  t.pass();
});

test('names of branches and tags are stricter than refs', (t) => {
  for (const good of ['main', 'feature/a', 'a.b', 'ünïcode', 'v1.0-rc', '1234567', 'a@b', 'heads/refs', 'head']) {
    t.true(isValidBranchName(good), good);
    t.true(isValidTagName(good), good);
  }
  const sha = 'a'.repeat(40);
  for (const bad of [
    '',
    '-x',
    'HEAD',
    '@',
    'refs/heads/a',
    sha,
    `${sha}/x`,
    'a..b',
    'a b',
    'a.lock',
    '.a',
    'a/',
    '/a',
    'a//b',
    'x'.repeat(251),
  ]) {
    t.false(isValidBranchName(bad), bad);
    t.false(isValidTagName(bad), bad);
  }
});
