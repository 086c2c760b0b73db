import { invoke } from '../../core/operations/invoke.js';
import { prechecked } from '../../core/operations/operation.js';
import { updateIssue } from '../../planning/issues/update-issue.js';
import { findIssue } from '../../planning/issues/issue.finder.js';
import { assigneesOfIssues } from '../../planning/issues/issue.loads.js';
import { issuePolicy } from '../../planning/issues/issue.policy.js';
import type { IssueRecord } from '../../planning/issues/issue.record.js';
import type { Draft, DraftKind } from './draft.js';

const ANYBODYS: ReadonlySet<string> = new Set(['title', 'state_event']);

export type IssueDraft = Draft<IssueRecord>;

export const issueDrafts: DraftKind<IssueRecord> = {
  called: 'issue',
  placeOf: ({ project }) => project,
  mayEdit(ctx, issue, names) {
    const ability = names.every((name) => ANYBODYS.has(name)) ? 'update_issue' : 'set_issue_metadata';
    return issuePolicy[ability](ctx.caller, issue);
  },
  async assignees(ctx, issue) {
    await assigneesOfIssues.fill(ctx, [issue]);
    return (assigneesOfIssues.of(issue, ctx) ?? []).map(({ id }) => id);
  },
  // The comment was looked at for spam with its commands.
  update: (ctx, issue, edits) => invoke(ctx, prechecked(updateIssue), { ...edits }, () => Promise.resolve(issue)),
  again: (ctx, issue) => findIssue(ctx, issue.project, issue.iid),
};
