import type { Context } from '../../core/context/context.js';
import type { List } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import { participantsIn } from '../issuables/participants.js';
import { issueType } from '../issuables/issuable-type.js';
import { issue } from './issue.finder.js';
import { issuePolicy } from './issue.policy.js';
import type { IssueRecord } from './issue.record.js';

/** Who took part in an issue. */
export const participantsOf = (ctx: Context, found: IssueRecord): List<UserSummary> =>
  participantsIn(ctx, issueType, found, found.project.issues_access_level);

/** List who took part in an issue. */
export const listIssueParticipants = operation({
  name: 'listIssueParticipants',
  summary: 'List the participants of an issue',
  subject: issue,
  can: can(issuePolicy, 'read_issue'),
  gate: 'open',
  kind: 'read',
  run: (ctx, found) => Promise.resolve(participantsOf(ctx, found)),
});
