import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { Runner } from '../runners/runner.entity.js';
import { claimJob } from './claim-job.js';
import type { AskingManager, JobClaim } from './claim-job.js';
import { getHeldPolls, newValue } from './held-polls.js';
import type { JobOffer } from './held-polls.js';

/** What a runner that asks for a job gets: a job; `lost`, to ask again; or nothing, and the value for its next request. */
export type RequestedJob =
  | { readonly claim: JobClaim }
  | { readonly claim: 'lost' }
  | { readonly claim: null; readonly last_update: string };

/** Claims for a request that was woken, and wakes the next one unless nothing is left. */
async function claimOffered(
  ctx: Context<Caller>,
  runner: Runner,
  manager: AskingManager,
  offer: JobOffer | null,
): Promise<JobClaim | null | 'lost'> {
  let isNothingLeft = false;
  try {
    if (ctx.signal.aborted) return null;
    const claim = await claimJob(ctx, runner, manager);
    isNothingLeft = claim === null || claim === 'lost';
    return claim;
  } finally {
    if (!isNothingLeft) offer?.pass();
  }
}

/**
 * Gives a runner a job. A request that brings the value which the runner was last answered with is held until there is
 * one: until then nothing was offered that it could take.
 * @param lastUpdate the value that the request brought
 * @param changes how many changes of runners had been heard of before the runner was read
 */
export async function requestJob(
  ctx: Context<Caller>,
  runner: Runner,
  manager: AskingManager,
  lastUpdate: string | null,
  changes = getHeldPolls(ctx.services).changes,
): Promise<RequestedJob> {
  const polls = getHeldPolls(ctx.services);
  polls.start();
  // What it may take is then something else, and so is what it waits for.
  const hasChanged = () => polls.hasChanged(runner.id, changes);
  const getValue = () => (hasChanged() ? newValue() : polls.getValue(runner));
  const until = performance.now() + ctx.settings.ci_long_poll_seconds * 1000;
  let value = getValue();
  const nothing = (last_update: string) => ({ claim: null, last_update });
  if (runner.paused) return nothing(value);
  let isHeld = value === lastUpdate && until > performance.now();
  const isLongPoll = isHeld;
  for (;;) {
    let offer: JobOffer | null = null;
    if (isHeld) {
      const end = await polls.wait(runner, until - performance.now(), ctx.signal);
      if (typeof end === 'string') return nothing(end === 'runner_changed' ? newValue() : value);
      offer = end;
    }
    value = getValue();
    const claim = await claimOffered(ctx, runner, manager, offer);
    // Should whoever was faster fail, the job is offered again.
    if (claim !== null && !(claim === 'lost' && isLongPoll)) return { claim };
    // A changed runner asks again at once.
    if (hasChanged()) return nothing(newValue());
    const answered = claim === null ? polls.noteNothing(runner, value, lastUpdate) : value;
    if (!isLongPoll || ctx.signal.aborted || performance.now() >= until) return nothing(answered);
    // Offered meanwhile: asked for at once.
    isHeld = polls.getValue(runner) === answered;
    value = answered;
  }
}
