import type { Context } from '../../core/context/context.js';
import { anyOf, unnested } from '../../core/database/expressions.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import type { IssuableChange, LabelSummary } from './issuable-changes.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { getContainerId } from './issuable-type.js';
import type { IssuableRef, IssuableType, LabelledRef, LabelledType } from './issuable-type.js';

interface Numbered {
  readonly id: number;
}

function difference<T extends Numbered>(before: readonly T[], after: readonly T[]): { added: T[]; removed: T[] } {
  const had = new Set(before.map(({ id }) => id));
  const has = new Set(after.map(({ id }) => id));
  return { added: after.filter(({ id }) => !had.has(id)), removed: before.filter(({ id }) => !has.has(id)) };
}

/** A table that joins records with something else, and the column that names that. */
type Joined = { table: 'issue_assignees'; other: 'user_id' } | { table: 'issue_labels'; other: 'label_id' };

/** Writes rows of a table that joins a record with something, after a change. */
async function writeRows(
  ctx: Context,
  { tables }: LabelledType,
  { table, other }: Joined,
  ref: LabelledRef,
  { added, removed }: { added: readonly Numbered[]; removed: readonly Numbered[] },
): Promise<void> {
  const db = ctx.em.getKysely<PlanningDatabase>();
  const getIds = (list: readonly Numbered[]) => list.map(({ id }) => id).sort((a, b) => a - b);
  // Both tables have these columns, whatever `other` is, so the type of one is used for both.
  const name = table as 'issue_labels';
  if (removed.length > 0)
    await db
      .deleteFrom(name)
      .where(tables.record_id, '=', ref.id)
      .where(other as 'label_id', '=', anyOf(getIds(removed), 'bigint'))
      .execute();
  if (added.length > 0)
    await db
      .insertInto(name)
      .columns([tables.container_id, tables.record_id, other as 'label_id'])
      .expression((eb) =>
        eb
          .selectFrom(unnested(getIds(added), 'bigint').as('u'))
          .select([
            eb.cast<number>(eb.val(getContainerId(ref)), 'bigint').as('container_id'),
            eb.cast<number>(eb.val(ref.id), 'bigint').as('record_id'),
            'u.value',
          ]),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Gives a record other assignees. @returns what changed; nothing for the same ones */
export async function setAssignees(
  ctx: Context,
  type: IssuableType,
  ref: IssuableRef,
  { before, after }: { before: readonly UserSummary[]; after: readonly UserSummary[] },
): Promise<IssuableChange[]> {
  const changed = difference(before, after);
  if (changed.added.length + changed.removed.length === 0) return [];
  await writeRows(ctx, type, { table: type.tables.assignees, other: 'user_id' }, ref, changed);
  return [{ attribute: 'assignees', ...changed }];
}

/** Gives a record other labels. @returns what changed; nothing for the same ones */
export async function setLabels(
  ctx: Context,
  type: LabelledType,
  ref: LabelledRef,
  { before, after }: { before: readonly LabelSummary[]; after: readonly LabelSummary[] },
): Promise<IssuableChange[]> {
  const changed = difference(before, after);
  if (changed.added.length + changed.removed.length === 0) return [];
  await writeRows(ctx, type, { table: type.tables.labels, other: 'label_id' }, ref, changed);
  return [{ attribute: 'labels', ...changed }];
}
