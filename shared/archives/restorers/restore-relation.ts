import { notificationOfImport } from '../archives.pages.js';
import { groupRelationFile, projectRelationFile } from '../format/layout.js';
import { NO_PLAN, recordUnrestored, reportProblems } from '../archive-imports/failures.js';
import { r, copiedRows, tables } from '../archive-imports/restoring.js';
import type { Restorer, Restoring } from '../archive-imports/restoring.js';

/** Bytes, as they are stored, after which a step ends with the row that passes them. */
const STEP_BYTES = 8 * 1024 * 1024;

/** The row with the progress of a relation, for a statement that changes it. */
const getProgress = (restoring: Restoring, relation: string) =>
  tables(restoring)
    .updateTable('archive_import_relations as p')
    .where('p.import_id', '=', restoring.importId)
    .where('p.relation', '=', relation);

/** Locks a relation until the transaction ends; undefined if it has already been restored. */
const claim = (restoring: Restoring, relation: string) =>
  tables(restoring)
    .selectFrom('archive_import_relations as p')
    .select(['p.prepared', 'p.restored_through'])
    .where('p.import_id', '=', restoring.importId)
    .where('p.relation', '=', relation)
    .where('p.restored', '=', false)
    .forUpdate()
    .executeTakeFirst();

/** The last line of the step behind a line; null where there is none. */
async function lastOfStep<R extends Restoring>(
  restoring: R,
  { relation, step = 0 }: Restorer<R>,
  after: number,
): Promise<number | null> {
  const next = tables(restoring)
    .selectFrom('archive_import_rows as r')
    .select(['r.line', r.fn<number>('pg_column_size', ['r.data']).as('bytes')])
    .where(copiedRows(restoring, relation))
    .where('r.line', '>', after)
    .orderBy('r.line')
    .limit(step);
  const summed = tables(restoring)
    .selectFrom(next.as('w'))
    .select((eb) => [
      'w.line',
      eb(
        eb.fn.sum<number>('w.bytes').over((over) => over.orderBy('w.line')),
        '-',
        eb.ref('w.bytes'),
      ).as('before'),
    ]);
  const row = await tables(restoring)
    .selectFrom(summed.as('x'))
    .select((eb) => eb.fn.max('x.line').as('line'))
    .where('x.before', '<', STEP_BYTES)
    .executeTakeFirst();
  return row?.line ?? null;
}

/** Counts the restored rows, and reports the others. */
async function countRestored(restoring: Restoring, relation: string): Promise<void> {
  const { ctx, importId, source, container } = restoring;
  const rows = copiedRows(restoring, relation);
  /** A record was created for it, instead of reusing an existing one. */
  const isRestored = r.and([r('r.made_id', 'is not', null), r('r.reused', '=', false)]);
  const counted = tables(restoring)
    .selectFrom('archive_import_rows as r')
    .select((eb) => [
      eb.cast<number>(eb.fn.countAll().filterWhere(isRestored), 'integer').as('imported'),
      eb.cast<number>(eb.fn.countAll().filterWhere(eb.not(isRestored)), 'integer').as('skipped'),
    ])
    .where(rows);
  await getProgress(restoring, relation)
    .from(counted.as('x'))
    .set((eb) => ({
      imported: eb('p.imported', '+', eb.ref('x.imported')),
      skipped: eb('p.skipped', '+', eb.ref('x.skipped')),
    }))
    .returning(notificationOfImport('p.import_id'))
    .execute();
  const file = container.kind === 'group' ? groupRelationFile(source, relation) : projectRelationFile(relation);
  await recordUnrestored(ctx, rows);
  await reportProblems(ctx, { importId, rows, file });
}

/** The rows of the relation stay where they are, since the plan has nothing to make of them. */
async function recordNoPlan(restoring: Restoring, relation: string): Promise<void> {
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .set({ problem: NO_PLAN })
    .where(copiedRows(restoring, relation))
    .execute();
}

/** Restores all rows that there are of a relation, as far as the plan has something to make of them, in the open transaction. */
export async function restoreWhole<R extends Restoring>(restoring: R, restorer: Restorer<R>): Promise<void> {
  const { relation, plan } = restorer;
  if (plan === undefined || restoring.ctx.hasPlan(plan)) await restorer.restore(restoring);
  else await recordNoPlan(restoring, relation);
  await countRestored(restoring, relation);
}

const close = (restoring: Restoring, relation: string) =>
  getProgress(restoring, relation).set({ restored: true }).execute();

async function restoreStep<R extends Restoring>(restoring: R, restorer: Restorer<R>, after: number): Promise<boolean> {
  const { relation } = restorer;
  const through = await lastOfStep(restoring, restorer, after);
  if (through === null) {
    await restorer.finish?.(restoring);
    await close(restoring, relation);
    return false;
  }
  const some = { ...restoring, lines: { after, through } };
  await restorer.restore(some);
  await countRestored(some, relation);
  await getProgress(restoring, relation).set({ restored_through: through }).execute();
  return true;
}

/**
 * Does the next step of a relation in the open transaction: so a try that follows a dead one goes on behind the last
 * step, and of two at once each does steps that the other one has not done.
 * @returns whether there is more to do
 */
export async function restoreSome<R extends Restoring>(restoring: R, restorer: Restorer<R>): Promise<boolean> {
  const { relation, plan, step } = restorer;
  const claimed = await claim(restoring, relation);
  if (!claimed) return false;
  if (step === undefined || (plan !== undefined && !restoring.ctx.hasPlan(plan))) {
    await restoreWhole(restoring, restorer);
    await close(restoring, relation);
    return false;
  }
  if (claimed.prepared) return restoreStep(restoring, restorer, claimed.restored_through);
  await restorer.prepare?.(restoring);
  await getProgress(restoring, relation).set({ prepared: true }).execute();
  return true;
}
