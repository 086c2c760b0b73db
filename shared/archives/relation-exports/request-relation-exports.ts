import { randomUUID } from 'node:crypto';
import type { SignedInContext } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { cancelJobs } from '../../instance/queue-workers/cancel-jobs.js';
import { runRelationExports } from './relation-export.jobs.js';
import { relationNames } from './relation-names.js';

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
