import test from 'ava';
import {
  ConfigurationError,
  type Hash,
  type Value,
} from '../../../shared/ci/configuration-model/configuration.types.js';
import { mergeHashes } from '../../../shared/ci/configuration-files/merge-hashes.js';
import { resolveExtends } from '../../../shared/ci/configuration-files/resolve-extends.js';

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

function listMessages(step: () => unknown): string[] {
  try {
    step();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ message }) => message);
    throw error;
  }
  return [];
}

test('hashes merge deeply, the later one wins, arrays and scalars are replaced', (t) => {
  const first = { a: { x: 1, y: [1, 2], z: { p: 1 } }, b: 1 };
  const second = { a: { y: [3], z: { q: 2 } }, b: { c: 1 }, d: null };
  const third = { a: { z: { q: 3 } }, d: 4 };
  const copy = structuredClone([first, second, third]);
  const merged = mergeHashes([first, second, third]);
  t.deepEqual(plain(merged), { a: { x: 1, y: [3], z: { p: 1, q: 3 } }, b: { c: 1 }, d: 4 });
  t.deepEqual(Object.keys(merged), ['a', 'b', 'd']);
  t.deepEqual([first, second, third], copy);
});

test('keys such as __proto__ and constructor are ordinary ones', (t) => {
  const hostile = JSON.parse('{"__proto__": {"script": "x"}, "constructor": {"y": 1}}') as Hash;
  const merged = mergeHashes([hostile, JSON.parse('{"__proto__": {"image": "z"}}') as Hash]);
  t.is(JSON.stringify(merged), '{"__proto__":{"script":"x","image":"z"},"constructor":{"y":1}}');
  t.is(({} as Hash)['script'], undefined);
  const job = JSON.parse('{"__proto__": {"script": "x"}, "a": {"extends": ["__proto__"]}}') as Hash;
  t.is(JSON.stringify(resolveExtends(job)['a']), '{"script":"x","extends":["__proto__"]}');
  t.deepEqual(
    listMessages(() => resolveExtends({ a: { extends: 'toString' } })),
    ['a: unknown keys in `extends` (toString)'],
  );
});

test('a job takes over what it extends, of several the later one, and its own keys win', (t) => {
  const content: Hash = {
    '.base': { script: ['a'], variables: { A: '1', B: '1' }, tags: ['x'] },
    '.other': { variables: { B: '2', C: '2' }, tags: ['y', 'z'] },
    job: { extends: ['.base', '.other'], variables: { C: '3' } },
    last: { extends: 'job', script: ['b'] },
    image: 'ruby',
  };
  const resolved = resolveExtends(content);
  t.deepEqual(plain(resolved['job']), {
    script: ['a'],
    variables: { A: '1', B: '2', C: '3' },
    tags: ['y', 'z'],
    extends: ['.base', '.other'],
  });
  t.deepEqual(Object.keys(resolved['job'] as Hash), ['script', 'variables', 'tags', 'extends']);
  t.deepEqual(plain((resolved['last'] as Hash)['variables']), { A: '1', B: '2', C: '3' });
  t.deepEqual((resolved['last'] as Hash)['script'], ['b']);
  t.deepEqual(Object.keys(resolved), Object.keys(content));
  t.deepEqual(plain(resolveExtends({ a: { extends: null, script: 'x' } })['a']), { extends: null, script: 'x' });
});

test('what cannot be extended is an error that names the job', (t) => {
  const content: Hash = {
    a: { extends: ['b', '.c', '.d'] },
    b: { script: 'x' },
    e: { extends: 'image' },
    f: { extends: 'f' },
    g: { extends: { a: 1 } },
    h: { extends: 'a' },
    image: 'ruby',
  };
  t.deepEqual(
    listMessages(() => resolveExtends(content)),
    [
      'a: unknown keys in `extends` (.c, .d)',
      'e: invalid base hashes in `extends` (image)',
      'f: circular dependency detected in `extends`',
      'jobs:g:extends config should be an array of strings or a string',
    ],
  );
  const circle = { a: { extends: 'b' }, b: { extends: 'c' }, c: { extends: 'b' }, d: { extends: 'c' } };
  t.deepEqual(
    listMessages(() => resolveExtends(circle)),
    ['b: circular dependency detected in `extends`'],
  );
});

/** `count` jobs that each extend the next one; the last is `end`. */
function buildChain(count: number, isReverse = false): Hash {
  const names = Array.from({ length: count }, (_, index) => `j${index + 1}`);
  const entries = names.map((name, index): [string, Value] => [
    name,
    { extends: names[index + 1] ?? 'end', [name]: index },
  ]);
  return Object.fromEntries([...(isReverse ? entries.toReversed() : entries), ['end', { script: 'x' }]]);
}

test('eleven levels of extends are fine, twelve are too many, whatever the order of the file', (t) => {
  t.deepEqual(plain((resolveExtends(buildChain(11))['j1'] as Hash)['script']), 'x');
  t.is(Object.keys(resolveExtends(buildChain(11, true))['j1'] as Hash).length, 13);
  t.deepEqual(
    listMessages(() => resolveExtends(buildChain(12))),
    ['j12: nesting too deep in `extends`'],
  );
  t.deepEqual(
    listMessages(() => resolveExtends(buildChain(12, true))),
    ['j12: nesting too deep in `extends`'],
  );
});

test('at most 100 problems are listed, and messages are cut', (t) => {
  const jobs = Array.from({ length: 300 }, (_, index): [string, Value] => [`a${index}`, { extends: 'x'.repeat(5000) }]);
  const messages = listMessages(() => resolveExtends(Object.fromEntries(jobs)));
  t.is(messages.length, 100);
  t.is(messages[0]?.length, 1000);
});

test('2,000 jobs may extend one base; a result that is too big is refused', (t) => {
  const base: Hash = { script: Array.from({ length: 50 }, (_, index) => `echo ${index}`), variables: { A: '1' } };
  const jobs = Array.from({ length: 2000 }, (_, index): [string, Value] => [
    `job ${index}`,
    { extends: '.base', variables: { B: String(index) } },
  ]);
  const resolved = resolveExtends(Object.fromEntries([...jobs, ['.base', base]]));
  t.is(((resolved['job 7'] as Hash)['variables'] as Hash)['B'], '7');
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, null]));
  const many = Object.fromEntries([...jobs, ['.base', wide]]);
  t.deepEqual(
    listMessages(() => resolveExtends(many)),
    ['The parsed YAML is too big'],
  );
  const repeated = { a: { extends: Array.from({ length: 20_000 }, () => '.base') }, '.base': wide };
  t.deepEqual(
    listMessages(() => resolveExtends(repeated)),
    ['The parsed YAML is too big'],
  );
  const itself: Hash = { script: [] };
  itself['variables'] = itself;
  t.deepEqual(
    listMessages(() => resolveExtends({ itself })),
    ['The parsed YAML is too big'],
  );
});
