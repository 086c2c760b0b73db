import { sql } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { rowPageNotification, notifyPages } from '../../core/page-changes/page-changes.js';
import { anyOf, constant, secondsAfter } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { requestTransfers } from '../repositories/request-transfers.js';
import { mirrorTransfers } from '../repositories.jobs.js';
import { ProjectMirror } from './project-mirror.entity.js';

const MINUTE_MS = 60_000;
/** Between two updates, as in the public API's documentation. */
const EVERY_MS = 30 * MINUTE_MS;
/** After failures the time doubles, up to this. */
const SELDOM_MS = 5 * 60 * MINUTE_MS;
/** After this many consecutive failures it waits until a user requests an update. */
const MOST_FAILURES = 14;
/** Minimum interval between updates requested by users. */
const FORCED_EVERY_MS = 5 * MINUTE_MS;
/** So many are sent by one statement. */
const AT_ONCE = 500;

/** Notifies pages of each mirror that changed. */
const NOTIFICATION = rowPageNotification('project_mirrors', sql.ref('project_mirrors.project_id')).as('notified');

const UNDER_WAY = [constant('scheduled'), constant('started')];

const updateMirrors = (ctx: Context<Caller>) => ctx.em.getKysely<RepositoriesDatabase>().updateTable('project_mirrors');

/** Starts mirroring a project; the first update starts at once, or with `later` at the next interval. */
export async function startMirror(ctx: Context, projectId: number, { later = false } = {}): Promise<void> {
  const now = ctx.clock.now();
  const next = new Date(now.getTime() + EVERY_MS);
  const begun = { update_status: later ? 'none' : 'scheduled', next_update_at: next, failures: 0 };
  await ctx.em.upsert(ProjectMirror, { project_id: projectId, ...begun }, { onConflictFields: ['project_id'] });
  await notifyPages(ctx, 'project_mirrors', [projectId]);
  if (!later) await requestTransfers(ctx, mirrorTransfers, [{ project_id: projectId }]);
}

/** Stops mirroring; the fetched contents remain. */
async function stopMirror(ctx: Context, projectId: number): Promise<void> {
  await ctx.em.nativeDelete(ProjectMirror, { project_id: projectId });
  await notifyPages(ctx, 'project_mirrors', [projectId]);
}

/**
 * Requests an update ahead of schedule: at once, or five minutes after the start of the last one. Also reactivates a
 * mirror that was given up.
 */
export async function askForUpdate(ctx: Context, projectId: number): Promise<void> {
  const now = ctx.clock.now();
  const due = new Date(now.getTime() - FORCED_EVERY_MS);
  const started = await updateMirrors(ctx)
    .set({
      update_status: constant('scheduled'),
      failures: constant(0),
      next_update_at: new Date(now.getTime() + EVERY_MS),
    })
    .where('project_id', '=', projectId)
    .where('update_status', 'not in', UNDER_WAY)
    .where((eb) => eb.or([eb('last_update_started_at', 'is', null), eb('last_update_started_at', '<=', due)]))
    .returning(NOTIFICATION)
    .executeTakeFirst();
  if (started) return requestTransfers(ctx, mirrorTransfers, [{ project_id: projectId }]);
  await updateMirrors(ctx)
    .set((eb) => {
      const allowed = secondsAfter(eb.ref('last_update_started_at'), constant(FORCED_EVERY_MS / 1000));
      return { failures: constant(0), next_update_at: eb.fn<Date | null>('least', ['next_update_at', allowed]) };
    })
    .where('project_id', '=', projectId)
    .where('update_status', 'not in', UNDER_WAY)
    .returning(NOTIFICATION)
    .execute();
}

/** Enqueues all due updates. Projects that do not accept writes wait. @returns number of updates */
export async function sendDueUpdates(ctx: Context): Promise<number> {
  if (!ctx.hasPlan('premium')) return 0;
  let sent = 0;
  await inSteps(ctx, async () => {
    const due = await ctx.transaction(() => sendSome(ctx));
    sent += due;
    return due === AT_ONCE;
  });
  return sent;
}

async function sendSome(ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  const due = await updateMirrors(ctx)
    .set({ update_status: constant('scheduled'), next_update_at: new Date(now.getTime() + EVERY_MS) })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('project_mirrors as m')
        .select('m.id')
        .where('m.next_update_at', '<=', now)
        .orderBy('m.next_update_at')
        .limit(constant(AT_ONCE))
        .forUpdate()
        .skipLocked(),
    )
    .returning(['project_id', NOTIFICATION])
    .execute();
  await requestTransfers(ctx, mirrorTransfers, due, { background: true });
  return due.length;
}

/** Records the start of an update. @returns false if the mirror was stopped, or no update is pending */
export async function beginUpdate(ctx: Context, projectId: number): Promise<boolean> {
  const begun = await updateMirrors(ctx)
    .set({ update_status: constant('started'), last_update_started_at: ctx.clock.now() })
    .where('project_id', '=', projectId)
    .where('update_status', 'in', UNDER_WAY)
    .returning(NOTIFICATION)
    .execute();
  return begun.length > 0;
}

/**
 * Records that a mirror is up to date. An update requested meanwhile stays pending.
 * @param leftOut message about refs that stayed unchanged
 */
export async function finishUpdate(ctx: Context, projectId: number, leftOut: string | null): Promise<void> {
  const now = ctx.clock.now();
  await updateMirrors(ctx)
    .set({
      update_status: constant('finished'),
      failures: constant(0),
      last_error: leftOut,
      last_update_at: now,
      last_successful_update_at: now,
    })
    .where('project_id', '=', projectId)
    .where('update_status', '=', constant('started'))
    .returning(NOTIFICATION)
    .execute();
}

/**
 * Records why the update of one or several projects failed, and postpones the next one: longer with each consecutive
 * failure.
 * @param projects ids
 * @param during whether an update was running: one requested meanwhile still runs
 */
export async function failUpdate(
  ctx: Context<Caller>,
  projects: number | readonly number[],
  reason: string,
  during: 'started' | 'scheduled' = 'scheduled',
): Promise<void> {
  const now = ctx.clock.now();
  const states = during === 'started' ? ['started'] : ['scheduled', 'started'];
  await updateMirrors(ctx)
    .set((eb) => {
      const failures = eb('failures', '+', eb.lit(1));
      const grown = eb(constant(EVERY_MS / 1000), '*', eb.fn<number>('power', [eb.lit(2), 'failures']));
      const wait = eb.fn<number>('least', [grown, constant(SELDOM_MS / 1000)]);
      const nextUpdate = secondsAfter(eb.cast<Date>(eb.val(now), 'timestamptz'), wait);
      return {
        update_status: constant('failed'),
        last_error: reason,
        last_update_at: now,
        failures,
        next_update_at: eb.case().when(failures, '<', constant(MOST_FAILURES)).then(nextUpdate).end(),
      };
    })
    .where('project_id', '=', anyOf([projects].flat(), 'bigint'))
    .where('update_status', '=', anyOf(states, 'text'))
    .returning(NOTIFICATION)
    .execute();
}

/** Problems with mirror settings: mirroring requires a URL. */
export function mirrorProblems(mirror: boolean, url: unknown): Record<string, string[]> {
  return mirror && !url ? { import_url: ["can't be blank"] } : {};
}

interface MirrorSettings {
  mirror: boolean;
  mirror_user_id?: number | null | undefined;
  import_url?: Uint8Array | null;
}

/**
 * Starts or stops mirroring to match the changed settings of a project: a change of the URL or the user restarts it.
 */
export async function applyMirrorSettings(
  ctx: Context,
  projectId: number,
  before: MirrorSettings,
  after: MirrorSettings,
): Promise<void> {
  if (before.mirror && !after.mirror) return stopMirror(ctx, projectId);
  const changed = before.import_url !== after.import_url || before.mirror_user_id !== after.mirror_user_id;
  if (after.mirror && (!before.mirror || changed)) await startMirror(ctx, projectId);
}
