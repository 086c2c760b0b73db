import type { Caller } from '../../core/callers.js';
import type { Context, SignedInContext } from '../../core/context.js';
import { jobIsOver } from '../../instance/pg-boss/job-ends.js';
import type { UnkeptObject } from '../../core/object-store/storing.js';
import { raw, sql, textColumns } from '../../core/sql.js';
import { ExportOver } from '../exports/export-state.js';
import { RelationExport, RelationExportFile } from './relation-export.entity.js';
import { runRelationExports } from '../exports/archive-export.jobs.js';
import { groupRelations } from '../format/group-relations.js';
import { randomUUID } from 'node:crypto';
import { cancelJobs } from '../../instance/pg-boss/cancel-jobs.js';

/** A file of an export, as it is told of. */
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

/**
 * The caller's exports of relations of a group, by the names of these.
 * @param relation one alone
 */
export const relationExportsOf = (
  ctx: SignedInContext,
  groupId: number,
  relation: string | null,
): Promise<RelationExportRecord[]> =>
  ctx.query<RelationExportRecord>(sql`
    select ${textColumns(RelationExport, 'e')},
           coalesce((select json_agg(json_build_object('batch_number', f.batch_number, 'objects_count', f.objects_count,
                                                       'updated_at', f.created_at) order by f.batch_number)
                       from relation_export_files f where f.export_id = e.id), '[]'::json) as "batches"
      from relation_exports e
     where e.namespace_id = ${groupId} and e.user_id = ${ctx.caller.id} and e.expires_at > ${ctx.clock.now()}
       and (${relation}::text is null or e.relation = ${relation}) order by e.relation`);

/** The file of a batch, if it is written. */
export const relationFile = (ctx: SignedInContext, exportId: number, batch: number): Promise<RelationFile | null> =>
  ctx.queryOne<RelationFile>(sql`
    select o.key as "key", o.bytes as "bytes", o.sha256 as "sha256"
      from relation_export_files f join stored_objects o on o.id = f.object_id
     where f.export_id = ${exportId} and f.batch_number = ${batch}`);

/** The attributes of the group itself, as a relation of one object. */
export const SELF = 'self';

/** Relations of a group that are exported by themselves (group-export-import.md section 7). */
const relationNames: readonly string[] = [SELF, ...groupRelations.map(({ name }) => name)];

/** A try, and its number among those of its export. */
type RelationTry = Pick<RelationExport, 'id' | 'attempts'>;

/** Begins a try; what an earlier one wrote is removed. @returns null when the export is over, or its group gone */
export function startRelationExport(ctx: Context, id: number): Promise<RelationExport | null> {
  return ctx.transaction(async () => {
    const started = await ctx.queryOne<RelationExport>(sql`
      update relation_exports e set attempts = e.attempts + 1, objects_count = 0, updated_at = ${ctx.clock.now()}
       where e.id = ${id} and e.state = 'started' returning ${textColumns(RelationExport, 'e')}`);
    // Plain SQL: files go by their export, not one by one.
    if (started) await ctx.query(sql`delete from relation_export_files where export_id = ${id}`);
    return started;
  });
}

/** As of exports of archives: whether another try works on it. */
export async function isRelationOvertaken(ctx: Context, { id, attempts }: RelationTry): Promise<boolean> {
  const row = await ctx.queryOne(sql`
    select 1 as "found" from relation_exports e
     where e.id = ${id} and e.state = 'started' and e.attempts <> ${attempts}`);
  return row !== null;
}

/** Gives an export one more file, in one transaction. @throws ExportOver */
export function keepRelationFile(
  ctx: Context<Caller>,
  { id, attempts }: RelationTry,
  file: UnkeptObject,
  { batch_number, objects_count }: { batch_number: number; objects_count: number },
): Promise<void> {
  return ctx.transaction(async () => {
    const now = ctx.clock.now();
    // Only as long as it is this try's.
    const rows = await ctx.query(sql`
      update relation_exports set objects_count = objects_count + ${objects_count}, updated_at = ${now}
       where id = ${id} and attempts = ${attempts} and state = 'started' returning 1`);
    if (rows.length === 0) throw new ExportOver();
    const object_id = await file.keep(ctx);
    await ctx.em.insert(RelationExportFile, { export_id: id, batch_number, objects_count, object_id, created_at: now });
  });
}

/** All files of an export are written. @throws ExportOver */
export async function finishRelationExport(ctx: Context<Caller>, { id, attempts }: RelationTry): Promise<void> {
  // Plain SQL: only as long as it is this try's.
  const rows = await ctx.query(sql`
    update relation_exports set state = 'finished', error = null, updated_at = ${ctx.clock.now()}
     where id = ${id} and attempts = ${attempts} and state = 'started' returning 1`);
  if (rows.length === 0) throw new ExportOver();
}

/** Notes what a try met with, for whoever asks while another one is waited for. */
export async function recordRelationProblem(
  ctx: Context,
  { id, attempts }: RelationTry,
  problem: string,
): Promise<void> {
  // Plain SQL: outside of a transaction it is one statement and one round trip.
  await ctx.query(sql`
    update relation_exports set error = ${problem} where id = ${id} and attempts = ${attempts} and state = 'started'`);
}

/** Ends an export without its files. What an earlier try met with is the reason, where none is given. */
export async function failRelationExport(ctx: Context, id: number, reason: string | null): Promise<void> {
  await ctx.transaction(async () => {
    // One that is over stays as it is.
    const failed = await ctx.query(sql`
      update relation_exports
         set state = 'failed', error = coalesce(${reason}, error, 'The relation could not be written.'), objects_count = 0,
             updated_at = ${ctx.clock.now()}
       where id = ${id} and state = 'started' returning 1`);
    // Plain SQL: files go by their export, not one by one.
    if (failed.length > 0) await ctx.query(sql`delete from relation_export_files where export_id = ${id}`);
  });
}

const SWEPT = 500;

/** Removes exports that are a day old, and ends those whose job will never run. Safe to repeat. @returns how many */
export async function sweepRelationExportsNow(ctx: Context): Promise<{ removed: number; lost: number }> {
  const now = ctx.clock.now();
  const removed = await ctx.query(sql`
    delete from relation_exports where id in (
      select e.id from relation_exports e where e.expires_at <= ${now} order by e.id limit ${SWEPT}) returning 1`);
  const lost = await ctx.query(sql`
    update relation_exports e set state = 'failed', error = 'The job of the export was lost.', updated_at = ${now}
     where e.state = 'started' and ${jobIsOver(sql`${runRelationExports.name}`, raw('e.job_id'))} returning 1`);
  return { removed: removed.length, lost: lost.length };
}

const LIFETIME_MS = 24 * 3600 * 1000;

/** Asks for all relations of a group anew: what was written for the caller before is removed, and what runs is ended. */
export async function requestRelationExports(ctx: SignedInContext, groupId: number, batched: boolean): Promise<void> {
  const now = ctx.clock.now();
  const jobIds = relationNames.map(() => randomUUID());
  const before = await ctx.query<{ id: number; job_id: string; state: string }>(sql`
    select e.id as "id", e.job_id::text as "job_id", e.state as "state" from relation_exports e
     where e.namespace_id = ${groupId} and e.user_id = ${ctx.caller.id} order by e.id for update`);
  await ctx.query(sql`
    delete from relation_export_files f where f.export_id = any(${before.map(({ id }) => id)}::bigint[])`);
  const made = await ctx.query<{ id: number; job_id: string }>(sql`
    insert into relation_exports as e (namespace_id, user_id, relation, batched, job_id, updated_at, expires_at)
    select ${groupId}::bigint, ${ctx.caller.id}::bigint, x.relation, ${batched}::boolean, x.job_id, ${now}::timestamptz,
           ${new Date(now.getTime() + LIFETIME_MS)}::timestamptz
      from unnest(${relationNames}::text[], ${jobIds}::uuid[]) as x (relation, job_id)
    on conflict (namespace_id, user_id, relation) do update
       set state = 'started', batched = excluded.batched, job_id = excluded.job_id, attempts = e.attempts + 1,
           error = null, objects_count = 0, updated_at = excluded.updated_at, expires_at = excluded.expires_at
    returning e.id as "id", e.job_id::text as "job_id"`);
  const running = before.filter(({ state }) => state === 'started').map(({ job_id: id }) => id);
  if (running.length > 0) await cancelJobs(ctx, runRelationExports.name, running);
  await ctx.jobs.sendAs(
    runRelationExports,
    made.map(({ id, job_id }) => ({ id: job_id, data: { export_id: id } })),
  );
}
