import { Conflict } from '../../core/errors.js';
import { issueAwardOperations } from '../../planning/award-emoji/award-emoji.operations.js';
import { createIssueLink } from '../../planning/issue-links/create-issue-link.js';
import type { LinkType } from '../../planning/issue-links/issue-link.record.js';
import { setIssueSubscription } from '../../planning/issue-tracking/issue-subscription.operations.js';
import { issueTimeOperations } from '../../planning/issue-tracking/issue-time.operations.js';
import { parseDuration } from '../../planning/issuables/duration.js';
import { Issue } from '../../planning/issues/issue.entity.js';
import { findIssue } from '../../planning/issues/issue.finder.js';
import type { IssueRecord } from '../../planning/issues/issue.record.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import { BadCommand, issuesIn } from './command-arguments.js';
import type { IssueDraft } from './issue-draft.js';
import type { IssueCommand } from './issue-edit-commands.js';

/** Issues that one command names at most. */
const MOST_LINKED = 10;

/** The issues that a command names, of those that the caller may read. @throws NotFound, BadCommand */
async function namedIssues({ ctx, issue }: IssueDraft, argument: string): Promise<IssueRecord[]> {
  const named = issuesIn(argument);
  if (named.length > MOST_LINKED) throw new BadCommand(`At most ${MOST_LINKED} issues can be named.`);
  const found: IssueRecord[] = [];
  for (const { path, iid } of named)
    found.push(await findIssue(ctx, path === null ? issue.project : await findProject(ctx, path), iid));
  return found;
}

const LINKED = { relates_to: 'related to', blocks: 'blocking', is_blocked_by: 'blocked by' } as const;

const link =
  (type: LinkType): IssueCommand =>
  async (draft, argument) => {
    await draft.write();
    for (const target of await namedIssues(draft, argument))
      await createIssueLink(draft.ctx, draft.issue, target, type);
    return `Marked this issue as ${LINKED[type]} ${argument}.`;
  };

/** @throws BadCommand */
function requireDuration(argument: string): string {
  if (parseDuration(argument) === null) throw new BadCommand('Failed to read the duration.');
  return argument;
}

const subscribe =
  (subscribed: boolean): IssueCommand =>
  async (draft) => {
    await draft.run(setIssueSubscription, { subscribed });
    return subscribed ? 'Subscribed to notifications.' : 'Unsubscribed from notifications.';
  };

const spend: IssueCommand = async (draft, argument) => {
  // A day behind the time is not kept: time counts when it is told.
  const duration = requireDuration(argument.replace(/\s+\d{4}-\d{2}-\d{2}$/, ''));
  await draft.run(issueTimeOperations.spend, { duration });
  draft.changes.spend_time = { duration: parseDuration(duration) };
  return duration.startsWith('-') ? `Subtracted ${duration.slice(1)} spent time.` : `Added ${duration} spent time.`;
};

const estimate: IssueCommand = async (draft, argument) => {
  await draft.run(issueTimeOperations.estimate, { duration: requireDuration(argument) });
  draft.changes.time_estimate = parseDuration(argument);
  return `Set time estimate to ${argument}.`;
};

const removeEstimate: IssueCommand = async (draft) => {
  await draft.run(issueTimeOperations.resetEstimate, {});
  draft.changes.time_estimate = 0;
  return 'Removed time estimate.';
};

const award: IssueCommand = async (draft, argument) => {
  const name = argument.replace(/^:(.*):$/, '$1');
  await draft.run(issueAwardOperations.award, { name });
  draft.changes.emoji_award = name;
  return `Toggled :${name}: emoji award.`;
};

/** Closes the issue as another one that says the same, and links the two. */
const duplicate: IssueCommand = async (draft, argument) => {
  const [original, ...others] = await namedIssues(draft, argument);
  if (!original || others.length > 0 || original.id === draft.issue.id) throw new BadCommand('Name one other issue.');
  draft.edit({});
  const link = await createIssueLink(draft.ctx, draft.issue, original, 'relates_to').catch((error: unknown) => {
    // They may be linked already.
    if (error instanceof Conflict) return null;
    throw error;
  });
  await draft.ctx.em.nativeUpdate(Issue, { id: draft.issue.id }, { duplicated_to_id: original.id });
  if (draft.opened) draft.edit({ state_event: 'close' });
  await draft.write();
  draft.changes.duplicate = original.id;
  return `Closed this issue. Marked as ${link ? 'related to, and ' : ''}a duplicate of, ${argument}.`;
};

/** Commands that do more than edit the issue, each by the operation of its own. */
export const otherCommands: Readonly<Record<string, IssueCommand>> = {
  spend,
  spent: spend,
  spend_time: spend,
  async remove_time_spent(draft) {
    await draft.run(issueTimeOperations.resetSpent, {});
    draft.changes.spend_time = { duration: 'reset' };
    return 'Removed spent time.';
  },
  estimate,
  estimate_time: estimate,
  remove_estimate: removeEstimate,
  remove_time_estimate: removeEstimate,
  subscribe: subscribe(true),
  unsubscribe: subscribe(false),
  relate: link('relates_to'),
  blocks: link('blocks'),
  blocked_by: link('is_blocked_by'),
  duplicate,
  award,
  react: award,
};
