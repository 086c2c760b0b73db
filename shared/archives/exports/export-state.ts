import { sql } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { UnkeptObject } from '../../core/stored-files/storing.js';
import { jobIsOver } from '../../instance/pg-boss/job-ends.js';
import { columns } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { exportNotification } from '../archives.pages.js';
import { ArchiveExport } from './archive-export.entity.js';
import { runExports, uploadExports } from '../archives.jobs.js';
import type { Progress } from '../contents/read-relation.js';
import type { RelationProgress } from './archive-export.entity.js';

const LIFETIME_MS = 24 * 3600 * 1000;
const ERROR_CHARACTERS = 255;

/**
 * This attempt may no longer write to the export: it was cancelled, superseded by another attempt, or its container was
 * deleted.
 */
export class ExportAborted extends Error {}

/** Exports `e` for a statement that changes them, which notifies pages. */
const changing = (ctx: Context<Caller>) =>
  ctx.em.getKysely<ArchivesDatabase>().updateTable('archive_exports as e').returning(exportNotification('e'));

/** An export as long as a try works on it. */
const ownExport = (ctx: Context<Caller>, { id, attempts }: ExportTry) =>
  changing(ctx).where('e.id', '=', id).where('e.attempts', '=', attempts).where('e.state', '=', constant('started'));

/** Other exports `o` of the same user and container as export `e`, for a statement that removes them. */
const removingSiblings = (ctx: Context<Caller>, id: number) =>
  ctx.em
    .getKysely<ArchivesDatabase>()
    .deleteFrom('archive_exports as o')
    .using('archive_exports as e')
    .where('e.id', '=', id)
    .whereRef('o.user_id', '=', 'e.user_id')
    .whereRef('o.id', '<>', 'e.id')
    .where((eb) =>
      eb.or([eb('o.project_id', '=', eb.ref('e.project_id')), eb('o.namespace_id', '=', eb.ref('e.namespace_id'))]),
    );

/**
 * Starts an attempt. This deletes an older archive of a group (group-export-import.md section 2.2); that of a project
 * stays until there is a new one.
 * @returns null if the export is finished, or its container was deleted
 */
export function startExport(ctx: Context, id: number): Promise<ArchiveExport | null> {
  return ctx.transaction(async () => {
    const started = await changing(ctx)
      .set((eb) => ({
        state: 'started',
        attempts: eb('e.attempts', '+', constant(1)),
        started_at: ctx.clock.now(),
        progress: sql`'[]'`,
        error: null,
      }))
      .where('e.id', '=', id)
      .where('e.state', 'in', [constant('queued'), constant('started')])
      .returning(columns(ArchiveExport, 'e'))
      .executeTakeFirst();
    if (!started) return null;
    await removingSiblings(ctx, id)
      .where((eb) =>
        eb.or([
          eb('o.state', 'in', [constant('failed'), constant('cancelled')]),
          eb.and([eb('o.state', '=', constant('finished')), eb('e.namespace_id', 'is not', null)]),
        ]),
      )
      .execute();
    return started;
  });
}

/** A try, and its number among the tries of its export. */
export type ExportTry = Pick<ArchiveExport, 'id' | 'attempts'>;

/**
 * Whether another attempt has taken over an export from this one. This counts as a failure for the queue: the other
 * attempt may be one that the queue has given up, and would not be retried.
 */
export async function isOvertaken(ctx: Context, { id, attempts }: ExportTry): Promise<boolean> {
  const row = await ctx.em
    .getKysely<ArchivesDatabase>()
    .selectFrom('archive_exports as e')
    .select('e.id')
    .where('e.id', '=', id)
    .where('e.state', '=', constant('started'))
    .where('e.attempts', '<>', attempts)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores how far a try is. @throws ExportAborted */
async function writeProgress(
  ctx: Context<Caller>,
  attempt: ExportTry,
  progress: ArchiveExport['progress'],
): Promise<void> {
  const rows = await ownExport(ctx, attempt)
    .set((eb) => ({ progress: eb.cast(eb.val(JSON.stringify(progress)), 'jsonb') }))
    .execute();
  if (rows.length === 0) throw new ExportAborted();
}

/** Gives an export its archive, in one transaction; older ones are removed. @throws ExportAborted */
export function finishExport(
  ctx: Context<Caller>,
  attempt: ExportTry,
  archive: UnkeptObject,
  filename: string,
): Promise<void> {
  return ctx.transaction(async () => {
    const now = ctx.clock.now();
    const objectId = await archive.keep(ctx);
    // Only as long as it is this try's.
    const finished = await ownExport(ctx, attempt)
      .set({
        state: 'finished',
        object_id: objectId,
        filename,
        finished_at: now,
        expires_at: new Date(now.getTime() + LIFETIME_MS),
        error: null,
      })
      .returning('e.upload_state')
      .executeTakeFirst();
    if (!finished) throw new ExportAborted();
    if (finished.upload_state === 'waiting') await ctx.jobs.send(uploadExports, { export_id: attempt.id });
    await removingSiblings(ctx, attempt.id).where('o.state', '=', constant('finished')).execute();
  });
}

/** Records the error of an attempt, which is visible until the next one. */
export async function recordExportError(ctx: Context, attempt: ExportTry, problem: string): Promise<void> {
  await ownExport(ctx, attempt)
    .set({ error: problem.slice(0, ERROR_CHARACTERS) })
    .execute();
}

/** Closes an export without an archive. The reason defaults to the error of an earlier attempt. */
export async function closeExport(
  ctx: Context,
  id: number,
  state: 'failed' | 'cancelled',
  reason: string | null,
): Promise<void> {
  await changing(ctx)
    .set((eb) => ({
      state,
      finished_at: ctx.clock.now(),
      error: eb.fn.coalesce(
        eb.cast<string | null>(eb.val(reason?.slice(0, ERROR_CHARACTERS) ?? null), 'text'),
        'e.error',
        constant('The archive could not be written.'),
      ),
    }))
    .where('e.id', '=', id)
    .where('e.state', 'in', [constant('queued'), constant('started')])
    .execute();
}

const SWEPT = 500;

/** Deletes exports that are a day old, and fails those whose job will never run. Safe to repeat. @returns how many */
export async function sweepExportsNow(ctx: Context): Promise<{ removed: number; lost: number }> {
  const now = ctx.clock.now();
  const dayAgo = new Date(now.getTime() - LIFETIME_MS);
  const db = ctx.em.getKysely<ArchivesDatabase>();
  const over = db
    .selectFrom('archive_exports as e')
    .select('e.id')
    .where((eb) =>
      eb.or([
        eb('e.expires_at', '<=', now),
        eb.and([eb('e.state', 'in', [constant('failed'), constant('cancelled')]), eb('e.finished_at', '<=', dayAgo)]),
      ]),
    )
    .orderBy('e.id')
    .limit(SWEPT);
  const removed = await db
    .deleteFrom('archive_exports')
    .where('id', 'in', over)
    .returning(exportNotification('archive_exports'))
    .execute();
  const lost = await changing(ctx)
    .set({ state: 'failed', finished_at: now, error: 'The job of the export was lost.' })
    .where('e.state', 'in', [constant('queued'), constant('started')])
    .where((eb) => jobIsOver(eb.val(runExports.name), eb.ref('e.job_id')))
    .execute();
  return { removed: removed.length, lost: lost.length };
}

/** Minimum interval between two reports: frequent enough for users watching the progress. */
const REPORT_MS = 1000;

/** Writes how far a try is, at most once a second and with each relation that begins. @throws ExportAborted */
export function reportProgress(ctx: Context<Caller>, attempt: ExportTry): Progress {
  const counts = new Map<string, { total: number; done: number }>();
  let reportedAt = -Infinity;
  const report = async () => {
    reportedAt = performance.now();
    const progress: RelationProgress[] = [...counts].map(([relation, { total, done }]) => ({ relation, total, done }));
    await writeProgress(ctx, attempt, progress);
  };
  const reportThrottled = async () => {
    if (performance.now() - reportedAt >= REPORT_MS) await report();
  };
  return {
    async begin(relation, total) {
      counts.set(relation, { total, done: 0 });
      await reportThrottled();
    },
    async done(relation, count) {
      const counted = counts.get(relation);
      if (counted) counted.done += count;
      await reportThrottled();
    },
    end: report,
  };
}
