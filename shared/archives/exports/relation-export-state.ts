import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Caller } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { jobIsOver } from '../../instance/pg-boss/job-ends.js';
import type { UnkeptObject } from '../../core/stored-files/storing.js';
import { columns } from '../../core/database/columns.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { ExportAborted } from './export-state.js';
import { RelationExport, RelationExportFile } from './archive-export.entity.js';
import { runRelationExports } from '../archives.jobs.js';
import { groupRelations } from '../format/group-relations.js';
import { randomUUID } from 'node:crypto';
import { cancelJobs } from '../../instance/pg-boss/cancel-jobs.js';

/** A file of an export, as its status shows it. */
export interface WrittenBatch {
  readonly batch_number: number;
  readonly objects_count: number;
  readonly updated_at: string;
}

/** An export with its files so far. */
export interface RelationExportRecord extends RelationExport {
  readonly batches: readonly WrittenBatch[];
}

/** A file as it is stored. */
interface RelationFile {
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
}

const getTables = (ctx: Context<Caller>) => ctx.em.getKysely<ArchivesDatabase>();

/**
 * The caller's exports of relations of a group, by the names of these.
 * @param relation one alone
 */
export const loadRelationExports = (
  ctx: SignedInContext,
  groupId: number,
  relation: string | null,
): Promise<RelationExportRecord[]> =>
  getTables(ctx)
    .selectFrom('relation_exports as e')
    .select(columns(RelationExport, 'e'))
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('relation_export_files as f')
          .select(['f.batch_number', 'f.objects_count', 'f.created_at as updated_at'])
          .whereRef('f.export_id', '=', 'e.id')
          .orderBy('f.batch_number'),
      ).as('batches'),
    )
    .where('e.namespace_id', '=', groupId)
    .where('e.user_id', '=', ctx.caller.id)
    .where('e.expires_at', '>', ctx.clock.now())
    .$if(relation !== null, (query) => query.where('e.relation', '=', relation as string))
    .orderBy('e.relation')
    .execute();

/** The file of a batch, if it is written. */
export const relationFile = (
  ctx: SignedInContext,
  exportId: number,
  batch: number,
): Promise<RelationFile | undefined> =>
  getTables(ctx)
    .selectFrom('relation_export_files as f')
    .innerJoin('stored_objects as o', 'o.id', 'f.object_id')
    .select(['o.key', 'o.bytes', 'o.sha256'])
    .where('f.export_id', '=', exportId)
    .where('f.batch_number', '=', batch)
    .executeTakeFirst();

/** The attributes of the group itself, as a relation of one object. */
export const SELF = 'self';

/** Relations of a group that are exported by themselves (group-export-import.md section 7). */
const relationNames: readonly string[] = [SELF, ...groupRelations.map(({ name }) => name)];

/** An attempt, with its number among the attempts of its export. */
type RelationTry = Pick<RelationExport, 'id' | 'attempts'>;

/** An export that is not over, for a statement that changes it. */
const runningExport = (ctx: Context<Caller>, id: number) =>
  getTables(ctx).updateTable('relation_exports as e').where('e.id', '=', id).where('e.state', '=', constant('started'));

/** The same as long as a try works on it. */
const ownExport = (ctx: Context<Caller>, { id, attempts }: RelationTry) =>
  runningExport(ctx, id).where('e.attempts', '=', attempts);

/**
 * Starts an attempt and deletes what an earlier one wrote.
 * @returns null if the export is finished, or its group was deleted
 */
export function startRelationExport(ctx: Context, id: number): Promise<RelationExport | null> {
  return ctx.transaction(async () => {
    const started = await runningExport(ctx, id)
      .set((eb) => ({
        attempts: eb('e.attempts', '+', constant(1)),
        objects_count: 0,
        updated_at: ctx.clock.now(),
      }))
      .returning(columns(RelationExport, 'e'))
      .executeTakeFirst();
    if (!started) return null;
    await ctx.em.nativeDelete(RelationExportFile, { export_id: id });
    return started;
  });
}

/** As of exports of archives: whether another try works on it. */
export async function isRelationOvertaken(ctx: Context, { id, attempts }: RelationTry): Promise<boolean> {
  const row = await getTables(ctx)
    .selectFrom('relation_exports as e')
    .select('e.id')
    .where('e.id', '=', id)
    .where('e.state', '=', constant('started'))
    .where('e.attempts', '<>', attempts)
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives an export one more file, in one transaction. @throws ExportAborted */
export function keepRelationFile(
  ctx: Context<Caller>,
  attempt: RelationTry,
  file: UnkeptObject,
  { batch_number, objects_count }: { batch_number: number; objects_count: number },
): Promise<void> {
  return ctx.transaction(async () => {
    const now = ctx.clock.now();
    // Only as long as it is this try's.
    const rows = await ownExport(ctx, attempt)
      .set((eb) => ({ objects_count: eb('e.objects_count', '+', objects_count), updated_at: now }))
      .returning('e.id')
      .execute();
    if (rows.length === 0) throw new ExportAborted();
    const object_id = await file.keep(ctx);
    await ctx.em.insert(RelationExportFile, {
      export_id: attempt.id,
      batch_number,
      objects_count,
      object_id,
      created_at: now,
    });
  });
}

/** All files of an export are written. @throws ExportAborted */
export async function finishRelationExport(ctx: Context<Caller>, attempt: RelationTry): Promise<void> {
  // Only as long as it is this try's.
  const rows = await ownExport(ctx, attempt)
    .set({ state: 'finished', error: null, updated_at: ctx.clock.now() })
    .returning('e.id')
    .execute();
  if (rows.length === 0) throw new ExportAborted();
}

/** Records the error of an attempt, which is visible until the next one. */
export async function recordRelationError(ctx: Context, attempt: RelationTry, problem: string): Promise<void> {
  await ownExport(ctx, attempt).set({ error: problem }).execute();
}

/** Marks an export as failed and deletes its files. The reason defaults to the error of an earlier attempt. */
export async function failRelationExport(ctx: Context, id: number, reason: string | null): Promise<void> {
  await ctx.transaction(async () => {
    // One that is over stays as it is.
    const failed = await runningExport(ctx, id)
      .set((eb) => ({
        state: 'failed',
        error: eb.fn.coalesce(
          eb.cast<string | null>(eb.val(reason), 'text'),
          'e.error',
          constant('The relation could not be written.'),
        ),
        objects_count: 0,
        updated_at: ctx.clock.now(),
      }))
      .returning('e.id')
      .execute();
    if (failed.length > 0) await ctx.em.nativeDelete(RelationExportFile, { export_id: id });
  });
}

const SWEPT = 500;

/** Deletes exports that are a day old, and fails those whose job will never run. Safe to repeat. @returns how many */
export async function sweepRelationExportsNow(ctx: Context): Promise<{ removed: number; lost: number }> {
  const now = ctx.clock.now();
  const db = getTables(ctx);
  const over = db
    .selectFrom('relation_exports as e')
    .select('e.id')
    .where('e.expires_at', '<=', now)
    .orderBy('e.id')
    .limit(SWEPT);
  const removed = await db.deleteFrom('relation_exports').where('id', 'in', over).returning('id').execute();
  const lost = await db
    .updateTable('relation_exports as e')
    .set({ state: 'failed', error: 'The job of the export was lost.', updated_at: now })
    .where('e.state', '=', constant('started'))
    .where((eb) => jobIsOver(eb.val(runRelationExports.name), eb.ref('e.job_id')))
    .returning('e.id')
    .execute();
  return { removed: removed.length, lost: lost.length };
}

const LIFETIME_MS = 24 * 3600 * 1000;

/**
 * Requests all relations of a group again: the caller's earlier exports are deleted, and running ones are cancelled.
 */
export async function requestRelationExports(ctx: SignedInContext, groupId: number, batched: boolean): Promise<void> {
  const now = ctx.clock.now();
  const jobIds = relationNames.map(() => randomUUID());
  const db = getTables(ctx);
  const before = await db
    .selectFrom('relation_exports as e')
    .select(['e.id', 'e.job_id', 'e.state'])
    .where('e.namespace_id', '=', groupId)
    .where('e.user_id', '=', ctx.caller.id)
    .orderBy('e.id')
    .forUpdate()
    .execute();
  await db
    .deleteFrom('relation_export_files')
    .where(
      'export_id',
      '=',
      anyOf(
        before.map(({ id }) => id),
        'bigint',
      ),
    )
    .execute();
  const expires_at = new Date(now.getTime() + LIFETIME_MS);
  const rows = await db
    .insertInto('relation_exports')
    .values(
      relationNames.map((relation, index) => ({
        namespace_id: groupId,
        user_id: ctx.caller.id,
        relation,
        state: 'started',
        batched,
        job_id: jobIds[index] as string,
        attempts: 0,
        objects_count: 0,
        updated_at: now,
        expires_at,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['namespace_id', 'user_id', 'relation']).doUpdateSet((eb) => ({
        state: 'started',
        batched: eb.ref('excluded.batched'),
        job_id: eb.ref('excluded.job_id'),
        attempts: eb('relation_exports.attempts', '+', constant(1)),
        error: null,
        objects_count: 0,
        updated_at: eb.ref('excluded.updated_at'),
        expires_at: eb.ref('excluded.expires_at'),
      })),
    )
    .returning(['relation_exports.id', 'relation_exports.job_id'])
    .execute();
  const running = before.filter(({ state }) => state === 'started').map(({ job_id: id }) => id);
  if (running.length > 0) await cancelJobs(ctx, runRelationExports.name, running);
  await ctx.jobs.sendAs(
    runRelationExports,
    rows.map(({ id, job_id }) => ({ id: job_id, data: { export_id: id } })),
  );
}
