import type { Context } from './context.js';

/**
 * Does a long piece of work in steps, until one says that nothing is left. Between two it ends with the time of its
 * job, whose next try goes on where it stood.
 * @throws the reason of the job's end
 */
export async function inSteps(ctx: Context, step: () => Promise<boolean>): Promise<void> {
  for (let more = true; more;) {
    ctx.signal.throwIfAborted();
    more = await step();
  }
}
