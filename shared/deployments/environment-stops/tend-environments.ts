import type { Context } from '../../core/context.js';
import { inSteps } from '../../core/in-steps.js';
import { raw, sql, textColumns } from '../../core/sql.js';
import type { NamedProject } from '../../tenancy/tenancy.events.js';
import { Environment } from '../environments/environment.entity.js';

/** Environments of one step. */
const BATCH = 100;

type Due = Environment & { project: NamedProject };

const selected = sql`${textColumns(Environment, 'e')}, p.id as "project.id", p.namespace_id as "project.namespace_id",
  r.path as "project.full_path"`;

/** Some environments whose time is up, locked; those that somebody else has in hand are left to the next step. */
const due = (ctx: Context, column: 'auto_stop_at' | 'auto_delete_at', state: string, setting: string) =>
  ctx.query<Due>(sql`
    select ${selected} from environments e join projects p on p.id = e.project_id
      join routes r on r.project_id = p.id
     where e.${raw(column)} <= ${ctx.clock.now()} and e.state = ${state} and e.auto_stop_setting like ${setting}
     order by e.${raw(column)}, e.id limit ${BATCH} for no key update of e skip locked`);

/** `with_action` waits for a job that stops it; executors of outside report none. @returns whether there may be more */
async function stopDue(ctx: Context): Promise<boolean> {
  const ended = await due(ctx, 'auto_stop_at', 'available', 'always');
  if (ended.length === 0) return false;
  const now = ctx.clock.now();
  const change = { state: 'stopped', auto_stop_at: null, updated_at: now };
  await ctx.query(sql`
    update environments e set state = 'stopped', auto_stop_at = null, updated_at = ${now}
     where e.id = any(${ended.map(({ id }) => id)}::bigint[])`);
  for (const { project, ...environment } of ended)
    ctx.record({ type: 'environment.stopped', environment: { ...environment, ...change }, project });
  return ended.length === BATCH;
}

/** Removes stopped review apps. @returns whether there may be more */
async function removeDue(ctx: Context): Promise<boolean> {
  const ended = await due(ctx, 'auto_delete_at', 'stopped', '%');
  if (ended.length === 0) return false;
  await ctx.query(sql`delete from environments e where e.id = any(${ended.map(({ id }) => id)}::bigint[])`);
  for (const { project, ...environment } of ended) ctx.record({ type: 'environment.deleted', environment, project });
  return ended.length === BATCH;
}

/** Stops and removes what is due, in steps. Done twice, it changes nothing more. */
export async function stopAndRemoveDue(ctx: Context): Promise<void> {
  await inSteps(ctx, () => ctx.transaction(() => stopDue(ctx)));
  await inSteps(ctx, () => ctx.transaction(() => removeDue(ctx)));
}
