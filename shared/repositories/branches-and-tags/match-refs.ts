import type { Expression, SqlBool } from 'kysely';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { BadParams } from '../../core/values/errors.js';
import type { Expression as NameExpression } from '../../core/expressions/expressions.js';
import { TooMuchToMatch } from '../../core/expressions/expressions.js';
import { readSlice } from '../../core/database/list.js';
import { columns } from '../../core/database/columns.js';
import type { List } from '../../core/database/list.js';
import { byName, onRefs, findRefRecords } from '../repositories/ref-records.js';
import { RepositoryRef } from '../repositories/repository-ref.entity.js';

/** Maximum number of names to match for one request. */
const MATCHED_AT_MOST = 100_000;

/** A branch that an expression found. */
export interface MatchingName {
  full_name: string;
  name: string;
  git_date: number;
  /** Whether it is the requested position or before it; null if none was requested. */
  before: boolean | null;
}

/**
 * The names of a project's branches that an expression matches, in their order, each with whether it is `upTo` or before.
 * They are matched here: the database's own engine takes time without limit.
 * @throws BadParams when there are too many
 */
export async function matchingBranches(
  ctx: Context,
  found: ProjectRecord,
  where: readonly Expression<SqlBool>[],
  regex: NameExpression,
  upTo: string | undefined,
): Promise<MatchingName[]> {
  const before = onRefs('r.name', '<=', onRefs.cast<string>(onRefs.val(upTo ?? null), 'text'));
  const { matching } = findRefRecords(found, 'branch', where);
  const list: List<MatchingName> = {
    matching,
    select: (query) =>
      query.select([...columns(RepositoryRef, 'r', ['full_name', 'name', 'git_date']), before.as('before')]),
    order: [byName],
  };
  const names = await readSlice(ctx, list, 0, MATCHED_AT_MOST + 1);
  const tooMany = new BadParams(['regex is too complex for so many names; search narrows them']);
  if (names.length > MATCHED_AT_MOST) throw tooMany;
  try {
    return await regex.filter(names, ({ name }) => name, ctx.signal);
  } catch (error) {
    throw error instanceof TooMuchToMatch ? tooMany : error;
  }
}
