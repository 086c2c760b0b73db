import test from 'ava';
import picomatch from 'picomatch';
import { compileGlob } from '../../../shared/ci/rules/glob-pattern.js';
import { matchesAny, matchPaths } from '../../../shared/ci/rules/match-paths.js';

function matches(glob: string, path: string): boolean {
  return matchesAny([glob], [path]);
}

function check(t: { is(a: boolean, b: boolean, message: string): unknown }, rows: string): void {
  for (const row of rows.trim().split('\n')) {
    const [glob, yes, no] = row.split('|').map((part) => part.trim());
    for (const path of yes!.split(' ').filter(Boolean)) t.is(matches(glob!, path), true, `${glob} ${path}`);
    for (const path of no!.split(' ').filter(Boolean)) t.is(matches(glob!, path), false, `${glob} ${path}`);
  }
}

test('globs', (t) => {
  check(
    t,
    String.raw`
      README.txt          | README.txt                     | readme.txt a/README.txt README_md
      /README.txt         | README.txt                     | a/README.txt
      *                  | a .a a.b                      | a/b
      *.txt               | a.txt .txt .a.txt                | a/b.txt a.mdx
      a?c                | abc a.c                       | a/c ac abbc
      docs/*             | docs/a docs/.a                | docs docs/a/b
      docs/**            | docs/a docs/a/b docs/.a/.b    | docs docs2/a
      docs/**/*          | docs/a docs/a/b/c             | docs a/docs/b
      **                 | a a/b .a/.b                   |
      **/*.rb            | a.rb a/b/.c.rb .x/y.rb        | a.rbx
      a/**/b             | a/b a/x/b a/x/y/b             | a/xb ab
      a/**/**/b          | a/b a/x/b                     | ab
      **.js              | a.js                          | a/b.js
      a**                | a ab                          | a/b
      a***b              | ab axxb                       | a/b
      [ab].txt            | a.txt b.txt                     | c.txt [ab].txt
      [!a]x              | bx .x                         | ax x /x
      [^a]x              | bx                            | ax
      [a-c]x             | bx                            | dx
      [+-9]x             | .x 0x                         | ax
      a[+-9]x            | a.x                           | a/x
      []a]x              | ]x ax                         | bx
      [c-a]x             |                               | bx cx
      [a-]x              | -x ax                         | bx
      [a                 | [a                            | a
      *.{js,ts}          | a.js .ts                      | a.jsx a.{js,ts}
      {a,b/c}/*          | a/x b/c/x                     | b/x a/b/c
      {src/,}**/x        | x src/x src/a/x a/x           | ax
      {docs/**,*.txt}     | docs/a/b a.txt                 | a/b.txt
      {a,{b,c}d}         | a bd cd                       | b c
      {a,}b              | ab b                          | a
      {a,b               | {a,b                          | a
      a},b               | a},b                          | a
      a\*b               | a*b                           | axb
      \{a,b}             | {a,b}                         | a
      {[,],b}            | , b                           | [
      !a                 | !a                            | b a
      a+                 | a+                            | aa
      +(a)               | +(a)                          | a aa
      $a.^x              | $a.^x                         | x
      {1..3}             | 1..3                          | 2
      "a*"               | "ab"                          | ab
    `,
  );
  t.true(matches('a(b|c)*', 'a(b|c)x'));
  t.false(matches('a(b|c)*', 'ab'));
  t.true(matches('é?', 'é😀'));
});

test('plain globs mean what picomatch reads', (t) => {
  let seed = 11;
  const pick = <T>(values: readonly T[]): T => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return values[(seed >> 8) % values.length]!;
  };
  const segments = ['a', 'b', '.a', '*', '*.x', 'a*', '?', '[ab]', '{a,b}', '{a,.b}.x', '**'] as const;
  const names = ['a', 'b', '.a', 'a.x', '.b.x', 'ab', 'c'] as const;
  let count = 0;
  for (let round = 0; round < 4_000; round += 1) {
    const glob = Array.from({ length: 1 + (round % 4) }, () => pick(segments)).join('/');
    const path = Array.from({ length: 1 + pick([0, 1, 2, 3]) }, () => pick(names)).join('/');
    // `docs/**` does not mean `docs` itself here, as on the public server.
    if (glob.endsWith('/**') && picomatch(glob.slice(0, -3), { dot: true })(path)) continue;
    count += 1;
    t.is(matches(glob, path), picomatch(glob, { dot: true })(path), `${glob} ${path}`);
  }
  t.true(count > 3_000);
});

test('any text is a glob', (t) => {
  const chars = [...'ab/*?[]{},\\!^-.(é'];
  let seed = 3;
  for (let round = 0; round < 5_000; round += 1) {
    const glob = Array.from({ length: 1 + (round % 12) }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return chars[(seed >> 8) % chars.length];
    }).join('');
    t.not(compileGlob(glob), null, glob);
  }
});

test('hostile globs come to an end and do not match', (t) => {
  const path = `${'a'.repeat(1_000)}/${'a/'.repeat(1_000)}c`;
  for (const glob of [
    '{a,b}'.repeat(200),
    `${'{a,'.repeat(340)}${'}'.repeat(3)}`,
    `${'{'.repeat(300)}a${',b}'.repeat(240)}`,
    '*'.repeat(1_000),
    '*a'.repeat(500),
    '**/'.repeat(340),
    '**/a*/'.repeat(150),
    '['.repeat(1_000),
    '{[,'.repeat(330),
    '+(a+)'.repeat(200),
    '+(+(+(a+)+)+)*',
    '?'.repeat(1_024),
  ]) {
    t.false(matches(glob, path), glob.slice(0, 20));
  }
  t.is(compileGlob('*'.repeat(1_025)), null);
  t.true(matches('x'.repeat(1_100), 'x'.repeat(1_100)));
});

test('more than 50,000 comparisons count as a match; patterns without wildcards are no comparison', (t) => {
  const paths = Array.from({ length: 25_000 }, (_, index) => `src/${index}.ts`);
  t.is(matchPaths(['*.txt', 'docs/**'], paths), 'no_match');
  t.is(matchPaths(['*.txt', 'docs/**', 'docs/*'], paths), 'too_many');
  t.true(matchesAny(['*.txt', 'docs/**', 'docs/*'], paths));
  t.is(matchPaths(['*.txt', 'docs/**', 'README', 'x', 'y'], paths), 'no_match');
  t.is(matchPaths(['*.txt', '*.txt', '*.txt'], paths), 'no_match');
  t.is(matchPaths(['*.txt', 'src/7.ts'], paths), 'match');
  t.is(matchPaths(['src/24999.*'], paths), 'match');
  t.false(matchesAny([], paths));
  t.false(matchesAny(['**'], []));
});
