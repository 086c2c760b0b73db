import test from 'ava';
import { languageAttributes } from '../../../shared/tenancy/projects/attributes.js';
import { pathPattern, WorkBudget } from '../../../shared/tenancy/projects/path-pattern.js';

const matches = (pattern: string, path: string) => pathPattern(pattern)?.(path) ?? false;

test('a pattern without a slash is about names at any depth, one with a slash about paths', (t) => {
  t.true(matches('*.gen.ts', 'a/b/c.gen.ts'));
  t.true(matches('lib', 'src/lib'));
  t.true(matches('src/*.ts', 'src/a.ts'));
  t.false(matches('src/*.ts', 'src/deep/a.ts'));
  t.false(matches('src/*.ts', 'other/src/a.ts'));
  t.true(matches('/a.ts', 'a.ts'));
  t.false(matches('/a.ts', 'b/a.ts'));
});

test('two stars stand for any number of folders', (t) => {
  for (const path of ['lib/a.js', 'lib/x/a.js', 'lib/x/y/a.js']) t.true(matches('lib/**', path), path);
  t.false(matches('lib/**', 'lib'));
  t.true(matches('**/gen/*.js', 'gen/a.js'));
  t.true(matches('**/gen/*.js', 'x/y/gen/a.js'));
  t.true(matches('a/**/b.js', 'a/b.js'));
  t.true(matches('a/**/b.js', 'a/x/y/b.js'));
  t.false(matches('a/**/b.js', 'a/x/c.js'));
});

test('single characters, classes and escapes', (t) => {
  t.true(matches('?.js', 'a.js'));
  t.false(matches('?.js', 'ab.js'));
  t.true(matches('[a-c]x[!0-9].js', 'bxz.js'));
  t.false(matches('[a-c]x[!0-9].js', 'bx1.js'));
  t.false(matches('[a-c]x.js', 'dx.js'));
  t.true(matches('\\*.js', '*.js'));
  t.false(matches('\\*.js', 'a.js'));
  t.true(matches('[', '['));
});

test('what can match no file is no pattern', (t) => {
  for (const pattern of ['', 'lib/', '!a.js']) t.is(pathPattern(pattern), null);
});

test('a pattern of many stars is answered like any other, a very long one is none', (t) => {
  t.false(matches(`${'*a'.repeat(120)}b`, 'a'.repeat(4000)));
  t.true(matches(`${'*a'.repeat(120)}`, 'a'.repeat(4000)));
  t.false(matches(`${'**/a/'.repeat(50)}b`, 'a/'.repeat(1000)));
  t.is(pathPattern('['.repeat(60_000)), null);
});

test('what patterns may take is taken from one budget; without any left they match nothing', (t) => {
  const budget = new WorkBudget(100);
  const pattern = pathPattern('*.js', budget);
  t.true(pattern?.('a.js'));
  t.false(pattern?.(`${'a'.repeat(50)}.js`));
  t.false(pattern?.('a.js'));
});

test('lines that git passes over, and what their quotes leave open, say nothing', (t) => {
  const long = `${'a'.repeat(2040)} linguist-vendored`;
  const attributesOf = languageAttributes([{ path: '.gitattributes', text: `${long}\n"b.js linguist-vendored\n` }]);
  t.deepEqual(attributesOf('a'.repeat(2040)), {});
  t.deepEqual(attributesOf('b.js'), {});
});

test('rules beyond what is to be read are left out', (t) => {
  const text = Array.from({ length: 300 }, (_, at) => `${at}.js linguist-vendored`).join('\n');
  const attributesOf = languageAttributes([{ path: '.gitattributes', text }]);
  t.deepEqual(attributesOf('199.js'), { vendored: true });
  t.deepEqual(attributesOf('200.js'), {});
  t.deepEqual(languageAttributes([{ path: '.gitattributes', text }], 1)('1.js'), {});
});

test('later lines and folders below say more than what is above them', (t) => {
  const attributesOf = languageAttributes([
    { path: 'sub/.gitattributes', text: '*.js linguist-generated=false\n' },
    {
      path: '.gitattributes',
      text: '# linguist\n[attr]x linguist-vendored\n*.js linguist-vendored linguist-generated\n"with space.js" -linguist-vendored text\r\n*.foo linguist-language=Ruby\nlast.foo !linguist-language\n',
    },
  ]);
  t.deepEqual(attributesOf('a.js'), { vendored: true, generated: true });
  t.deepEqual(attributesOf('sub/a.js'), { vendored: true, generated: false });
  t.deepEqual(attributesOf('with space.js'), { vendored: false, generated: true });
  t.is(attributesOf('a.foo').language, 'Ruby');
  t.is(attributesOf('last.foo').language, undefined);
  t.deepEqual(attributesOf('other'), {});
});
