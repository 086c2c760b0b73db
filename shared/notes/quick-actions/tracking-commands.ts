import type { z } from 'zod';
import type { Operation } from '../../core/operations/operation.js';
import { parseDuration } from '../../planning/issuables/duration.js';
import { BadCommand } from './command-arguments.js';
import { runOn } from './draft.js';
import type { Drafted } from './draft.js';
import type { DraftCommand } from './edit-commands.js';

type Op<R> = Operation<R, z.ZodRawShape, unknown>;

/** @throws BadCommand */
function requireDuration(argument: string): string {
  if (parseDuration(argument) === null) throw new BadCommand('Failed to read the duration.');
  return argument;
}

/** Commands on the time that something takes, by the operations of its kind. */
export function timeCommands<R extends Drafted>(of: {
  spend: Op<R>;
  resetSpent: Op<R>;
  estimate: Op<R>;
  resetEstimate: Op<R>;
}): Record<string, DraftCommand<R>> {
  const spend: DraftCommand<R> = async (draft, argument) => {
    // A date after the duration is not stored: time is recorded as of now.
    const duration = requireDuration(argument.replace(/\s+\d{4}-\d{2}-\d{2}$/, ''));
    await runOn(draft, of.spend, { duration });
    draft.changes.spend_time = { duration: parseDuration(duration) };
    return duration.startsWith('-') ? `Subtracted ${duration.slice(1)} spent time.` : `Added ${duration} spent time.`;
  };
  const estimate: DraftCommand<R> = async (draft, argument) => {
    await runOn(draft, of.estimate, { duration: requireDuration(argument) });
    draft.changes.time_estimate = parseDuration(argument);
    return `Set time estimate to ${argument}.`;
  };
  const removeEstimate: DraftCommand<R> = async (draft) => {
    await runOn(draft, of.resetEstimate, {});
    draft.changes.time_estimate = 0;
    return 'Removed time estimate.';
  };
  return {
    spend,
    spent: spend,
    spend_time: spend,
    async remove_time_spent(draft) {
      await runOn(draft, of.resetSpent, {});
      draft.changes.spend_time = { duration: 'reset' };
      return 'Removed spent time.';
    },
    estimate,
    estimate_time: estimate,
    remove_estimate: removeEstimate,
    remove_time_estimate: removeEstimate,
  };
}

/** Giving an emoji, by the operation of a kind. */
export function awardCommands<R extends Drafted>(award: Op<R>): Record<string, DraftCommand<R>> {
  const give: DraftCommand<R> = async (draft, argument) => {
    const name = argument.replace(/^:(.*):$/, '$1');
    await runOn(draft, award, { name });
    draft.changes.emoji_award = name;
    return `Toggled :${name}: emoji award.`;
  };
  return { award: give, react: give };
}

/** Subscribing and unsubscribing: by one operation with a parameter, or by two. */
export function subscriptionCommands<R extends Drafted>(
  set: Op<R> | { readonly subscribe: Op<R>; readonly unsubscribe: Op<R> },
): Record<string, DraftCommand<R>> {
  const turn =
    (subscribed: boolean): DraftCommand<R> =>
    async (draft) => {
      if ('subscribe' in set) await runOn(draft, subscribed ? set.subscribe : set.unsubscribe, {});
      else await runOn(draft, set, { subscribed });
      return subscribed ? 'Subscribed to notifications.' : 'Unsubscribed from notifications.';
    };
  return { subscribe: turn(true), unsubscribe: turn(false) };
}
