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
/** After so many failures in a row it waits until somebody asks for it. */
const MOST_FAILURES = 14;
/** Updates that people ask for start at most this often. */
const FORCED_EVERY_MS = 5 * MINUTE_MS;
/** So many are sent by one statement. */
const AT_ONCE = 500;

/** Tells pages of each mirror that moved on. */
const NOTIFICATION = rowPageNotification('project_mirrors', sql.ref('project_mirrors.project_id')).as('notified');

const UNDER_WAY = [constant('scheduled'), constant('started')];

const updateMirrors = (ctx: Context<Caller>) => ctx.em.getKysely<RepositoriesDatabase>().updateTable('project_mirrors');

/** Has a project followed from now on; an update is under way at once unless one later is asked for. */
export async function startMirror(ctx: Context, projectId: number, { later = false } = {}): Promise<void> {
  const now = ctx.clock.now();
  const next = new Date(now.getTime() + EVERY_MS);
  const begun = { update_status: later ? 'none' : 'scheduled', next_update_at: next, failures: 0 };
  await ctx.em.upsert(ProjectMirror, { project_id: projectId, ...begun }, { onConflictFields: ['project_id'] });
  await notifyPages(ctx, 'project_mirrors', [projectId]);
  if (!later) await requestTransfers(ctx, mirrorTransfers, [{ project_id: projectId }]);
}

/** Ends following; what was brought stays. */
async function stopMirror(ctx: Context, projectId: number): Promise<void> {
  await ctx.em.nativeDelete(ProjectMirror, { project_id: projectId });
  await notifyPages(ctx, 'project_mirrors', [projectId]);
}

/**
 * Asks for an update out of turn: at once, or when five minutes have passed since the last one began. Also takes up a
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

/** Sends every update that is due. Projects that nobody may write to wait. @returns how many */
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

/** Notes that an update begins. @returns false when nobody follows any more, or nothing is to be done */
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
 * Notes that a mirror is up to date. One that was asked for again meanwhile stays so.
 * @param leftOut what was left as it is, in words
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
 * Notes why the update of a project, or of several, failed, and puts the next one off: the longer the more have failed.
 * @param projects ids
 * @param during of an update that began: one that was asked for meanwhile still comes
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

/** What is wrong with mirror settings: nobody can follow a repository without its URL. */
export function mirrorProblems(mirror: boolean, url: unknown): Record<string, string[]> {
  return mirror && !url ? { import_url: ["can't be blank"] } : {};
}

interface MirrorSettings {
  mirror: boolean;
  mirror_user_id?: number | null | undefined;
  import_url?: Uint8Array | null;
}

/** Follows, or no longer follows, as the settings of a project say since they changed: another URL, or another user, begins anew. */
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
