import test from 'ava';
import { addressedNames } from '../../../shared/notes/to-dos/addressed-names.js';

// Contract: to-dos.mentioned
test('addressed are those whose names begin a line', (t) => {
  const names = (text: string) => [...addressedNames(text)].join(' ');
  t.is(names('@Ann what do you think? cc @bob'), 'ann');
  t.is(names('Hello\n@erin @frank thank you!\r\n@group/sub-group, @dan: now'), 'erin frank group/sub-group dan');
  t.is(names('- @carol\n> @dan\nto @erin'), '');
  t.is(names('>>>\n@dan\n>>>\n@ann\n```\n@bob\n```'), 'ann');
  t.is(names('````\n@bob\n```\n@dan\n````\n@ann'), 'ann');
  t.is(names('@ann. Yes'), 'ann');
  t.is(names(`@${'a'.repeat(50_000)}\n${'@b '.repeat(20_000)}`).length, 50_002);
});
