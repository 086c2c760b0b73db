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
 * Does a job, and puts in order what it leaves when somebody cancels it while it runs: no try comes after it, and no
 * other job that gives up on it.
 * @param onCancel runs with a context that no signal ends
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
