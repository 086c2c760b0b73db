import { and, likeLiteral, or, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';

/** Text between double quotes that stand at the edges of words is one term; quotes anywhere else are characters. */
const TERM = /(?<=^|\s)"([^"]+)"(?=\s|$)|\S+/g;
/** Terms beyond so many are compared without an index: each costs the planner time, and the first ones find few rows. */
const INDEXED_TERMS = 12;

/**
 * The terms of a search, longest first: words between spaces, and quoted phrases. A term that is part of another one
 * says nothing of its own. They stay as they are written: which letters differ in case only is the database's to say,
 * which reads İ and ς otherwise than JavaScript does.
 */
export function searchTerms(search: string): string[] {
  const found = [...search.matchAll(TERM)].map(([word, phrase]) => phrase ?? word);
  const longestFirst = found.sort((a, b) => b.length - a.length);
  const kept: string[] = [];
  // NUL is in no text that a caller sends.
  let all = '';
  for (const term of longestFirst) {
    const folded = term.toLowerCase();
    if (all.includes(folded)) continue;
    kept.push(term);
    all += `\0${folded}`;
  }
  return kept;
}

/** Whether a column holds every term. `%`, `_` and `\` are themselves. */
function holdsAll(column: Fragment, terms: readonly string[]): Fragment {
  const patterns = terms.map((term) => `%${likeLiteral(term)}%`);
  const indexed = patterns.slice(0, INDEXED_TERMS).map((pattern) => sql`${column} ilike ${pattern}`);
  const rest = patterns.slice(INDEXED_TERMS);
  return and(rest.length > 0 ? [...indexed, sql`${column} ilike all (${rest}::text[])`] : indexed);
}

const anyOf = (columns: readonly string[], terms: readonly string[]): Fragment =>
  or(columns.map((column) => holdsAll(raw(column), terms)));

/**
 * Projects `p` of which one of path, name and description holds every term, whatever the case (projects.md section
 * 2.1). Null where the search says nothing.
 * @param namespaces looks at the full path and the full name instead of the project's own
 */
export function searchCondition(search: string, namespaces: boolean): Fragment | null {
  const terms = searchTerms(search);
  if (terms.length === 0) return null;
  if (!namespaces) return anyOf(['p.path', 'p.name', 'p.description'], terms);
  // Two tables, each searched by its own index: an `or` across a join would read both whole.
  return sql`p.id = any(array(
    select sr.project_id from routes sr where sr.project_id is not null and (${anyOf(['sr.path', 'sr.name'], terms)})
    union all
    select sd.id from projects sd where ${holdsAll(raw('sd.description'), terms)}))`;
}

/**
 * How well project `p` fits a search, from 0 to 1.9: the path counts most, then the name, then the description
 * (projects.md section 2.3).
 */
export function similarityTo(search: string): Fragment {
  return sql`(similarity(p.path, ${search})::float8 + 0.7::float8 * similarity(p.name, ${search})
    + 0.2::float8 * similarity(coalesce(p.description, ''), ${search}))`;
}
