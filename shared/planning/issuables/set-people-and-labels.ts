import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { IssuableChange, NamedLabel } from './issuable-changes.js';
import { placeIdOf } from './issuable-type.js';
import type { IssuableRef, IssuableType, LabelledRef, LabelledType } from './issuable-type.js';

interface Numbered {
  readonly id: number;
}

function difference<T extends Numbered>(before: readonly T[], after: readonly T[]): { added: T[]; removed: T[] } {
  const had = new Set(before.map(({ id }) => id));
  const has = new Set(after.map(({ id }) => id));
  return { added: after.filter(({ id }) => !had.has(id)), removed: before.filter(({ id }) => !has.has(id)) };
}

/** Rows of a table that joins a record with something, after a change. */
async function writeRows(
  ctx: Context,
  { table, column, place, other }: Pick<LabelledType, 'column' | 'place'> & { table: Fragment; other: Fragment },
  ref: LabelledRef,
  { added, removed }: { added: readonly Numbered[]; removed: readonly Numbered[] },
): Promise<void> {
  const idsOf = (list: readonly Numbered[]) => list.map(({ id }) => id).sort((a, b) => a - b);
  if (removed.length > 0)
    await ctx.query(sql`
      delete from ${table} x where x.${column} = ${ref.id} and x.${other} = any(${idsOf(removed)}::bigint[])`);
  if (added.length > 0)
    await ctx.query(sql`
      insert into ${table} (${place}, ${column}, ${other})
      select ${placeIdOf(ref)}, ${ref.id}, u.id from unnest(${idsOf(added)}::bigint[]) as u (id)
      on conflict do nothing`);
}

/** Gives a record other assignees. @returns what changed; nothing for the same ones */
export async function setAssignees(
  ctx: Context,
  { assignees: table, column, place }: IssuableType,
  ref: IssuableRef,
  { before, after }: { before: readonly UserSummary[]; after: readonly UserSummary[] },
): Promise<IssuableChange[]> {
  const changed = difference(before, after);
  if (changed.added.length + changed.removed.length === 0) return [];
  await writeRows(ctx, { table, column, place, other: sql`user_id` }, ref, changed);
  return [{ attribute: 'assignees', ...changed }];
}

/** Gives a record other labels. @returns what changed; nothing for the same ones */
export async function setLabels(
  ctx: Context,
  { labels: table, column, place }: LabelledType,
  ref: LabelledRef,
  { before, after }: { before: readonly NamedLabel[]; after: readonly NamedLabel[] },
): Promise<IssuableChange[]> {
  const changed = difference(before, after);
  if (changed.added.length + changed.removed.length === 0) return [];
  await writeRows(ctx, { table, column, place, other: sql`label_id` }, ref, changed);
  return [{ attribute: 'labels', ...changed }];
}
