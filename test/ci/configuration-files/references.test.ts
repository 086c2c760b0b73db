import test from 'ava';
import {
  ConfigurationError,
  Reference,
  type Hash,
  type Value,
} from '../../../shared/ci/configuration-model/configuration.types.js';
import { resolveYamlReferences } from '../../../shared/ci/configuration-files/resolve-references.js';

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
const refer = (...path: string[]) => new Reference(path);

function listMessages(content: Hash): string[] {
  try {
    resolveYamlReferences(content);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ message }) => message);
    throw error;
  }
  return [];
}

test('references are replaced by what they name, one in another too', (t) => {
  const content: Hash = {
    '.a': { script: ['one', 'two'], rules: [{ if: '$A' }], variables: { X: '1', Y: false } },
    '.b': { script: [refer('.a', 'script'), 'three'] },
    job: {
      script: ['zero', refer('.b', 'script')],
      rules: [refer('.a', 'rules')],
      variables: { X: refer('.a', 'variables', 'X') },
      interruptible: refer('.a', 'variables', 'Y'),
    },
    whole: refer('.a'),
    through: { script: refer('whole', 'script') },
  };
  const resolved = resolveYamlReferences(content);
  t.deepEqual(plain(resolved['job']), {
    script: ['zero', [['one', 'two'], 'three']],
    rules: [[{ if: '$A' }]],
    variables: { X: '1' },
    interruptible: false,
  });
  t.deepEqual(plain(resolved['whole']), plain(content['.a']));
  t.deepEqual(plain(resolved['through']), { script: ['one', 'two'] });
  t.true((content['job'] as Hash)['interruptible'] instanceof Reference);
});

test('content without references stays the same object', (t) => {
  const content: Hash = { a: { script: [['x']] } };
  t.is(resolveYamlReferences(content), content);
});

test('a reference to what is not there is an error', (t) => {
  const content: Hash = {
    a: { script: [refer('.a', 'script')], image: refer('.a'), tags: refer('b', 'script', 'x'), needs: refer() },
    b: { script: ['x'], cache: null, image: refer('b', 'cache'), services: refer('b', 'image') },
    c: { script: refer('constructor') },
  };
  t.deepEqual(listMessages(content), [
    '!reference [".a", "script"] could not be found',
    '!reference [".a"] could not be found',
    '!reference ["b", "script", "x"] could not be found',
    '!reference [] could not be found',
    '!reference ["b", "cache"] could not be found',
    '!reference ["constructor"] could not be found',
  ]);
});

test('references in a circle are an error', (t) => {
  t.deepEqual(listMessages({ a: { b: refer('a', 'b') } }), ['!reference ["a", "b"] is part of a circular chain']);
  const two = { a: { b: [refer('c', 'd')] }, c: { d: [refer('a', 'b')] } };
  t.deepEqual(listMessages(two), ['!reference ["c", "d"] is part of a circular chain']);
  t.deepEqual(listMessages({ a: { b: ['x', refer('a')] } }), ['!reference ["a"] is part of a circular chain']);
  t.deepEqual(listMessages({ a: refer('b', 'x'), b: refer('a', 'y') }), [
    '!reference ["b", "x"] is part of a circular chain',
  ]);
});

/** `count` entries that each refer to the next one. */
function buildChain(count: number, isReverse: boolean): Hash {
  const entries = Array.from({ length: count }, (_, index): [string, Value] => [`r${index}`, refer(`r${index + 1}`)]);
  return Object.fromEntries([...(isReverse ? entries.toReversed() : entries), [`r${count}`, 'end']]);
}

test('ten references one in another are fine, eleven are too many', (t) => {
  t.is(resolveYamlReferences(buildChain(10, false))['r0'], 'end');
  t.is(resolveYamlReferences(buildChain(10, true))['r0'], 'end');
  t.deepEqual(listMessages(buildChain(11, false)), ['!reference ["r11"] is nested too deep (maximum is 10 levels)']);
  t.deepEqual(listMessages(buildChain(11, true)), ['!reference ["r2"] is nested too deep (maximum is 10 levels)']);
});

test('references that multiply are refused, and many that do not are resolved', (t) => {
  const bomb: Hash = { r9: { script: ['x'.repeat(100)] } };
  for (let level = 0; level < 9; level++) {
    bomb[`r${level}`] = Array.from({ length: 100 }, () => refer(`r${level + 1}`));
  }
  t.deepEqual(listMessages(bomb), ['The parsed YAML is too big']);
  const jobs = Array.from({ length: 2000 }, (_, index): [string, Value] => [
    `job ${index}`,
    { script: [refer('.base', 'script'), refer('.base', 'more')] },
  ]);
  const many: Hash = Object.fromEntries([...jobs, ['.base', { script: ['a', 'b'], more: [refer('.base', 'script')] }]]);
  const resolved = resolveYamlReferences(many);
  t.deepEqual(plain(resolved['job 1999']), { script: [['a', 'b'], [['a', 'b']]] });
});
