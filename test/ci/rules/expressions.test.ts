import test from 'ava';
import { checkExpression, evaluateExpression } from '../../../shared/ci/rules/evaluate-expression.js';
import { ExpressionError } from '../../../shared/ci/rules/rule-errors.js';

type Values = Record<string, string>;

function evaluate(source: string, values: Values = {}): boolean {
  return evaluateExpression(source, (name) => (Object.hasOwn(values, name) ? values[name] : undefined)).result;
}

/** The message of the error that an expression leads to; checking and evaluating must agree. */
function errorMessage(source: string): string | undefined {
  const read = (run: () => void): string | undefined => {
    try {
      run();
      return undefined;
    } catch (error) {
      return error instanceof ExpressionError ? error.message : `no ExpressionError: ${String(error)}`;
    }
  };
  const messages = [read(() => checkExpression(source)), read(() => evaluate(source))];
  return messages[0] === messages[1] ? messages[0] : `not the same: ${messages.join(', ')}`;
}

test('an undefined variable is null, and neither empty nor true', (t) => {
  t.deepEqual(
    ['$A == null', '$A == ""', '$A', '$A !~ /x/', '!$A', '$A != null'].map((source) => evaluate(source)),
    [true, false, false, true, true, false],
  );
});

test('an empty variable is the empty text, and not true', (t) => {
  t.deepEqual(
    ['$A == null', '$A == ""', '$A', '!$A', "'' == $A"].map((source) => evaluate(source, { A: '' })),
    [false, true, false, true, true],
  );
});

test('names of variables that objects have anyway are ordinary names', (t) => {
  t.false(evaluate('$__proto__ || $constructor || $hasOwnProperty'));
  t.true(evaluate('$constructor == "x"', { constructor: 'x' }));
});

test('and binds more than or, parentheses more than both, not more than comparisons', (t) => {
  t.true(evaluate('$A || $B && $C', { A: '1' }));
  t.false(evaluate('($A || $B) && $C', { A: '1' }));
  t.false(evaluate('!$A == "x"', { A: 'y' }));
  t.true(evaluate('!($A == "x")', { A: 'y' }));
  t.true(evaluate('!!$A', { A: 'y' }));
  t.true(evaluate('$A == "x" && $B == "y" || $C', { C: '1' }));
  t.true(evaluate('$C || $A == "x" && $B == "y"', { C: '1' }));
});

test('comparisons go from left to right', (t) => {
  t.true(evaluate('$A == $B == true', { A: 'x', B: 'x' }));
  t.false(evaluate('$A == ($B == true)', { A: 'x', B: 'x' }));
});

test('true and false equal their texts', (t) => {
  t.true(evaluate('true'));
  t.false(evaluate('false'));
  t.false(evaluate('null'));
  t.true(evaluate('$A == true', { A: 'true' }));
  t.false(evaluate('$A == true', { A: '1' }));
  t.false(evaluate('$A == false'));
  t.true(evaluate('true == true && "false" == false'));
});

test('and and or have values inside a comparison', (t) => {
  t.true(evaluate('($A || $B) == "b"', { B: 'b' }));
  t.true(evaluate('($A && $B) == "b"', { A: 'a', B: 'b' }));
  t.false(evaluate('($A && $B) == "b"', { B: 'b' }));
});

test('patterns have the flags of RE2 and are searched for anywhere', (t) => {
  t.true(evaluate('$V =~ /^v\\d+$/i', { V: 'V12' }));
  t.false(evaluate('$V =~ /^v\\d+$/i', { V: 'x' }));
  t.true(evaluate('$V =~ /x/', { V: 'axb' }));
  t.true(evaluate('$V =~ /^b$/m', { V: 'a\nb' }));
  t.false(evaluate('$V =~ /^b$/', { V: 'a\nb' }));
  t.true(evaluate('$V =~ /a.b/s', { V: 'a\nb' }));
  t.false(evaluate('$V =~ /a.b/', { V: 'a\nb' }));
  t.true(evaluate('$V =~ /a+b/Ui', { V: 'AAB' }));
  t.true(evaluate('$V =~ /^a\\/b$/', { V: 'a/b' }));
  t.true(evaluate('$V !~ /^a$/', { V: 'b' }));
});

test('null on the left of a match is the empty text, null on the right never matches', (t) => {
  t.true(evaluate('$A =~ /^$/'));
  t.true(evaluate('null =~ /^$/'));
  t.false(evaluate('"x" =~ $A'));
  t.true(evaluate('"x" !~ $A'));
});

test('a variable on the right is compiled when it holds a pattern', (t) => {
  t.true(evaluate('$A =~ $P', { A: 'abcde', P: '/^AB.*/i' }));
  t.false(evaluate('$A =~ $P', { A: 'xabcde', P: '/^ab.*/' }));
  t.true(evaluate('$A =~ "/^ab/"', { A: 'abc' }));
  t.true(evaluate('$A =~ $P', { A: 'a/b', P: '/^a/b$/' }));
});

test('any other text on the right is searched for the left side', (t) => {
  const texts = ['1234', '23', '/23/'];
  const table = texts.map((A) => texts.map((P) => evaluate('$A =~ $P', { A, P })));
  t.deepEqual(table, [
    [true, false, true],
    [true, true, true],
    [false, false, true],
  ]);
  t.true(evaluate('$A =~ $P', { A: '(?=x)', P: '/(?=x)/' }));
});

test('errors', (t) => {
  t.is(errorMessage('$A =~ /(?=x)/'), 'invalid expression syntax');
  t.is(errorMessage('$A =~ /(?<=x)y/'), 'invalid expression syntax');
  t.is(errorMessage('$A =~ /(x)\\1/'), 'invalid expression syntax');
  t.is(errorMessage('$A =~ /(/'), 'invalid expression syntax');
  t.is(errorMessage(`$A =~ /${'x'.repeat(1_000)}/`), undefined);
  t.is(errorMessage(`$A =~ /${'x'.repeat(1_001)}/`), 'invalid expression syntax');
  t.is(errorMessage(`$A =~ /${'(?:a?){1000}'.repeat(80)}/`), 'invalid expression syntax');
  for (const source of ['$A = "x"', '$A & $B', '"x', '$A == \'x"', '$A =~ /x', '$A =~ //', '/x\\/', '/x/g', 'A', '$']) {
    t.is(errorMessage(source), 'Unknown lexeme found!', source);
  }
  for (const source of ['', '  ', '$A ==', '== $A', '($A', '$A)', '$A $B', '!', '$A && && $B', '()', '$A ! $B']) {
    t.is(errorMessage(source), 'invalid expression syntax', source);
  }
  t.is(errorMessage(`"${'x'.repeat(70_000)}"`), 'invalid expression syntax');
});

test('an expression has at most 100 tokens', (t) => {
  t.is(errorMessage(`${'!'.repeat(99)}$A`), undefined);
  t.is(errorMessage(`${'!'.repeat(100)}$A`), 'Too many tokens!');
  t.is(errorMessage(`${'('.repeat(49)}!$A${')'.repeat(49)}  `), undefined);
  t.is(errorMessage(`${'$A || '.repeat(50)}$A`), 'Too many tokens!');
});

test('the conditions are listed with names and values, up to the one that decides', (t) => {
  const lookup = (name: string) => ({ A: 'x', LONG: 'y'.repeat(1_001) })[name];
  const list = (source: string) => evaluateExpression(source, lookup).because;
  t.deepEqual(list('$A == "x" && !( $B =~ $A ) && !$A && $LONG'), [
    { part: '$A == "x"', operands: [{ name: 'A', value: 'x' }], result: true },
    {
      part: '( $B =~ $A )',
      operands: [
        { name: 'B', value: null },
        { name: 'A', value: 'x' },
      ],
      result: true,
    },
  ]);
  t.deepEqual(list('$B || !$B'), [
    { part: '$B', operands: [{ name: 'B', value: null }], result: false },
    { part: '!$B', operands: [{ name: 'B', value: null }], result: true },
  ]);
  t.deepEqual(list('$LONG'), [{ part: '$LONG', operands: [{ name: 'LONG', value: '', length: 1_001 }], result: true }]);
  t.is(list(`$A == "${'z'.repeat(300)}"`)[0]!.part.length, 255);
});

test('hostile patterns and texts come to an end', (t) => {
  t.false(evaluate('$V =~ /(a+)+$/', { V: `${'a'.repeat(10_000)}b` }));
  t.true(evaluate('$V =~ /(?:a|aa|[ab])*(?:a*)*$/', { V: `${'ab'.repeat(60_000)}c` }));
  const half = 'a'.repeat(16_000);
  t.false(evaluate('$A =~ $B', { A: `${half}b${half}`, B: 'a'.repeat(65_000) }));
});

test('only the first 64 KiB of a text count', (t) => {
  t.true(evaluate('$V =~ /b/', { V: `${'a'.repeat(65_535)}b` }));
  t.false(evaluate('$V =~ /b/', { V: `${'a'.repeat(65_536)}b` }));
});

test('searching for a long text finds what the engine finds', (t) => {
  let seed = 7;
  const random = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % limit;
  };
  const write = (length: number): string => Array.from({ length }, () => 'ab'[random(37) === 0 ? 1 : 0]).join('');
  for (let round = 0; round < 300; round += 1) {
    const B = write(400);
    const start = random(300);
    const A = random(2) === 0 ? B.slice(start, start + 70 + random(30)) : write(66);
    t.is(evaluate('$A =~ $B', { A, B }), B.includes(A));
  }
});
