import { readFile } from 'node:fs/promises';
import test from 'ava';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { ClientGone, Overloaded } from '../../shared/core/values/errors.js';
import { measureExpression } from '../../shared/core/expressions/expression-size.js';
import { Expression, TooMuchToMatch } from '../../shared/core/expressions/expressions.js';
import { sourceFiles } from './source-files.js';

const NEVER = new AbortController().signal;

function getProblem(source: string): string | null {
  const read = Expression.read(source);
  return read instanceof Expression ? null : read.problem;
}

function getExpression(source: string): Expression {
  const read = Expression.read(source);
  if (!(read instanceof Expression)) throw new Error(read.problem);
  return read;
}

const matching = (source: string, texts: string[], signal = NEVER) =>
  getExpression(source).filter(texts, (text) => text, signal);

test('an expression finds what holds a match, in the syntax of RE2', async (t) => {
  t.deepEqual(await matching('^b/(one|three)$', ['b/one', 'b/two', 'xb/one']), ['b/one']);
  t.deepEqual(await matching('(?i)ONE', ['b/one', 'b/two']), ['b/one']);
  t.deepEqual(await matching('\\pL\\d{2,}$', ['v10', 'v1', 'ä22']), ['v10', 'ä22']);
  t.deepEqual(await matching('', ['a', 'b']), ['a', 'b']);
});

test('what RE2 does not have is invalid: back references and looking around', (t) => {
  for (const source of ['(', '(a+)\\1', '(?=a)', '(?<=a)b', 'a{2000}', '(a{100}){100}', '[b-a]'])
    t.regex(getProblem(source) ?? '', /^is (invalid|too complex)$/, source);
  t.is(getProblem('(a)\\1'), 'is invalid');
});

test('an expression has 256 characters at most, and no more parts than can be compiled in no time', (t) => {
  t.is(getProblem('a'.repeat(256)), null);
  t.is(getProblem('a'.repeat(257)), 'is too long (maximum is 256 characters)');
  t.is(getProblem('[a-f0-9]{40}'), null);
  t.is(getProblem('a{1000}'), 'is too complex');
  t.is(getProblem('(a?){100}'.repeat(20)), 'is too complex');
  t.is(getProblem('(((a{10}){10}){10})'), 'is too complex');
  t.is(getProblem('a{100}(?i){100}'), 'is too complex');
  t.is(getProblem('(?i)' + '[!-\\x{10000}]'.repeat(18)), 'is too complex');
});

const PIECES =
  'a . [a-z] [^]a] \\pL \\d \\Qab*\\E \\x{41} (?i)k ^ \\b ß 😀 [[:alpha:]x] [\\]a] (?:) () | \\{ { (?s:.) (?P<n>a) ( (?: )';
const piece = fc.constantFrom(...PIECES.split(' '));
const operator = fc.constantFrom('', '', '', '*', '+', '?', '{3}', '{2,5}', '{0,4}', '{2,}', '{0}', '*?', '{30}');
const source = fc.array(fc.tuple(piece, operator), { maxLength: 20 }).map((parts) => parts.flat().join(''));

test('an expression is never taken for smaller than it becomes', (t) => {
  fc.assert(
    fc.property(source, (text) => {
      const { steps } = measureExpression(text);
      if (steps > 5000) return;
      let compiled: RE2JS;
      try {
        compiled = RE2JS.compile(text);
      } catch {
        return;
      }
      t.true(compiled.programSize() <= steps, `${text}: ${compiled.programSize()} > ${steps}`);
    }),
    { numRuns: 3000 },
  );
  t.pass();
});

test.serial('more is not matched than can be answered soon, and nothing for a client that is gone', async (t) => {
  const texts = Array.from({ length: 2000 }, (_, index) => `${'a'.repeat(200)}${index}`);
  t.is((await matching('(a?){10}9$', texts)).length, 200);
  await t.throwsAsync(() => matching('(a?){100}9$', texts), { instanceOf: TooMuchToMatch });
  await t.throwsAsync(() => matching('a', texts, AbortSignal.abort()), { instanceOf: ClientGone });
});

test.serial('expressions are matched one at a time, and those that would wait long are refused', async (t) => {
  const texts = Array.from({ length: 1000 }, (_, index) => `${'a'.repeat(200)}${index}`);
  const answers = await Promise.allSettled(Array.from({ length: 12 }, () => matching('[b-z]|9$', texts)));
  const rejections = answers.filter((answer) => answer.status === 'rejected');
  t.is(rejections.length, 2);
  for (const { reason } of rejections) t.true(reason instanceof Overloaded);
  t.is((await matching('a', ['a'])).length, 1);
});

/** The marker of a file whose expressions are not built from callers' input; the explanation follows it. */
const OWN_PATTERN = /^ *\/\/ Own pattern: \S/m;

test('nobody gives the database or JavaScript an expression to match that could be a caller’s', async (t) => {
  for (const name of sourceFiles('shared', 'api', 'workers')) {
    if (!name.endsWith('.ts')) continue;
    const text = await readFile(name, 'utf8');
    if (!OWN_PATTERN.test(text)) t.notRegex(text, /new RegExp\(/, name);
    t.notRegex(text, /~\*? *\$\{|similar to|regexp_\w+\(/, name);
  }
});
