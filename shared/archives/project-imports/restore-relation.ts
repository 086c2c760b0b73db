import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { toldOfImport } from '../archives.pages.js';
import { NO_PLAN, noteUnrestored, tellProblems } from '../archive-imports/failures.js';
import { isRestored, rowsOfRelation } from '../archive-imports/restoring.js';
import { projectRelationFile } from '../format/layout.js';
import type { ProjectRestorer, RestoringProject } from './restoring-project.js';

/** Bytes, as they are stored, after which a step ends with the row that passes them. */
const STEP_BYTES = 8 * 1024 * 1024;

interface Claimed {
  prepared: boolean;
  restored_through: number;
}

/** Takes on a relation until the transaction ends; null where it is restored. */
const claim = (ctx: Context, importId: number, relation: string): Promise<Claimed | null> =>
  ctx.queryOne<Claimed>(sql`
    select p.prepared as "prepared", p.restored_through as "restored_through" from archive_import_relations p
     where p.import_id = ${importId} and p.relation = ${relation} and not p.restored for update`);

/** The last line of the step behind a line; null where there is none. */
async function lastOfStep(
  restoring: RestoringProject,
  { relation, step }: ProjectRestorer,
  after: number,
): Promise<number | null> {
  const row = await restoring.ctx.queryOne<{ line: number | null }>(sql`
    select max(x.line) as "line" from (
      select w.line, sum(w.bytes) over (order by w.line) - w.bytes as before from (
        select r.line, pg_column_size(r.data) as bytes from archive_import_rows r
         where ${rowsOfRelation(restoring, relation)} and r.line > ${after} order by r.line limit ${step}) w) x
     where x.before < ${STEP_BYTES}`);
  return row?.line ?? null;
}

/** Counts what was made of rows, and tells of what was not. */
async function countRestored(restoring: RestoringProject, { relation }: ProjectRestorer): Promise<void> {
  const { ctx, importId } = restoring;
  const rows = rowsOfRelation(restoring, relation);
  await ctx.query(sql`
    update archive_import_relations p set imported = p.imported + x.imported, skipped = p.skipped + x.skipped
      from (select count(*) filter (where ${isRestored})::integer as imported,
                   count(*) filter (where not ${isRestored})::integer as skipped
              from archive_import_rows r where ${rows}) x
     where p.import_id = ${importId} and p.relation = ${relation}
    returning ${toldOfImport('p.import_id')}`);
  await noteUnrestored(ctx, rows);
  await tellProblems(ctx, { importId, rows, file: projectRelationFile(relation) });
}

async function close({ ctx, importId }: RestoringProject, relation: string): Promise<void> {
  // Plain SQL: the table has no entity, for nobody is shown its rows.
  await ctx.query(sql`
    update archive_import_relations set restored = true where import_id = ${importId} and relation = ${relation}`);
}

/** The rows of the relation stay where they are, since the plan has nothing to make of them. */
async function leaveOut(restoring: RestoringProject, restorer: ProjectRestorer): Promise<void> {
  await restoring.ctx.query(sql`
    update archive_import_rows r set problem = ${NO_PLAN}
     where ${rowsOfRelation(restoring, restorer.relation)}`);
  await countRestored(restoring, restorer);
  await close(restoring, restorer.relation);
}

async function restoreStep(restoring: RestoringProject, restorer: ProjectRestorer, after: number): Promise<boolean> {
  const { ctx, importId } = restoring;
  const through = await lastOfStep(restoring, restorer, after);
  if (through === null) {
    await restorer.finish?.(restoring);
    await close(restoring, restorer.relation);
    return false;
  }
  const some = { ...restoring, lines: { after, through } };
  await restorer.restore(some);
  await countRestored(some, restorer);
  // Plain SQL: the same.
  await ctx.query(sql`
    update archive_import_relations set restored_through = ${through}
     where import_id = ${importId} and relation = ${restorer.relation}`);
  return true;
}

/**
 * Does the next step of a relation in the open transaction: so a try that follows a dead one goes on behind the last
 * step, and of two at once each does steps that the other one has not done.
 * @returns whether there is more to do
 */
export async function restoreSome(restoring: RestoringProject, restorer: ProjectRestorer): Promise<boolean> {
  const { ctx, importId } = restoring;
  const claimed = await claim(ctx, importId, restorer.relation);
  if (!claimed) return false;
  if (restorer.plan !== undefined && !ctx.hasPlan(restorer.plan)) {
    await leaveOut(restoring, restorer);
    return false;
  }
  if (restorer.step === undefined) {
    await restorer.restore(restoring);
    await countRestored(restoring, restorer);
    await close(restoring, restorer.relation);
    return false;
  }
  if (claimed.prepared) return restoreStep(restoring, restorer, claimed.restored_through);
  await restorer.prepare?.(restoring);
  // Plain SQL: the same.
  await ctx.query(sql`
    update archive_import_relations set prepared = true
     where import_id = ${importId} and relation = ${restorer.relation}`);
  return true;
}
