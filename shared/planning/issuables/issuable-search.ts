import { sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import { allOf, likeLiteral } from '../../core/database/expressions.js';
import { onIssuables } from './issuable-filters.js';
import { searchTerms } from '../../tenancy/project-details/project-search.js';

/** Where a search looks. */
export const SEARCHED = ['title', 'description'] as const;
export type Searched = (typeof SEARCHED)[number];

/** Terms beyond so many are compared without an index: each costs the planner time, and the first ones find few rows. */
const INDEXED_TERMS = 12;

/** What the indexes `*_search` hold of `i`: both, so that one scan answers all terms. No word spans a line. */
// The expression of the indexes, to the letter.
const TEXT = sql<string>`(i.title || E'\\n' || coalesce(i.description, ''))`;

const matches = (text: Expression<string | null>, pattern: Expression<string> | string) =>
  onIssuables(text, 'ilike', pattern as string);

/**
 * That each term of a search stands in the title or the description of `i`, whatever the case: conditions that an index
 * serves. `%`, `_` and `\` are themselves. None where the search says nothing.
 */
export function searchConditions(search: string, searched: readonly Searched[]): Expression<SqlBool>[] {
  const patterns = searchTerms(search).map((term) => `%${likeLiteral(term)}%`);
  const indexed = patterns.slice(0, INDEXED_TERMS).map((pattern) => matches(TEXT, pattern));
  const rest = patterns.slice(INDEXED_TERMS);
  if (rest.length > 0) indexed.push(matches(TEXT, allOf(rest, 'text')));
  const [only, other] = new Set(searched);
  if (patterns.length > 0 && only && !other)
    indexed.push(matches(onIssuables.ref(`i.${only}`), allOf(patterns, 'text')));
  return indexed;
}
