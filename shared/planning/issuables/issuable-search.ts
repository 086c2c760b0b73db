import { likeLiteral, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { searchTerms } from '../../tenancy/project-lists/project-search.js';

/** Where a search looks. */
export const SEARCHED = ['title', 'description'] as const;
export type Searched = (typeof SEARCHED)[number];

/** Terms beyond so many are compared without an index: each costs the planner time, and the first ones find few rows. */
const INDEXED_TERMS = 12;

/** What the indexes `*_search` hold of `i`: both, so that one scan answers all terms. No word spans a line. */
const TEXT = sql`(i.title || E'\\n' || coalesce(i.description, ''))`;

const holdsAll = (text: Fragment, patterns: readonly string[]): Fragment =>
  sql`${text} ilike all (${[...patterns]}::text[])`;

/**
 * That each term of a search stands in the title or the description of `i`, whatever the case: conditions that an index
 * serves. `%`, `_` and `\` are themselves. None where the search says nothing.
 */
export function searchConditions(search: string, searched: readonly Searched[]): Fragment[] {
  const patterns = searchTerms(search).map((term) => `%${likeLiteral(term)}%`);
  const indexed: Fragment[] = patterns.slice(0, INDEXED_TERMS).map((pattern) => sql`${TEXT} ilike ${pattern}`);
  const rest = patterns.slice(INDEXED_TERMS);
  if (rest.length > 0) indexed.push(holdsAll(TEXT, rest));
  const [only, other] = new Set(searched);
  if (patterns.length > 0 && only && !other) indexed.push(holdsAll(raw(`i.${only}`), patterns));
  return indexed;
}
