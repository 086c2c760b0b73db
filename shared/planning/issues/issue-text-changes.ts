import type { SignedInContext } from '../../core/context/context.js';
import type { IssuableChange } from '../issuables/issuable-changes.js';
import { countTasks } from '../issuables/task-lists.js';
import type { IssueRecord } from './issue.entity.js';
import type { IssueColumns } from './write-issue-change.js';

/** The column changes of an edit and the changes to report. */
export interface Edit {
  readonly columns: IssueColumns;
  readonly changes: IssuableChange[];
}

interface IssueTextInput {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly issue_type?: string | undefined;
  readonly state_event?: 'close' | 'reopen' | undefined;
}

/** Closing records the time and the user; reopening clears both (core-resources.md section 6). */
function editState(ctx: SignedInContext, issue: IssueRecord, input: IssueTextInput, { columns, changes }: Edit): void {
  const { state_event: event } = input;
  const to = event === 'close' ? 'closed' : 'opened';
  if (event === undefined || to === issue.state) return;
  const closed = to === 'closed';
  Object.assign(columns, {
    state: to,
    closed_at: closed ? ctx.clock.now() : null,
    closed_by_id: closed ? ctx.caller.id : null,
    ...(closed ? {} : { duplicated_to_id: null }),
  });
  changes.push({ attribute: 'state', to: closed ? 'closed' : 'reopened' });
}

/** Title, description, type and state: for callers who can update the issue at all. */
export function editText(ctx: SignedInContext, issue: IssueRecord, input: IssueTextInput, edit: Edit): void {
  const { columns, changes } = edit;
  const title = input.title?.trim();
  if (title !== undefined && title !== issue.title) {
    columns.title = title;
    changes.push({ attribute: 'title', from: issue.title, to: title });
  }
  const described = input.description;
  if (described !== undefined && (described ?? '') !== (issue.description ?? '')) {
    Object.assign(columns, { description: described, ...countTasks(described) });
    changes.push({ attribute: 'description' });
  }
  if (changes.length > 0) columns.last_edited_at = ctx.clock.now();
  if (input.issue_type !== undefined && input.issue_type !== issue.issue_type) {
    columns.issue_type = input.issue_type;
    changes.push({ attribute: 'issue_type', from: issue.issue_type, to: input.issue_type });
  }
  editState(ctx, issue, input, edit);
}
