import test from 'ava';
import { declaredNames, namesOutsideGlossary, replacedWord } from './glossary.js';

test('names are of the words of the glossary, but for those that are listed with their reason', (t) => {
  t.deepEqual(namesOutsideGlossary(), []);
});

test('a word that the glossary replaces is found in each part of a name', (t) => {
  t.is(replacedWord('issuesAsked'), 'asked');
  t.is(replacedWord('MAX_PLACES'), 'places');
  t.is(replacedWord('tokenBox'), 'box');
  t.is(replacedWord('replaceAll'), undefined);
});

test('what a source declares is looked at, not what it imports or reads', (t) => {
  const text = [
    "import { told } from 'elsewhere';",
    'const { asked: filters } = given.shown();',
    'export class Places { readonly #kept = 1; wanted(made: string) {} }',
    'type Words = { looks: number };',
  ].join('\n');
  t.deepEqual(
    [...declaredNames('a.ts', text)],
    [
      ['filters', 2],
      ['Places', 3],
      ['#kept', 3],
      ['wanted', 3],
      ['made', 3],
      ['Words', 4],
      ['looks', 4],
    ],
  );
});
