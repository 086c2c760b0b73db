import { Context } from '../../core/context.js';
import type { SignedInContext } from '../../core/context.js';
import { Invalid } from '../../core/errors.js';
import { ImportPlan } from './import-plan.entity.js';
import { findImportPlan } from './import-plan.operations.js';
import type { ImportPlanRecord } from './import-plan.entity.js';
import { PLANS_HEARD } from './run-import-plan.js';

/** A request waits so long for its plan. */
const WAITS_MS = 30_000;
/** What was said while nobody heard it is found after so long. */
const BACKSTOP_MS = 2_000;

/** What hears of changes. */
interface Hearing {
  /**
   * Resolves once something is heard of, or after `ms`, or when the signal is aborted.
   * @returns whether more may be heard: false once the process ends
   */
  heard(kind: string, id: number, ms: number, signal: AbortSignal): Promise<boolean>;
}

/** Removes a plan whose address nobody knows. */
async function removePlan(ctx: SignedInContext, id: number): Promise<void> {
  const { signal: _, ...origin } = ctx.origin;
  const still = new Context(ctx.services, ctx.caller, origin);
  await still.transaction(() => still.em.nativeDelete(ImportPlan, { id }));
}

async function waitForEnd(ctx: SignedInContext, id: number, hearing: Hearing): Promise<ImportPlanRecord> {
  const until = ctx.clock.now().getTime() + WAITS_MS;
  for (;;) {
    // From before it is looked at: what ends meanwhile is heard of.
    const stop = new AbortController();
    const heard = hearing.heard(PLANS_HEARD, id, BACKSTOP_MS, AbortSignal.any([ctx.signal, stop.signal]));
    try {
      const plan = await findImportPlan(ctx, id);
      if (plan.status !== 'waiting' || ctx.clock.now().getTime() >= until) return plan;
      if (!(await heard)) return plan;
      ctx.signal.throwIfAborted();
    } finally {
      stop.abort();
    }
  }
}

/**
 * Waits for a plan, for half a minute at most, with no connection to the database.
 * @returns what the import would do, or the plan as far as it is
 * @throws Invalid (422) with the reason of a plan that failed
 */
export async function awaitImportPlan<P extends object>(
  ctx: SignedInContext,
  { id }: ImportPlanRecord,
  hearing: Hearing,
): Promise<P | ImportPlanRecord> {
  let isKept = false;
  try {
    const ended = await waitForEnd(ctx, id, hearing);
    isKept = ended.status === 'waiting';
    if (ended.status === 'failed') throw new Invalid({ error: ended.reason ?? '' }, 422);
    return ended.status === 'finished' ? (ended.plan as P) : ended;
  } finally {
    if (!isKept) await removePlan(ctx, id);
  }
}
