import { expressionBuilder, sql } from 'kysely';
import type { Expression, RawBuilder, SqlBool } from 'kysely';
import { allOf, anyIn, arrayFrom, likeLiteral } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { TenancyDatabase } from '../tenancy.entities.js';

/** Text between double quotes at word boundaries is one term; quotes anywhere else are literal characters. */
const TERM = /(?<=^|\s)"([^"]+)"(?=\s|$)|\S+/g;
/** Terms beyond so many are compared without an index: each costs the planner time, and the first ones find few rows. */
const INDEXED_TERMS = 12;

/**
 * The terms of a search, longest first: words between spaces, and quoted phrases. Omits terms contained in another
 * term. Terms keep their case: the database does the case folding, which differs from that of JavaScript for İ and ς.
 */
export function searchTerms(search: string): string[] {
  const found = [...search.matchAll(TERM)].map(([word, phrase]) => phrase ?? word);
  const longestFirst = found.sort((a, b) => b.length - a.length);
  const terms: string[] = [];
  // NUL is in no text that a caller sends.
  let all = '';
  for (const term of longestFirst) {
    const folded = term.toLowerCase();
    if (all.includes(folded)) continue;
    terms.push(term);
    all += `\0${folded}`;
  }
  return terms;
}

/** Projects `p`, and others `sd` and routes `sr` to search in. */
type OfSearches = Aliased<TenancyDatabase, { p: 'projects'; sd: 'projects'; sr: 'routes' }>;
const onSearches = expressionBuilder<OfSearches, 'p' | 'sd' | 'sr'>();
type Searched = 'p.path' | 'p.name' | 'p.description' | 'sr.path' | 'sr.name' | 'sd.description';

/** Whether a column holds every term. `%`, `_` and `\` are themselves. */
function holdsAll(column: Searched, terms: readonly string[]): Expression<SqlBool> {
  const patterns = terms.map((term) => `%${likeLiteral(term)}%`);
  const conditions = patterns.slice(0, INDEXED_TERMS).map((pattern) => onSearches(column, 'ilike', pattern));
  const rest = patterns.slice(INDEXED_TERMS);
  if (rest.length > 0) conditions.push(onSearches(column, 'ilike', allOf(rest, 'text')));
  return onSearches.and(conditions);
}

const oneHoldsAll = (columns: readonly Searched[], terms: readonly string[]): Expression<SqlBool> =>
  onSearches.or(columns.map((column) => holdsAll(column, terms)));

/**
 * Projects `p` whose path, name or description contains every term, case-insensitive (projects.md section 2.1). Null
 * for a search without terms.
 * @param namespaces matches the full path and the full name instead of the project's own
 */
export function searchCondition(search: string, namespaces: boolean): Expression<SqlBool> | null {
  const terms = searchTerms(search);
  if (terms.length === 0) return null;
  if (!namespaces) return oneHoldsAll(['p.path', 'p.name', 'p.description'], terms);
  // Two tables, each searched by its own index: an `or` across a join would read both whole.
  const byRoute = onSearches
    .selectFrom('routes as sr')
    .select('sr.project_id as id')
    .where('sr.project_id', 'is not', null)
    .where(oneHoldsAll(['sr.path', 'sr.name'], terms))
    .$castTo<{ id: number }>();
  const byDescription = onSearches
    .selectFrom('projects as sd')
    .select('sd.id')
    .where(holdsAll('sd.description', terms));
  return onSearches('p.id', '=', anyIn(arrayFrom(byRoute.unionAll(byDescription))));
}

/**
 * Similarity of project `p` to a search, from 0 to 1.9: the path has the highest weight, then the name, then the
 * description (projects.md section 2.3).
 */
export const similarityTo = (search: string): RawBuilder<number> =>
  sql<number>`(similarity(p.path, ${search})::float8 + 0.7::float8 * similarity(p.name, ${search})
    + 0.2::float8 * similarity(coalesce(p.description, ''), ${search}))`;
