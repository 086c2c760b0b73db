import { epicAwardOperations } from '../../planning/award-emoji/award-emoji.operations.js';
import { subscribeToEpic, unsubscribeFromEpic } from '../../planning/epics/epic-subscription.operations.js';
import type { EpicRecord } from '../../planning/epics/epic.record.js';
import { commonCommands, confidential } from './edit-commands.js';
import type { DraftCommand } from './edit-commands.js';
import { awardCommands, subscriptionCommands } from './tracking-commands.js';

const subscriptions = { subscribe: subscribeToEpic, unsubscribe: unsubscribeFromEpic };

/** What lines of a comment can do to an epic. */
export const epicCommands: Readonly<Record<string, DraftCommand<EpicRecord>>> = {
  ...commonCommands,
  ...subscriptionCommands(subscriptions),
  ...awardCommands(epicAwardOperations.award as never),
  confidential,
};
