import test from 'ava';
import { expandAll } from '../../../shared/ci/rules/expand-all.js';
import { expandVariables, listReferences } from '../../../shared/ci/rules/expand-variables.js';

const lookup = (name: string): string | undefined =>
  new Map([
    ['A', '1'],
    ['B', '$A'],
    ['_x', ''],
  ]).get(name);

/** Expands variables that are written as name and value; `raw` ones are final. */
function expand(values: Record<string, string>, raw: string[] = []): Record<string, string> {
  const variables = Object.entries(values).map(
    ([name, value]) => [name, { value, expand: !raw.includes(name) }] as const,
  );
  return Object.fromEntries(expandAll(new Map(variables)));
}

test('references are replaced once, and two dollars are one', (t) => {
  t.is(expandVariables('a $A-${A}b $Ab$B $_x.', lookup), 'a 1-1b $A .');
  t.is(expandVariables('$$A $$$A 5$ $1 ${A ${} %A% ${A:-x}', lookup), '$A $1 5$ $1 ${A ${} %A% ${A:-x}');
  t.is(expandVariables('[$NONE${NONE}]', lookup), '[]');
  t.is(expandVariables('[$NONE${NONE}]', lookup, { keepUndefined: true }), '[$NONE${NONE}]');
  t.deepEqual(listReferences('$A ${B}$$C $A'), ['A', 'B']);
});

test('at most 100 references are replaced, and the result has at most 64 KiB', (t) => {
  t.is(expandVariables('$A'.repeat(102), lookup), `${'1'.repeat(100)}$A$A`);
  const long = expandVariables('$L$L$L', () => 'x'.repeat(40_000));
  t.is(long.length, 40_004);
});

test('variables are expanded whatever their order', (t) => {
  t.deepEqual(expand({ C: '$B!', B: '<$A>', A: 'a', D: '$$A', E: '$D', R: '$A', S: '$R' }, ['R']), {
    C: '<a>!',
    B: '<a>',
    A: 'a',
    D: '$A',
    E: '$A',
    R: '$A',
    S: '$A',
  });
});

test('circles stay as text', (t) => {
  t.deepEqual(expand({ A: '${B}x', B: '$A', C: '$A-$D', D: 'd', PATH: '/x:$PATH', E: '$E' }), {
    A: '${B}x',
    B: '$A',
    C: '${B}x-d',
    D: 'd',
    PATH: '/x:$PATH',
    E: '$E',
  });
});

test('names that objects have anyway are ordinary names', (t) => {
  const variables = new Map([
    ['__proto__', { value: '$constructor', expand: true }],
    ['constructor', { value: 'c', expand: true }],
    ['x', { value: '$toString', expand: true }],
  ]);
  t.deepEqual(
    [...expandAll(variables)],
    [
      ['__proto__', 'c'],
      ['constructor', 'c'],
      ['x', ''],
    ],
  );
});

test('a chain is followed for 100 levels', (t) => {
  const values: Record<string, string> = { V0: 'x' };
  for (let level = 1; level <= 150; level += 1) values[`V${level}`] = `$V${level - 1}`;
  const result = expand(values);
  t.is(result['V100'], 'x');
  t.is(result['V101'], '$V100');
});

test('a bomb of references and a very long chain come to an end', (t) => {
  const bomb: Record<string, string> = { V0: 'x'.repeat(1_000) };
  for (let level = 1; level <= 2_000; level += 1) bomb[`V${level}`] = `$V${level - 1}`.repeat(90);
  const total = Object.values(expand(bomb)).reduce((sum, value) => sum + value.length, 0);
  t.true(total < 20_000_000);
  const chain: Record<string, string> = {};
  for (let level = 0; level < 50_000; level += 1) chain[`V${level}`] = `$V${level + 1} $V0`;
  t.is(Object.keys(expand(chain)).length, 50_000);
});
