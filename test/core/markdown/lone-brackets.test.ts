import test from 'ava';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { loneBrackets } from '../../../shared/core/markdown/lone-brackets.js';

const plain = new MarkdownIt({ html: true }).use(footnotes);
const quick = new MarkdownIt({ html: true }).use(footnotes).use(loneBrackets);
for (const one of [plain, quick]) one.inline.ruler.disable('footnote_inline');

const PIECES = ['[', '![', '!', ']', '](', ')', '(', 'a', ' ', '\n', '\n\n', '`', '\\', '*', '<b>', '[^1]', '[x](y)'];
const NAMES = ['[a]: /b\n\n', '[^1]: note\n\n'];
const texts = fc.array(fc.constantFrom(...PIECES, ...NAMES), { maxLength: 30 }).map((pieces) => pieces.join(''));

// Contract: markdown-1.bombs
test('brackets that begin nothing are passed over without a change of what is shown', (t) => {
  fc.assert(
    fc.property(texts, (text) => quick.render(text) === plain.render(text)),
    { numRuns: 5000 },
  );
  t.pass();
});

// Contract: markdown-1.bombs
test('each of 100,000 brackets is looked at once', (t) => {
  let count = 0;
  quick.inline.ruler.before('lone_brackets', 'counted', () => {
    count += 1;
    return false;
  });
  for (const bomb of ['['.repeat(100_000), '!['.repeat(50_000), `[a]: /b\n\n${'['.repeat(100_000)}`]) {
    count = 0;
    quick.render(bomb);
    t.true(count < 10, `${bomb.slice(0, 5)}: ${count}`);
  }
});
