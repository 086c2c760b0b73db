import test from 'ava';
import type { ExecutionContext } from 'ava';
import { interpolateInputs } from '../../../shared/ci/configuration-files/interpolate-inputs.js';
import { readInputSpecs } from '../../../shared/ci/configuration-files/input-specs.js';
import { resolveInputs } from '../../../shared/ci/configuration-files/input-values.js';
import { readConfigurationFile } from '../../../shared/ci/configuration-files/read-configuration-file.js';
import { ConfigurationError, Reference } from '../../../shared/ci/configuration-model/configuration.types.js';

const VARIABLES: Record<string, string> = { NAME: 'value', NESTED: '$NAME', EMPTY: '' };
const lookupVariable = (name: string) => (Object.hasOwn(VARIABLES, name) ? VARIABLES[name] : undefined);

/** The content of a file with these declarations of inputs, as JSON. */
function fill(specs: string, content: string, inputs: Record<string, unknown> = {}): unknown {
  const file = readConfigurationFile(`spec:\n  inputs: ${specs}\n---\n${content}`);
  const source = { locate: file.locate };
  const headerSource = { locate: file.locateInHeader };
  const values = resolveInputs(readInputSpecs(file.header, headerSource), inputs);
  return JSON.parse(JSON.stringify(interpolateInputs(file.content, values, lookupVariable, source)));
}

function rejects(t: ExecutionContext, specs: string, content: string, inputs: Record<string, unknown> = {}): string[] {
  const error = t.throws(() => fill(specs, content, inputs), { instanceOf: ConfigurationError });
  return error?.problems.map(({ message }) => message) ?? [];
}

test('a block that is a whole value keeps its type, and elsewhere it is text', (t) => {
  const specs = '{n: {type: number}, b: {type: boolean}, l: {type: array}, s: }';
  const inputs = { n: 5, b: false, l: ['a', { k: 1 }], s: 'text' };
  t.deepEqual(fill(specs, 'a: $[[ inputs.n ]]\nb: [$[[inputs.b]], $[[ inputs.l ]]]\nc: "$[[  inputs.s  ]]"', inputs), {
    a: 5,
    b: [false, ['a', { k: 1 }]],
    c: 'text',
  });
  t.deepEqual(fill(specs, 'a: x$[[ inputs.n ]]\nb: $[[ inputs.s ]]-$[[ inputs.b ]]\nc: "$[[ inputs.l ]] "', inputs), {
    a: 'x5',
    b: 'text-false',
    c: '["a",{"k":1}] ',
  });
  t.deepEqual(fill(specs, 'job $[[ inputs.n ]]: 1\n$[[ inputs.l ]]: 2', inputs), { 'job 5': 1, '["a",{"k":1}]': 2 });
});

test('a value never becomes a key or a structure', (t) => {
  const value = '"; rm: -rf\nx: {y: [';
  t.deepEqual(fill('{x: }', 'job:\n  script:\n    - echo "$[[ inputs.x ]]"\n    - $[[ inputs.x ]]', { x: value }), {
    job: { script: [`echo "${value}"`, value] },
  });
  t.deepEqual(fill('{x: }', 'a: $[[ inputs.x ]]', { x: 'yes' }), { a: 'yes' });
  t.deepEqual(fill('{x: , y: {default: z}}', 'a: $[[ inputs.x ]]', { x: '$[[ inputs.y ]]' }), { a: '$[[ inputs.y ]]' });
  t.deepEqual(fill('{x: }', 'a: <$[[ inputs.x ]]>', { x: '$& $1 $$' }), { a: '<$& $1 $$>' });
});

test('defaults count where nothing comes with the request, also those that are not true', (t) => {
  const specs = '{a: {default: ""}, b: {type: boolean, default: no}, c: {type: number, default: 0}, d: {default: x}}';
  const content = 'v: [$[[ inputs.a ]], $[[ inputs.b ]], $[[ inputs.c ]], $[[ inputs.d ]]]';
  t.deepEqual(fill(specs, content, { d: 'y' }), { v: ['', false, 0, 'y'] });
});

test('numbers that are printed otherwise by JavaScript are numbers still', (t) => {
  const specs = '{v: {type: number, default: 1.0}, w: {type: number, default: 3.5}}';
  t.deepEqual(fill(specs, 'a: $[[ inputs.v ]]/$[[ inputs.w ]]'), { a: '1.0/3.5' });
});

test('functions change texts, one after the other', (t) => {
  const apply = (functions: string, value: string) =>
    (fill('{x: }', `a: '$[[ inputs.x | ${functions} ]]'`, { x: value }) as { a: string }).a;
  t.is(apply('truncate(1,3)', 'abcdef'), 'bcd');
  t.is(apply('truncate( 0 , 2 )', '😀😀😀'), '😀😀');
  t.is(apply('truncate(9,3)', 'abc'), '');
  t.is(apply('truncate(0,99999999999999999999)', 'abc'), 'abc');
  t.is(apply('expand_vars', '$NAME ${NAME} %NAME% $NESTED [$EMPTY]'), 'value value value $NAME []');
  t.is(apply('expand_vars', '$OTHER ${OTHER} $$NAME'), '$OTHER ${OTHER} $$NAME');
  t.is(apply('expand_vars', '${__proto__} $constructor'), '${__proto__} $constructor');
  t.is(apply('posix_escape', `a b;'"$x\n😀_-./@`), `a\\ b\\;\\'\\"\\$x'\n'\\😀_-./@`);
  t.is(apply('posix_escape', ''), "''");
  t.is(apply('expand_vars | truncate(0,3) | posix_escape', '$NAME'), 'val');
});

test('blocks that cannot be evaluated name what is wrong', (t) => {
  const cases: [string, string][] = [
    ['inputs.y', 'unknown interpolation key: `y`'],
    ['other.x', 'unknown interpolation key: `other`'],
    ['inputs.x.y', 'unknown interpolation key: `y`'],
    ['inputs.__proto__', 'unknown interpolation key: `__proto__`'],
    ['inputs', 'invalid pattern used for interpolation. valid pattern is $[[ inputs.input ]]'],
    ['inputs.x | expand_vars | expand_vars | expand_vars | expand_vars', 'too many functions in interpolation block'],
    ['inputs.x | f', 'no function matching `f`: check that the function name, arguments, and types are correct'],
    [
      'inputs.x | truncate(1)',
      'no function matching `truncate(1)`: check that the function name, arguments, and types are correct',
    ],
    [`inputs.${'x'.repeat(1024)}`, 'maximum interpolation expression size exceeded'],
  ];
  for (const [block, message] of cases) t.deepEqual(rejects(t, '{x: }', `a: '$[[ ${block} ]]'`, { x: '' }), [message]);
  for (const name of ['truncate', 'expand_vars', 'posix_escape']) {
    const call = name === 'truncate' ? 'truncate(0,1)' : name;
    t.deepEqual(rejects(t, '{x: {type: number}}', `a: $[[ inputs.x | ${call} ]]`, { x: 1 }), [
      `error in \`${name}\` function: invalid input type: ${name} can only be used with string inputs`,
    ]);
  }
});

test('a problem names its position', (t) => {
  const { header, content, locate } = readConfigurationFile('spec: {inputs: }\n---\na:\n  b: [1, $[[ inputs.x ]]]');
  const values = resolveInputs(readInputSpecs(header), {});
  const error = t.throws(() => interpolateInputs(content, values, lookupVariable, { file: 'i.yml', locate }), {
    instanceOf: ConfigurationError,
  });
  t.deepEqual(error?.problems, [
    { message: 'unknown interpolation key: `x`', file: 'i.yml', position: { line: 4, column: 10 } },
  ]);
});

test('what is no block stays, and so do blocks of a matrix', (t) => {
  const content = String.raw`
a: "$[[ ]] $[[ inputs.x"
b: "$[[ inputs\n.x ]]"
c: "$[ inputs.x ] [[ inputs.x ]]"
d: "$[[ matrix.X ]]"
e: "x $[[matrix.X]] $[[ inputs.x ]]"`;
  t.deepEqual(fill('{x: }', content, { x: 1 + '' }), {
    a: '$[[ ]] $[[ inputs.x',
    b: '$[[ inputs\n.x ]]',
    c: '$[ inputs.x ] [[ inputs.x ]]',
    d: '$[[ matrix.X ]]',
    e: 'x $[[matrix.X]] 1',
  });
});

test('references and what stands behind aliases are filled in as well', (t) => {
  const { header, content } = readConfigurationFile(
    'spec: {inputs: {x: }}\n---\na: &a ["$[[ inputs.x ]]"]\nb: *a\nc: !reference ["$[[ inputs.x ]]", script]',
  );
  const result = interpolateInputs(content, resolveInputs(readInputSpecs(header), { x: 'v' }), lookupVariable);
  t.deepEqual(result.a, ['v']);
  t.is(result.a, result.b);
  t.deepEqual(result.c, new Reference(['v', 'script']));
});

test('values that are missing, unknown or of another type are refused, each with its name', (t) => {
  const specs = '{s: , n: {type: number}, b: {type: boolean}, l: {type: array}}';
  t.deepEqual(rejects(t, specs, 'a: 1'), [
    '`s` input: required value has not been provided',
    '`n` input: required value has not been provided',
    '`b` input: required value has not been provided',
    '`l` input: required value has not been provided',
  ]);
  t.deepEqual(rejects(t, specs, 'a: 1', { s: 1, n: 'abc', b: 'true', l: 'x', q: 1, r: 2 }), [
    '`s` input: provided value is not a string',
    '`n` input: provided value is not a number',
    '`b` input: provided value is not a boolean',
    '`l` input: provided value is not an array',
    'unknown input arguments: q, r',
  ]);
  t.deepEqual(rejects(t, '{n: {type: number}}', 'a: 1', { n: '12' }), ['`n` input: provided value is not a number']);
  t.deepEqual(rejects(t, '{s: }', 'a: 1', { s: null }), ['`s` input: provided value is not a string']);
  t.deepEqual(rejects(t, '{}', 'a: 1', JSON.parse('{"__proto__": 1}')), ['unknown input arguments: __proto__']);
});

test('defaults of another type are refused', (t) => {
  const specs = `{s: {default: [a]}, n: {type: number, default: x}, b: {type: boolean, default: 1},
    l: {type: array, default: x}, e: {default: }}`;
  t.deepEqual(rejects(t, specs, 'a: 1'), [
    '`s` input: default value is not a string',
    '`n` input: default value is not a number',
    '`b` input: default value is not a boolean',
    '`l` input: default value is not an array',
    '`e` input: default value is not a string',
  ]);
});

test('values must be among the options', (t) => {
  const specs = `{s: {options: [a, b], default: b}, n: {type: number, options: [1, 2], default: 1},
    l: {type: array, options: [a], default: []}}`;
  t.deepEqual(fill(specs, 'v: $[[ inputs.s ]]$[[ inputs.n ]]', { s: 'a', n: 2, l: ['a'] }), { v: 'a2' });
  t.deepEqual(rejects(t, specs, 'a: 1', { s: 'c', n: 3, l: ['a', 'x'] }), [
    '`s` input: `c` cannot be used because it is not in the list of allowed options',
    '`n` input: `3` cannot be used because it is not in the list of the allowed options',
    '`l` input: `x` cannot be used because it is not in the list of allowed options',
  ]);
  t.deepEqual(rejects(t, '{s: {options: [a], default: c}}', 'a: 1'), [
    '`s` input: `c` cannot be used because it is not in the list of allowed options',
  ]);
  t.deepEqual(rejects(t, '{b: {type: boolean, options: [true], default: true}}', 'a: 1'), [
    '`b` input: Options can only be used with string and number inputs',
  ]);
});

test('values must match the pattern', (t) => {
  const specs = String.raw`{s: {regex: '^v\d+$', default: v1}}`;
  t.deepEqual(fill(specs, 'v: $[[ inputs.s ]]', { s: 'v12' }), { v: 'v12' });
  const noMatch = (origin: string) => [`\`s\` input: ${origin} value does not match required RegEx pattern`];
  t.deepEqual(rejects(t, specs, 'a: 1', { s: 'x' }), noMatch('provided'));
  t.deepEqual(rejects(t, '{s: {regex: a, default: b}}', 'a: 1'), noMatch('default'));
  for (const regex of ['(?=x)', '(', 'x'.repeat(1001), '((a{100}){10}){10}']) {
    t.deepEqual(rejects(t, `{s: {regex: "${regex}"}}`, 'a: 1', { s: 'x' }), ['`s` input: invalid regular expression']);
  }
  t.deepEqual(rejects(t, '{n: {type: number, regex: a}}', 'a: 1', { n: 1 }), [
    '`n` input: RegEx validation can only be used with string inputs',
  ]);
  const slow = rejects(t, '{s: {regex: "(a+)+$"}}', 'a: 1', { s: `${'a'.repeat(10_000)}b` });
  t.deepEqual(slow, noMatch('provided'));
});

test('inputs without a header are refused, and content without a header is left as it is', (t) => {
  const { header, content } = readConfigurationFile('a: $[[ inputs.x ]]');
  const specs = readInputSpecs(header);
  const error = t.throws(() => resolveInputs(specs, { x: 1 }, 'i.yml'), { instanceOf: ConfigurationError });
  t.deepEqual(error?.problems, [
    { message: 'Given inputs not defined in the `spec` section of the included configuration file', file: 'i.yml' },
  ]);
  t.is(interpolateInputs(content, resolveInputs(null, {}), lookupVariable), content);
});

test('at most 20 inputs may come with a request', (t) => {
  const inputs = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`i${at}`, 'x']));
  t.deepEqual(rejects(t, '{}', 'a: 1', inputs), ['too many input arguments: the maximum is 20']);
});

test('headers that declare anything else are refused with all problems and their positions', (t) => {
  const problems = (header: string) => {
    const file = readConfigurationFile(`${header}\n---\na: 1`);
    const error = t.throws(() => readInputSpecs(file.header, { file: 'i.yml', locate: file.locateInHeader }), {
      instanceOf: ConfigurationError,
    });
    return error?.problems;
  };
  t.deepEqual(problems('spec:\n  a: abc'), [
    { message: 'header:spec config contains unknown keys: a', file: 'i.yml', position: { line: 2, column: 3 } },
  ]);
  const texts = (header: string) => problems(header)?.map(({ message }) => message);
  t.deepEqual(texts('spec: abcd'), ['header:spec config should be a hash']);
  t.deepEqual(texts('spec: {}\nx: 1\ny: 2'), ['header config contains unknown keys: x, y']);
  t.deepEqual(texts('spec: {inputs: [a]}'), ['header:spec:inputs config should be a hash']);
  t.deepEqual(texts('spec: {inputs: {a: b, c: {foo: 1, bar: 2}, d: {type: foo}, e: {description: 1, regex: 1}}}'), [
    'header:spec:inputs:a config should be a hash',
    'header:spec:inputs:c config contains unknown keys: foo, bar',
    'header:spec:inputs:d input type unknown value: foo',
    'header:spec:inputs:e description should be a string',
    'header:spec:inputs:e regex should be a string',
  ]);
  t.deepEqual(texts('spec: {inputs: {a: {options: x}, b: {options: [x], regex: y}}}'), [
    'header:spec:inputs:a options should be an array',
    'header:spec:inputs:b config please use only one of the following keys: options, regex',
  ]);
  t.deepEqual(texts(`spec: {inputs: {a: {options: [${'x,'.repeat(51)}]}}}`), [
    'header:spec:inputs:a options cannot have more than 50 entries',
  ]);
});

test('what inputs make of a file is limited', (t) => {
  const blocks = `a: [${'"$[[ inputs.x ]]",'.repeat(10_001)}]`;
  t.deepEqual(rejects(t, '{x: }', blocks, { x: 'v' }), ['too many interpolation blocks']);
  const some = `a: [${'"$[[ inputs.x ]]",'.repeat(9000)}]`;
  t.notThrows(() => fill('{x: }', some, { x: 'v' }));
  t.deepEqual(rejects(t, '{x: }', some, { x: 'v'.repeat(10_000) }), ['config too large']);
  let deep: unknown = [];
  for (let depth = 0; depth < 200; depth += 1) deep = [deep];
  const tooDeep = rejects(t, '{x: {type: array}}', 'a: $[[ inputs.x ]]', { x: deep });
  t.deepEqual(tooDeep, ['`x` input: provided value cannot be used']);
  const many = `a: "${'$[[ '.repeat(100_000)}"`;
  t.notThrows(() => fill('{x: }', many, { x: 'v' }));
});
