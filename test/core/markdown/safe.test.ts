import test from 'ava';
import fc from 'fast-check';
import { cleanHtml } from '../../../shared/core/markdown/clean-html.js';
import { escapeText, unescapeText } from '../../../shared/core/markdown/escape-text.js';
import { markReferences } from '../../../shared/core/markdown/mark-references.js';
import type { ReferenceSyntax } from '../../../shared/core/markdown/reference-syntax.js';
import { RenderedTexts } from '../../../shared/core/markdown/rendered-texts.js';
import { asWritten, renderText } from '../../../shared/core/markdown/render-text.js';
import { renderHtml } from '../../../shared/core/markdown/renderer.js';
import { writeHtml } from '../../../shared/core/markdown/write-html.js';

const syntaxes: ReferenceSyntax[] = [
  { kind: 'issue', sigil: '#', nameForms: ['number'], prefixed: true, routes: ['issues'] },
  { kind: 'label', sigil: '~', nameForms: ['number', 'quoted', 'word'], prefixed: true },
  { kind: 'user', sigil: '@', nameForms: ['path'], prefixed: false },
  { kind: 'commit', nameForms: ['sha'], prefixed: false },
  { kind: 'commit', sigil: '@', nameForms: ['sha'], prefixed: true },
];
const marks = { syntaxes, base: 'http://here.example' };

/** Pieces of which texts are made that try to break out. */
const PIECES = [
  'a',
  ' ',
  '\n',
  '\n\n',
  '*',
  '**',
  '_',
  '`',
  '```',
  '~~',
  '~',
  '[',
  ']',
  '(',
  ')',
  '!',
  '<',
  '>',
  '"',
  "'",
  '&',
  '&lt;',
  '&quot;',
  '&#60;',
  '#1',
  '@al',
  '~"x y"',
  '~"<b>"',
  '~b',
  'g/p#2',
  'abcdef1',
  'abcdef1...abcdef2',
  ':tada:',
  'http://b.example',
  'javascript:',
  '- [ ] ',
  '# ',
  '> ',
  '|a|\n|-|\n',
  '[^1]',
  '[^1]: ',
  '$',
  '$$',
  '\\',
  '1. ',
  '    ',
  'http://here.example/g/p/-/issues/5',
  '[a](http://here.example/g/p/-/issues/5 "t")',
  '![x](y "z")',
  '[a]: /b "c"\n',
];
const piece = fc.constantFrom(...PIECES);
const html = fc.constantFrom(
  '<b>',
  '</b>',
  '<a href="',
  '">',
  '<script>',
  '<img src=x onerror=',
  '<!--',
  '-->',
  '<svg/',
  '<h1 id=',
);
const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
const hostile = fc.array(fc.oneof(piece, html), { maxLength: 40 }).map((pieces) => pieces.join(''));

// Contract: markdown-1.safe
test('what the renderer writes by itself is clean already', (t) => {
  fc.assert(
    fc.property(texts, (text) => {
      const output = renderHtml(text);
      // Cleaning writes attributes without a value and quotes in another way, and nothing else.
      const alike = (markup: string) => markup.replaceAll('=""', '').trimEnd();
      return alike(cleanHtml(output)) === alike(output);
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

/** A link that tries to put HTML into the page by each of its parts. */
const EVIL = '"><script>alert(1)</script>';
const link = { href: EVIL, text: EVIL, title: EVIL, data: { evil: EVIL } };

// Contract: markdown-1.safe
test('whatever a text, a title or a name is: nothing runs, and all tags end', (t) => {
  fc.assert(
    fc.property(hostile, (text) => {
      const output = writeHtml(renderText(text, 'text', marks), null, () => link);
      const tags = (output.match(/<[^>]*>/g) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));
      const isSafe = tags.every(
        (tag) => /^<\/?(gl-emoji|[a-z]+[1-6]?)[\s/>]/.test(tag) && !/<\/?script|\son\w+=[^"]/.test(tag),
      );
      return isSafe && !/<script|<svg|<!--/.test(output) && !output.replaceAll(/<[^>]*>/g, '').includes('<');
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

// Contract: markdown-1.safe
test('without links a text is shown as it was rendered', (t) => {
  fc.assert(
    fc.property(hostile, (text) => {
      const rendered = markReferences(renderHtml(text), { ...marks });
      return (
        writeHtml(rendered, null, () => undefined) ===
        writeHtml(markReferences(renderHtml(text), { syntaxes: [], base: '' }), null, () => undefined)
      );
    }),
    { numRuns: 1000 },
  );
  t.is(unescapeText(escapeText('<&lt;>"')), '<&lt;>"');
});

// Contract: markdown-1.bombs
test('references beyond five thousand stay text, and HTML past all measure is shown as it was written', (t) => {
  const many = Array.from({ length: 12_000 }, (_, at) => `#${at + 1}`).join(' ');
  t.is(renderText(many, 'text', marks).candidates.length, 5000);
  const headings = '# a\n'.repeat(100_000);
  t.deepEqual(renderText(headings, 'text', marks), asWritten(headings, 'text'));
});

// Contract: markdown-1.bombs
test('a text of too many parts is shown as it was written', (t) => {
  const cells = `${'|a'.repeat(1000)}|\n${'|-'.repeat(1000)}|\n${`${'|'.repeat(1000)}\n`.repeat(1000)}`;
  for (const bomb of [cells, '- a\n'.repeat(100_000), '*a* '.repeat(200_000)])
    t.deepEqual(renderText(bomb, 'text', marks), asWritten(bomb, 'text'));
});

// Contract: markdown-1.bombs
test('texts made to cost are rendered in the end, or shown as they were written', async (t) => {
  t.timeout(120_000);
  const cache = new RenderedTexts(marks);
  const bombs = [
    ...[...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'].map((character) => character.repeat(100_000)),
    '['.repeat(100_000) + ']'.repeat(100_000),
    '> '.repeat(10_000) + 'a',
    `${'|a'.repeat(1000)}|\n${'|-'.repeat(1000)}|\n${`${'|'.repeat(1000)}\n`.repeat(1000)}`,
    Array.from({ length: 60_000 }, (_, at) => `#${at}`).join(' '),
    '<b>'.repeat(100_000),
    '$`a '.repeat(50_000),
    '[^a'.repeat(50_000),
  ];
  for (const bomb of bombs) {
    const output = writeHtml(await cache.render(bomb, 'text'), null, () => undefined);
    t.true(output.length > 0 && !output.includes('<script'), bomb.slice(0, 20));
  }
});
