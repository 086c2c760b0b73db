import { Context } from '../../shared/core/context/context.js';

/** Why a job ended early. */
class JobEnd extends Error {
  override get name() {
    return this.constructor.name;
  }
}
export class JobCancelled extends JobEnd {}
export class JobLost extends JobEnd {}
export class JobTimedOut extends JobEnd {}
export class WorkerStopping extends JobEnd {}

/**
 * Runs a job, and cleans up after it if it is canceled while running: no retry follows, and no other job that handles
 * its failure.
 * @param onCancel runs with a context that no signal aborts
 */
export async function whenCancelled(
  ctx: Context,
  work: () => Promise<void>,
  onCancel: (ctx: Context) => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (ctx.signal.reason instanceof JobCancelled) {
      const { signal: _, ...origin } = ctx.origin;
      await onCancel(new Context(ctx.services, ctx.caller, origin));
    }
    throw error;
  }
}
