import type { z } from 'zod';
import type { SignedInContext } from '../../core/context/context.js';
import { instant, oneOf, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import { issue } from './issue.finder.js';
import { issuePolicy, projectIssuePolicy } from './issue.policy.js';
import type { IssueRecord } from './issue.entity.js';
import { editMetadata } from './issue-metadata-changes.js';
import { editText } from './issue-text-changes.js';
import type { Edit } from './issue-text-changes.js';
import { optionalParam, issueParams, labelTitles, requireIssueValues } from '../issuables/issue-values.js';
import { writeIssueChange } from './write-issue-change.js';
import { textOfEditedIssue } from './issue-spam.js';
import { againstSpam } from '../../tenancy/spam/against-spam.js';

const editParams = {
  title: optionalParam(text()).describe('Title of the issue, of at most 255 characters.'),
  ...issueParams,
  add_labels: labelTitles().describe('Titles of labels to add to the issue.'),
  remove_labels: labelTitles().describe('Titles of labels to remove from the issue.'),
  state_event: optional(oneOf(['close', 'reopen'])).describe('Event that closes or reopens the issue.'),
  updated_at: optional(instant()).describe(
    'Timestamp of when the issue was updated; for Owners, for others it is the current time.',
  ),
};
type Input = z.output<z.ZodObject<typeof editParams>>;

async function update(ctx: SignedInContext, found: IssueRecord, input: Input): Promise<IssueRecord> {
  requireIssueValues(input);
  const edit: Edit = { columns: {}, changes: [] };
  editText(ctx, found, input, edit);
  // Values from other callers are ignored here, as in the public API.
  if (issuePolicy.set_issue_metadata(ctx.caller, found)) await editMetadata(ctx, found, input, edit);
  if (input.updated_at && projectIssuePolicy.set_issue_origin(ctx.caller, found.project))
    edit.columns.updated_at = input.updated_at;
  return writeIssueChange(ctx, found, edit.columns, edit.changes);
}

/** Edit an issue: its author, its assignees, Planners and above (core-resources.md section 6). */
export const updateIssue = operation({
  name: 'updateIssue',
  summary: 'Edit an issue',
  resource: issue,
  can: can(issuePolicy, 'update_issue'),
  kind: 'write',
  precheck: againstSpam(textOfEditedIssue),
  statements: 43,
  example: { state_event: 'close' },
  params: editParams,
  rules: [getAtLeastOne(...Object.keys(editParams).filter((name) => name !== 'updated_at'))],
  run: update,
});
