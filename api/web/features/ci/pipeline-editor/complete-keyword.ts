import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { Text } from '@codemirror/state';
import { KEYWORD_VALUES, keywordsBelow } from './keywords.js';
import type { KeywordList } from './keywords.js';

// Own patterns: a key at the beginning of a line, and the value behind one.
const KEY = /^(\s*(?:- )?)([a-z_]*)$/;
const VALUE = /^\s*(?:- )?([a-z_]+):\s+([a-z_]*)$/;
const ANY_KEY = /^(\s*(?:- )?)("[^"]*"|'[^']*'|[^\s#][^:]*):(?:\s|$)/;

/** Lines above the cursor that are read at most. */
const MOST_LINES = 500;

const getWidth = (indent: string) => indent.length;

/** The keys that a line with this indentation is below, the innermost first. */
function readParents(doc: Text, lineNumber: number, indent: number): string[] {
  const parents: string[] = [];
  let inner = indent;
  for (let above = lineNumber - 1; above > 0 && above > lineNumber - MOST_LINES && inner > 0; above -= 1) {
    const [, space, key] = ANY_KEY.exec(doc.line(above).text) ?? [];
    if (space === undefined || key === undefined || getWidth(space) >= inner) continue;
    inner = getWidth(space);
    parents.push(key);
  }
  return parents;
}

const describe = (keywords: KeywordList, suffix: string, type: string) =>
  Object.entries(keywords).map(([label, detail]) => ({ label, detail, type, apply: label + suffix }));

/** Completes keywords by the keys above the cursor, and the values of some. */
export function completeKeyword({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const line = state.doc.lineAt(pos);
  const before = line.text.slice(0, pos - line.from);
  const [, keyword, begun] = VALUE.exec(before) ?? [];
  if (keyword !== undefined && begun !== undefined && Object.hasOwn(KEYWORD_VALUES, keyword))
    return { from: pos - begun.length, options: describe(KEYWORD_VALUES[keyword] ?? {}, '', 'enum'), validFor: KEY };
  const [, indent, word] = KEY.exec(before) ?? [];
  if (indent === undefined || word === undefined || (word === '' && !explicit)) return null;
  const keywords = keywordsBelow(readParents(state.doc, line.number, getWidth(indent)));
  return { from: pos - word.length, options: describe(keywords, ': ', 'keyword'), validFor: /^[a-z_]*$/ };
}
