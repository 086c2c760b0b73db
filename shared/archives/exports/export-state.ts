import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import type { UnkeptObject } from '../../core/object-store/storing.js';
import { jobIsOver } from '../../instance/pg-boss/job-ends.js';
import { raw, sql, textColumns } from '../../core/sql.js';
import { exportNotification } from '../archives.pages.js';
import { ArchiveExport } from './archive-export.entity.js';
import { runExports, uploadExports } from './archive-export.jobs.js';
import type { Progress } from '../contents/read-relation.js';
import type { RelationProgress } from './archive-export.entity.js';

const LIFETIME_MS = 24 * 3600 * 1000;
const ERROR_CHARACTERS = 255;

/** An export is no more this try's to write: it was cancelled, another try overtook it, or what it is of is gone. */
export class ExportOver extends Error {}

/** Of the same user and container as `e`, other than it. */
const siblings = sql`o.user_id = e.user_id and o.id <> e.id
  and (o.project_id = e.project_id or o.namespace_id = e.namespace_id)`;

/**
 * Begins a try. From then on an older archive of a group is gone (group-export-import.md section 2.2); that of a
 * project stays until there is a new one.
 * @returns null when the export is over, or its container gone
 */
export function startExport(ctx: Context, id: number): Promise<ArchiveExport | null> {
  return ctx.transaction(async () => {
    const started = await ctx.queryOne<ArchiveExport>(sql`
      update archive_exports e
         set state = 'started', attempts = e.attempts + 1, started_at = ${ctx.clock.now()}, progress = '[]', error = null
       where e.id = ${id} and e.state in ('queued', 'started')
      returning ${textColumns(ArchiveExport, 'e')}, ${exportNotification('e')}`);
    if (!started) return null;
    await ctx.query(sql`
      delete from archive_exports o using archive_exports e
       where e.id = ${id} and ${siblings} and (o.state in ('failed', 'cancelled')
         or (o.state = 'finished' and e.namespace_id is not null))`);
    return started;
  });
}

/** A try, and its number among the tries of its export. */
export type ExportTry = Pick<ArchiveExport, 'id' | 'attempts'>;

/**
 * Whether another try works on an export that was this one's. To the queue that is a failure: the other one may be one
 * that the queue has given up, and none would follow it.
 */
export async function isOvertaken(ctx: Context, { id, attempts }: ExportTry): Promise<boolean> {
  const row = await ctx.queryOne(sql`
    select 1 as "found" from archive_exports e
     where e.id = ${id} and e.state = 'started' and e.attempts <> ${attempts}`);
  return row !== null;
}

/** Says how far a try is. @throws ExportOver */
async function tellProgress(
  ctx: Context<Caller>,
  { id, attempts }: ExportTry,
  progress: ArchiveExport['progress'],
): Promise<void> {
  // Plain SQL: outside of a transaction it is one statement and one round trip.
  const rows = await ctx.query(sql`
    update archive_exports e set progress = ${JSON.stringify(progress)}::jsonb
     where id = ${id} and attempts = ${attempts} and state = 'started' returning ${exportNotification('e')}`);
  if (rows.length === 0) throw new ExportOver();
}

/** Gives an export its archive, in one transaction; older ones are removed. @throws ExportOver */
export function finishExport(
  ctx: Context<Caller>,
  { id, attempts }: ExportTry,
  archive: UnkeptObject,
  filename: string,
): Promise<void> {
  return ctx.transaction(async () => {
    const now = ctx.clock.now();
    const objectId = await archive.keep(ctx);
    // Plain SQL: only as long as it is this try's.
    const rows = await ctx.query<{ upload_state: string | null }>(sql`
      update archive_exports e set state = 'finished', object_id = ${objectId}, filename = ${filename},
             finished_at = ${now}, expires_at = ${new Date(now.getTime() + LIFETIME_MS)}, error = null
       where id = ${id} and attempts = ${attempts} and state = 'started'
      returning upload_state as "upload_state", ${exportNotification('e')}`);
    const [finished] = rows;
    if (!finished) throw new ExportOver();
    if (finished.upload_state === 'waiting') await ctx.jobs.send(uploadExports, { export_id: id });
    await ctx.query(sql`
      delete from archive_exports o using archive_exports e
       where e.id = ${id} and ${siblings} and o.state = 'finished'`);
  });
}

/** Notes what a try met with, for whoever asks while another one is waited for. */
export async function noteProblem(ctx: Context, { id, attempts }: ExportTry, problem: string): Promise<void> {
  // Plain SQL: outside of a transaction it is one statement and one round trip.
  await ctx.query(sql`
    update archive_exports e set error = ${problem.slice(0, ERROR_CHARACTERS)}
     where id = ${id} and attempts = ${attempts} and state = 'started' returning ${exportNotification('e')}`);
}

/** Ends an export without an archive. What an earlier try met with is the reason, where none is given. */
export async function endExport(
  ctx: Context,
  id: number,
  state: 'failed' | 'cancelled',
  reason: string | null,
): Promise<void> {
  await ctx.query(sql`
    update archive_exports e
       set state = ${state}, finished_at = ${ctx.clock.now()},
           error = coalesce(${reason?.slice(0, ERROR_CHARACTERS) ?? null}, error, 'The archive could not be written.')
     where id = ${id} and state in ('queued', 'started') returning ${exportNotification('e')}`);
}

const SWEPT = 500;

/** Removes exports that are a day old, and ends those whose job will never run. Safe to repeat. @returns how many */
export async function sweepExportsNow(ctx: Context): Promise<{ removed: number; lost: number }> {
  const now = ctx.clock.now();
  const dayAgo = new Date(now.getTime() - LIFETIME_MS);
  const removed = await ctx.query(sql`
    delete from archive_exports where id in (
      select e.id from archive_exports e
       where e.expires_at <= ${now} or (e.state in ('failed', 'cancelled') and e.finished_at <= ${dayAgo})
       order by e.id limit ${SWEPT}) returning ${exportNotification('archive_exports')}`);
  const lost = await ctx.query(sql`
    update archive_exports e set state = 'failed', finished_at = ${now}, error = 'The job of the export was lost.'
     where e.state in ('queued', 'started') and ${jobIsOver(sql`${runExports.name}`, raw('e.job_id'))}
    returning ${exportNotification('e')}`);
  return { removed: removed.length, lost: lost.length };
}

/** Between two reports: often enough for whoever watches. */
const REPORT_MS = 1000;

/** Writes how far a try is, at most once a second and with each relation that begins. @throws ExportOver */
export function reportProgress(ctx: Context<Caller>, attempt: ExportTry): Progress {
  const counts = new Map<string, { total: number; done: number }>();
  let reportedAt = -Infinity;
  const tell = async () => {
    reportedAt = performance.now();
    const progress: RelationProgress[] = [...counts].map(([relation, { total, done }]) => ({ relation, total, done }));
    await tellProgress(ctx, attempt, progress);
  };
  const tellNowAndThen = async () => {
    if (performance.now() - reportedAt >= REPORT_MS) await tell();
  };
  return {
    async begin(relation, total) {
      counts.set(relation, { total, done: 0 });
      await tellNowAndThen();
    },
    async done(relation, count) {
      const counted = counts.get(relation);
      if (counted) counted.done += count;
      await tellNowAndThen();
    },
    end: tell,
  };
}
