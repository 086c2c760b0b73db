import { Conflict } from '../../core/values/errors.js';
import { issueAwardOperations } from '../../planning/award-emoji/award-emoji.operations.js';
import { createIssueLink } from '../../planning/issue-links/create-issue-link.js';
import type { LinkType } from '../../planning/issue-links/issue-link.entity.js';
import { setIssueSubscription, issueTimeOperations } from '../../planning/issues/issue-tracking.operations.js';
import { Issue } from '../../planning/issues/issue.entity.js';
import { findIssue } from '../../planning/issues/issue.finder.js';
import type { IssueRecord } from '../../planning/issues/issue.entity.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import { invoke } from '../../core/operations/invoke.js';
import { prechecked } from '../../core/operations/operation.js';
import { updateIssue } from '../../planning/issues/update-issue.js';
import { assigneesOfIssues } from '../../planning/issues/issue.loads.js';
import { issuePolicy } from '../../planning/issues/issue.policy.js';
import { BadCommand, issuesIn } from './command-arguments.js';
import { commonCommands, issueEditCommands, plannedCommands } from './edit-commands.js';
import type { DraftCommand } from './edit-commands.js';
import { awardCommands, subscriptionCommands, timeCommands } from './tracking-commands.js';
import type { Draft, DraftKind } from './draft.js';

const ANYBODYS: ReadonlySet<string> = new Set(['title', 'state_event']);

type IssueDraft = Draft<IssueRecord>;

export const issueDrafts: DraftKind<IssueRecord> = {
  called: 'issue',
  containerOf: ({ project }) => project,
  mayEdit(ctx, issue, names) {
    const ability = names.every((name) => ANYBODYS.has(name)) ? 'update_issue' : 'set_issue_metadata';
    return issuePolicy[ability](ctx.caller, issue);
  },
  async assignees(ctx, issue) {
    await assigneesOfIssues.fill(ctx, [issue]);
    return (assigneesOfIssues.of(issue, ctx) ?? []).map(({ id }) => id);
  },
  // The comment was already checked for spam, including its commands.
  update: (ctx, issue, edits) => invoke(ctx, prechecked(updateIssue), { ...edits }, () => Promise.resolve(issue)),
  again: (ctx, issue) => findIssue(ctx, issue.project, issue.iid),
};

type IssueCommand = DraftCommand<IssueRecord>;

/** Issues that one command names at most. */
const MOST_LINKED = 10;

/** The issues that a command names, of those that the caller may read. @throws NotFound, BadCommand */
async function findIssues({ ctx, record: issue }: IssueDraft, argument: string): Promise<IssueRecord[]> {
  const references = issuesIn(argument);
  if (references.length > MOST_LINKED) throw new BadCommand(`At most ${MOST_LINKED} issues can be named.`);
  const found: IssueRecord[] = [];
  for (const { path, iid } of references)
    found.push(await findIssue(ctx, path === null ? issue.project : await findProject(ctx, path), iid));
  return found;
}

const LINKED = { relates_to: 'related to', blocks: 'blocking', is_blocked_by: 'blocked by' } as const;

const link =
  (type: LinkType): IssueCommand =>
  async (draft, argument) => {
    await draft.write();
    for (const target of await findIssues(draft, argument))
      await createIssueLink(draft.ctx, draft.record, target, type);
    return `Marked this issue as ${LINKED[type]} ${argument}.`;
  };

/** Closes the issue as a duplicate of another one, and links the two. */
const duplicate: IssueCommand = async (draft, argument) => {
  const [original, ...others] = await findIssues(draft, argument);
  if (!original || others.length > 0 || original.id === draft.record.id) throw new BadCommand('Name one other issue.');
  draft.edit({});
  const link = await createIssueLink(draft.ctx, draft.record, original, 'relates_to').catch((error: unknown) => {
    // They may be linked already.
    if (error instanceof Conflict) return null;
    throw error;
  });
  await draft.ctx.em.nativeUpdate(Issue, { id: draft.record.id }, { duplicated_to_id: original.id });
  if (draft.opened) draft.edit({ state_event: 'close' });
  await draft.write();
  draft.changes.duplicate = original.id;
  return `Closed this issue. Marked as ${link ? 'related to, and ' : ''}a duplicate of, ${argument}.`;
};

/** What lines of a comment can do to an issue. */
export const issueCommands: Readonly<Record<string, IssueCommand>> = {
  ...commonCommands,
  ...plannedCommands,
  ...issueEditCommands,
  ...timeCommands(issueTimeOperations as never),
  ...subscriptionCommands(setIssueSubscription as never),
  ...awardCommands(issueAwardOperations.award as never),
  relate: link('relates_to'),
  blocks: link('blocks'),
  blocked_by: link('is_blocked_by'),
  duplicate,
};
