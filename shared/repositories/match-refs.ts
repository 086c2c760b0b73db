import type { Context } from '../core/context.js';
import { BadParams } from '../core/errors.js';
import type { Expression } from '../core/expressions.js';
import { TooMuchToMatch } from '../core/expressions.js';
import { readSlice } from '../core/list.js';
import { sql } from '../core/sql.js';
import type { Sql } from '../core/sql.js';
import type { ProjectRecord } from '../projects/project.finder.js';
import { refsOf } from './ref-records.js';
import type { RefKind } from './ref-records.js';

/** Names that are looked at for one request. */
const MATCHED_AT_MOST = 100_000;

export interface RefName {
  full_name: string;
  name: string;
}

/**
 * The names of a project's refs that an expression matches, in their order, each with whether it is `upTo` or before.
 * They are matched here: the database's own engine takes time without limit.
 * @throws BadParams when there are too many
 */
export async function matchingNames(
  ctx: Context,
  found: ProjectRecord,
  kind: RefKind,
  where: readonly Sql[],
  regex: Expression,
  upTo: string | undefined,
): Promise<(RefName & { before: boolean | null })[]> {
  const { from, where: conditions, order } = refsOf(found, kind, where);
  const select = sql`r.full_name as "full_name", r.name as "name", r.name <= ${upTo ?? null}::text as "before"`;
  const list = { select, from, where: conditions, order: order as never };
  const names = await readSlice<RefName & { before: boolean | null }>(ctx, list, 0, MATCHED_AT_MOST + 1);
  const tooMany = new BadParams(['regex is too complex for so many names; search narrows them']);
  if (names.length > MATCHED_AT_MOST) throw tooMany;
  try {
    return await regex.filter(names, ({ name }) => name, ctx.signal);
  } catch (error) {
    throw error instanceof TooMuchToMatch ? tooMany : error;
  }
}
