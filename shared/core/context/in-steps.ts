import type { Context } from './context.js';

/**
 * Does long work in steps, until a step reports that nothing is left. Between steps it stops when the time of its job
 * is up; the next retry continues from there.
 * @throws the abort reason of the job
 */
export async function inSteps(ctx: Context, step: () => Promise<boolean>): Promise<void> {
  for (let more = true; more;) {
    ctx.signal.throwIfAborted();
    more = await step();
  }
}
