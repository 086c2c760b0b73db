import { epicAwardOperations } from '../../planning/award-emoji/award-emoji.operations.js';
import { subscribeToEpic, unsubscribeFromEpic } from '../../planning/epics/epic-subscription.operations.js';
import type { EpicRecord } from '../../planning/epics/epic.entity.js';
import { invoke } from '../../core/operations/invoke.js';
import { updateEpic } from '../../planning/epics/update-epic.js';
import { findEpic } from '../../planning/epics/epic.finder.js';
import { epicPolicy } from '../../planning/epics/epic.policy.js';
import { commonCommands, confidential } from './edit-commands.js';
import type { DraftCommand } from './edit-commands.js';
import { awardCommands, subscriptionCommands } from './tracking-commands.js';
import type { DraftKind } from './draft.js';

const subscriptions = { subscribe: subscribeToEpic, unsubscribe: unsubscribeFromEpic };

/** What lines of a comment can do to an epic. */
export const epicCommands: Readonly<Record<string, DraftCommand<EpicRecord>>> = {
  ...commonCommands,
  ...subscriptionCommands(subscriptions),
  ...awardCommands(epicAwardOperations.award as never),
  confidential,
};

export const epicDrafts: DraftKind<EpicRecord> = {
  called: 'epic',
  containerOf: ({ group }) => group,
  mayEdit: ({ caller }, epic) => epicPolicy.update_epic(caller, epic),
  assignees: () => Promise.resolve([]),
  update: (ctx, epic, edits) => invoke(ctx, updateEpic, { ...edits }, () => Promise.resolve(epic)),
  again: (ctx, epic) => findEpic(ctx, epic.group, epic.iid),
};
