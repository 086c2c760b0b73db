import { invoke } from '../../core/operations/invoke.js';
import { updateEpic } from '../../planning/epics/update-epic.js';
import { findEpic } from '../../planning/epics/epic.finder.js';
import { epicPolicy } from '../../planning/epics/epic.policy.js';
import type { EpicRecord } from '../../planning/epics/epic.record.js';
import type { DraftKind } from './draft.js';

export const epicDrafts: DraftKind<EpicRecord> = {
  called: 'epic',
  placeOf: ({ group }) => group,
  mayEdit: ({ caller }, epic) => epicPolicy.update_epic(caller, epic),
  assignees: () => Promise.resolve([]),
  update: (ctx, epic, edits) => invoke(ctx, updateEpic, { ...edits }, () => Promise.resolve(epic)),
  again: (ctx, epic) => findEpic(ctx, epic.group, epic.iid),
};
