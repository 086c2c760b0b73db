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

/** The text of `i` in the `*_search` indexes: both columns, so one scan serves all terms. No term spans lines. */
// The expression of the indexes, to the letter.
const TEXT = sql<string>`(i.title || E'\\n' || coalesce(i.description, ''))`;

const matches = (text: Expression<string | null>, pattern: Expression<string> | string) =>
  onIssuables(text, 'ilike', pattern as string);

/**
 * Conditions, served by an index, that each search term occurs in the title or the description of `i`, ignoring case.
 * `%`, `_` and `\` are matched literally. No conditions for an empty search.
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
