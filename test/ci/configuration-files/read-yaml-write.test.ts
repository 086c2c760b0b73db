import test from 'ava';
import { readConfigurationFile } from '../../../shared/ci/configuration-files/read-configuration-file.js';
import { formatYaml } from '../../../shared/ci/configuration-files/write-yaml.js';
import { Reference } from '../../../shared/ci/configuration-model/configuration.types.js';
import type { Hash, Value } from '../../../shared/ci/configuration-model/configuration.types.js';

test('a configuration is written as the public API writes it', (t) => {
  const text = `---
stages:
- build
job:
  script:
  - !reference [.a, script]
  - 'echo: x'
  - |
    two
    lines
  - ${'long '.repeat(40)}end
  variables:
    A: 'yes'
    B: '012'
    C:
    D: '1.0'
    E: '2024-01-01'
    F: 10
    G: true
  empty: []
  none: {}
  deep:
  - - a
    - b
  - k: v
    l: w
`;
  t.is(formatYaml(readConfigurationFile(text).content), text);
});

test('aliases are written out', (t) => {
  const { content } = readConfigurationFile('a: &a [x]\nb: *a');
  t.is(formatYaml(content), '---\na:\n- x\nb:\n- x\n');
});

/** Numbers from 0 up to below a bound, always the same ones. */
function createRandom(seed: number) {
  let state = seed;
  return (bound: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}

const TEXTS = [
  '| |a|yes|NO|y|null|~|012|1.0|1e3|12:30|-|- a|a: b|#|a #b|<<|"|\'|!x|&a|*a|%|@|`|[|{|>|?|---|...|ä|😀|$[[ x ]]',
  '.inf|\n|a\n|a\n\n|\na| a\nb|a\tb|\u0007|\u2028|__proto__|constructor|2024-01-01',
].flatMap((line) => line.split('|'));
TEXTS.push('|', '');

test('what is written is read as the same values', (t) => {
  const random = createRandom(7);
  const text = () => TEXTS[random(TEXTS.length)] as string;
  const make = (depth: number): Value => {
    const kind = random(depth > 3 ? 4 : 7);
    if (kind === 0) return text();
    if (kind === 1) return [null, true, false][random(3)] as Value;
    if (kind === 2) return random(2000) - 1000;
    if (kind === 3) return random(2) === 0 ? text() + text() : new Reference([text() || 'x', `${text()}x`]);
    if (kind === 4) return Array.from({ length: random(4) }, () => make(depth + 1));
    const hash = Object.create(null) as Hash;
    for (let count = random(5); count > 0; count -= 1) {
      const key = text();
      if (key !== '<<') hash[key] = make(depth + 1);
    }
    return hash;
  };
  for (let round = 0; round < 500; round += 1) {
    const hash = Object.create(null) as Hash;
    hash.a = make(0);
    const yaml = formatYaml(hash);
    t.deepEqual(readConfigurationFile(yaml).content, hash, yaml);
  }
});
