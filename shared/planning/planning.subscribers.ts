import { subscriber } from '../core/subscribers.js';
import { followGroupTransfer, followProjectTransfer } from './issuables/follow-transfer.js';
import { unassignMember } from './issuables/unassign-member.js';

/** What follows from what happened below, in this order. */
export const planningSubscribers = [
  subscriber('labels and milestones of moved projects', ['project.transferred'], async (ctx, events) => {
    for (const { after } of events) await followProjectTransfer(ctx, after.id);
  }),
  subscriber('labels and milestones of moved groups', ['group.transferred'], async (ctx, events) => {
    for (const { after } of events) await followGroupTransfer(ctx, after.id);
  }),
  subscriber('issues of who left', ['member.removed'], async (ctx, events) => {
    for (const { container, member, unassign } of events) if (unassign) await unassignMember(ctx, container, member.id);
  }),
];
