import test from 'ava';
import type { ExecutionContext } from 'ava';
import { readConfigurationFile } from '../../../shared/ci/configuration-files/read-configuration-file.js';
import { ConfigurationError, Reference } from '../../../shared/ci/configuration-model/configuration.types.js';
import type { Problem } from '../../../shared/ci/configuration-model/configuration.types.js';
import { parseYaml } from '../../../shared/core/values/yaml.js';
import { pageParts } from '../../../shared/planning/wikis/front-matter.js';

const read = (text: string): unknown => JSON.parse(JSON.stringify(readConfigurationFile(text).content));

function rejects(t: ExecutionContext, text: string, location?: string): Problem {
  const error = t.throws(() => readConfigurationFile(text, location), { instanceOf: ConfigurationError });
  return error?.problems[0] as Problem;
}

test('scalars without quotes are read as YAML 1.1 without dates, and y and n are text', (t) => {
  const spellings: [string, unknown][] = [
    ...['yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true', 'True', 'TRUE'].map((word): [string, unknown] => [word, true]),
    ...'no No NO off Off OFF false False FALSE'.split(' ').map((word): [string, unknown] => [word, false]),
    ...['', '~', 'null', 'Null', 'NULL'].map((word): [string, unknown] => [word, null]),
    ...['y', 'n', 'Y', 'N', '2024-01-01', '2024-01-01 10:00:00', '1e3', '08', '0o17', 'nil'].map(
      (word): [string, unknown] => [word, word],
    ),
    ['012', 10],
    ['-012', -10],
    ['12:30', 750],
    ['1:00:00', 3600],
    ['0b101', 5],
    ['0x1F', 31],
    ['1_000', 1000],
    ['-0', 0],
    ['+7', 7],
    ['1.5', 1.5],
    ['3.10', 3.1],
  ];
  for (const [spelling, value] of spellings) t.deepEqual(read(`a: ${spelling}`), { a: value }, spelling);
});

test('numbers that JavaScript would print otherwise are text as the public parser prints it', (t) => {
  const spellings = [
    ['1.0', '1.0'],
    ['2.', '2.0'],
    ['-0.0', '-0.0'],
    ['1.50', 1.5],
    ['1.0e+20', '1.0e+20'],
    ['0.00001', '1.0e-05'],
    ['0.000015', '1.5e-05'],
    ['.inf', 'Infinity'],
    ['.nan', 'NaN'],
    ['12345678901234567890', '12345678901234567890'],
    ['-12_345678901234567890', '-12345678901234567890'],
  ] as const;
  for (const [spelling, value] of spellings) t.deepEqual(read(`a: ${spelling}`), { a: value }, spelling);
});

test('quoted scalars and those with a core tag have the type that is written', (t) => {
  const text = `%TAG !c! tag:yaml.org,2002:
---
a: "012"
b: 'yes'
c: !!str 012
d: !!int 012
e: ! yes
f: !!bool yes
g: !<tag:yaml.org,2002:str> 1
h: !c!str 1`;
  t.deepEqual(read(text), {
    a: '012',
    b: 'yes',
    c: '012',
    d: 10,
    e: 'yes',
    f: true,
    g: '1',
    h: '1',
  });
});

test('keys that are no texts become texts, and names of object members are ordinary keys', (t) => {
  const members = '__proto__: e\nconstructor: {__proto__: f}';
  const { content } = readConfigurationFile(`true: a\n1: b\n~: c\n012: d\n${members}\n1.0: g`);
  t.deepEqual(Object.entries(content).slice(0, 3), [
    ['1', 'b'],
    ['10', 'd'],
    ['true', 'a'],
  ]);
  t.is(content[''], 'c');
  t.is(content['1.0'], 'g');
  t.is(Object.getPrototypeOf(content), null);
  t.is(Object.getOwnPropertyDescriptor(content, '__proto__')?.value, 'e');
  t.is(Object.getOwnPropertyDescriptor(content.constructor, '__proto__')?.value, 'f');
});

test('of two equal keys the last one counts, and a warning names both lines', (t) => {
  const { content, warnings } = readConfigurationFile('a: {x: 1}\nb: 1\na:\n  y: 1\n  y: 2\n  "y": 3\n', 'x.yml');
  t.deepEqual(JSON.parse(JSON.stringify(content)), { a: { y: 3 }, b: 1 });
  t.deepEqual(warnings, [
    {
      message: 'The key `y` is written twice, in lines 4 and 5: the last one is used',
      file: 'x.yml',
      position: { line: 5, column: 3 },
    },
    {
      message: 'The key `y` is written twice, in lines 5 and 6: the last one is used',
      file: 'x.yml',
      position: { line: 6, column: 3 },
    },
    {
      message: 'The key `a` is written twice, in lines 1 and 3: the last one is used',
      file: 'x.yml',
      position: { line: 3, column: 1 },
    },
  ]);
  const many = readConfigurationFile('a: 1\n'.repeat(1000));
  t.is(many.warnings.length, 100);
  t.deepEqual(readConfigurationFile('.d: &d {a: 1}\nj:\n  <<: *d\n  a: 2').warnings, []);
});

test('merge keys override what stands before them, and of several hashes the first wins', (t) => {
  const anchors = '.a: &a {x: 1, y: 1}\n.b: &b {y: 2, z: 2}\n';
  const merge = (job: string) => (read(`${anchors}j: ${job}`) as { j: unknown }).j;
  t.deepEqual(merge('{<<: *a, x: 5}'), { x: 5, y: 1 });
  t.deepEqual(merge('{x: 5, <<: *a}'), { x: 1, y: 1 });
  t.deepEqual(merge('{<<: [*a, *b]}'), { x: 1, y: 1, z: 2 });
  t.deepEqual(merge('{<<: *a, <<: *b}'), { x: 1, y: 2, z: 2 });
  t.deepEqual(merge('{<<: {q: 1}}'), { q: 1 });
  t.deepEqual(merge('{<<: text}'), { '<<': 'text' });
});

test('references are read as such, in any list and behind an alias', (t) => {
  const text = 'a:\n  script:\n    - !reference [.a, script, 1]\n  x: &r !reference [b]\n  y: *r';
  const { content } = readConfigurationFile(text);
  const a = content.a as { script: unknown[]; x: unknown; y: unknown };
  t.deepEqual(a.script, [new Reference(['.a', 'script', '1'])]);
  t.true(a.x instanceof Reference);
  t.is(a.x, a.y);
});

test('another tag, and a reference that is no list of scalars, are refused with their position', (t) => {
  const values = ['!foo bar', '!reference x', '!reference [[a]]', '!reference {a: 1}', '!reference []', '!!set {a}'];
  for (const value of values) {
    t.deepEqual(rejects(t, `a: 1\nb:\n  c: ${value}`, 'i.yml'), {
      message: 'Invalid configuration format',
      file: 'i.yml',
      position: { line: 3, column: 6 },
    });
  }
  t.is(rejects(t, 'a: !!binary aGk=').message, 'Invalid configuration format');
  t.is(rejects(t, 'a: !!int x').message, 'Invalid configuration format');
});

test('a file without content is refused', (t) => {
  for (const text of ['', ' \n\n', '# nothing\n  # here', '---\n', '\ufeff']) {
    t.is(rejects(t, text).message, 'Please provide content of .gitlab-ci.yml', JSON.stringify(text));
  }
});

test('a file that is no hash is refused', (t) => {
  for (const text of ['text', '- a', '12', 'a: 1\n---\n- b']) {
    t.is(rejects(t, text).message, 'Invalid configuration format', text);
  }
});

test('syntax errors name line and column', (t) => {
  const { message, position } = rejects(t, 'a:\n  b: 1\n c: 2\n');
  t.deepEqual(position, { line: 3, column: 2 });
  t.regex(message, /^\(<unknown>\): .+ at line 3 column 2$/);
  t.is(rejects(t, 'a: *x').message, '(<unknown>): Unknown alias: x at line 1 column 4');
  t.is(rejects(t, '? [a]\n: b').message, '(<unknown>): a key must be a scalar at line 1 column 3');
  t.regex(rejects(t, 'a: "b').message, /^\(<unknown>\): .+ at line 1 column \d+$/);
  t.regex(rejects(t, 'a: \0').message, /^\(<unknown>\): .+ at line 1 column 4$/);
});

test('files that are too large, also once aliases are followed, are refused', (t) => {
  const big = 'The parsed YAML is too big';
  t.is(rejects(t, `a: ${'ä'.repeat(1024 * 1024)}`).message, big);
  t.is(rejects(t, `a: ${'['.repeat(101)}${']'.repeat(101)}`).message, big);
  t.notThrows(() => readConfigurationFile(`a: ${'['.repeat(98)}${']'.repeat(98)}`));
  t.is(rejects(t, `a: &a [*a]`).message, big);
  const chain = Array.from({ length: 200 }, (_, at) => `k${at}: &k${at} [${at === 0 ? '' : `*k${at - 1}`}]`);
  t.is(rejects(t, chain.join('\n')).message, big);
  t.is(rejects(t, `a: &a 1\nb: [${'*a, '.repeat(10_001)}]`).message, big);
  const keys = Array.from({ length: 1001 }, (_, at) => `k${at}: 1`).join(', ');
  t.is(rejects(t, `.a: &a {${keys}}\nb: [${'{<<: *a}, '.repeat(100)}]`).message, big);
  t.is(rejects(t, `a: &a ${'x'.repeat(1_000_000)}\nb: [${'*a, '.repeat(10)}]`).message, big);
  t.notThrows(() => readConfigurationFile(`a: &a ${'x'.repeat(1_000_000)}\nb: [${'*a, '.repeat(6)}]`));
});

test('an alias bomb of nine levels is refused', (t) => {
  const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x]'];
  for (let level = 1; level <= 9; level += 1) {
    const alias = `*a${level - 1}`;
    lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => alias).join(',')}]`);
  }
  t.is(rejects(t, lines.join('\n')).message, 'The parsed YAML is too big');
});

test('two documents are a header and the content, or else the first is used', (t) => {
  const both = readConfigurationFile('spec:\n  inputs:\n    a:\n---\njob: {script: x}\njob: {script: y}');
  t.is(JSON.stringify([both.header, both.content]), '[{"spec":{"inputs":{"a":null}}},{"job":{"script":"y"}}]');
  t.deepEqual(both.locateInHeader(['spec', 'inputs', 'a']), { line: 3, column: 5 });
  t.deepEqual(both.locate(['job', 'script']), { line: 6, column: 7 });
  t.is(both.warnings.length, 1);
  const empty = readConfigurationFile('spec: {}\n---\n');
  t.deepEqual([JSON.stringify(empty.header), JSON.stringify(empty.content)], ['{"spec":{}}', '{}']);
  const first = readConfigurationFile('a: 1\n---\nb: 1', 'i.yml');
  t.deepEqual([first.header, JSON.stringify(first.content)], [null, '{"a":1}']);
  t.deepEqual(first.warnings, [{ message: 'Only the first document of the file is used', file: 'i.yml' }]);
  const alone = readConfigurationFile('---\nspec: {}\njob: 1\n');
  t.deepEqual([alone.header, JSON.stringify(alone.content)], [null, '{"spec":{},"job":1}']);
  t.is(rejects(t, 'a: 1\n---\nb: 1\n---\nc: 1').message, 'The parsed YAML has too many documents');
});

test('keys and items are found in the file, and of a path that goes on elsewhere its last part in the file', (t) => {
  const text = '\ufeff.x: &x\n  tags: [a]\r\njob:\r\n  "script":\n    - a\n    - if: b\n  <<: *x\n  job: {k: v}\nj: *x';
  const { locate } = readConfigurationFile(text);
  t.deepEqual(locate(['job']), { line: 3, column: 1 });
  t.deepEqual(locate(['job', 'script']), { line: 4, column: 3 });
  t.deepEqual(locate(['job', 'script', 1]), { line: 6, column: 7 });
  t.deepEqual(locate(['job', 'script', '1', 'if', 'x']), { line: 6, column: 7 });
  t.deepEqual(locate(['job', 'job', 'k']), { line: 8, column: 9 });
  t.deepEqual(locate(['job', 'tags']), { line: 3, column: 1 });
  t.deepEqual(locate(['j', 'tags']), { line: 9, column: 1 });
  t.is(locate(['nothing']), undefined);
  t.is(locate([]), undefined);
});

test('blocks of inputs may stand in lists of one line', (t) => {
  t.deepEqual(read('tags: [$[[ inputs.a | truncate(0, 3) ]], b]\n"$[[ inputs.c ]]": {$[[ inputs.d ]]: x}'), {
    tags: ['$[[ inputs.a | truncate(0, 3) ]]', 'b'],
    '$[[ inputs.c ]]': { '$[[ inputs.d ]]': 'x' },
  });
  t.deepEqual(read('a: "$[[ x ]] \ue0b0"'), { a: '$[[ x ]] \ue0b0' });
});

test('2,000 jobs in 400 KB are read', (t) => {
  const job = (at: number) =>
    `job ${at}:\n  extends: .base\n  stage: test\n  variables: {A: "1", B: two}\n  script:\n` +
    `    - !reference [.base, script]\n    - echo ${at} ${'x'.repeat(60)}\n  rules:\n    - if: $CI == "x"\n`;
  const text = Array.from({ length: 2000 }, (_, at) => job(at)).join('');
  t.true(text.length > 400_000);
  t.is(Object.keys(readConfigurationFile(text).content).length, 2000);
});

test('front matter takes no aliases, no other tags and one document', (t) => {
  const front = (yaml: string) => pageParts(`---\n${yaml}\n---\nText`).front_matter;
  t.deepEqual(front('title: A\ntitle: B\ndate: 2024-01-01\nlist: [1, 1.0]'), {
    title: 'B',
    date: '2024-01-01',
    list: [1, 1],
  });
  t.deepEqual(Object.keys(front('__proto__: 1')), ['__proto__']);
  t.deepEqual(front('a: .inf'), { a: null });
  for (const yaml of ['a: &a 1\nb: *a', 'a: !x 1', '- a', 'a: [', '']) t.deepEqual(front(yaml), {}, yaml);
});

test('keys that are merged count as memory, though nothing in the text stands for them', (t) => {
  const keys = Array.from({ length: 100 }, (_, index) => `  k${index}: 1`).join('\n');
  const memoryOf = (key: string) =>
    parseYaml(`a: &a\n${keys}\n${Array.from({ length: 50 }, (_, index) => `b${index}: {"${key}": *a}`).join('\n')}`)
      .memory;
  const merged = parseYaml(
    `a: &a\n${keys}\n${Array.from({ length: 50 }, (_, index) => `b${index}: {<<: *a}`).join('\n')}`,
  );
  t.is(Object.keys((merged.documents[0] as { b0: object }).b0).length, 100);
  t.is(merged.memory - memoryOf('c'), 50 * 100 * 64);
});
