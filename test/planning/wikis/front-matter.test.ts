import test from 'ava';
import { pageParts } from '../../../shared/planning/wikis/front-matter.js';

test('of a key that stands twice in front matter the last one counts, among many others', (t) => {
  const keys = Array.from({ length: 2_000 }, (_, at) => `k${at}: ${at}`).join('\n');
  const { front_matter: found, text } = pageParts(`---\ntitle: One\n${keys}\ntitle: Two\n---\nText`);
  t.is(found.title, 'Two');
  t.is(Object.keys(found).length, 2_001);
  t.is(text, 'Text');
});
