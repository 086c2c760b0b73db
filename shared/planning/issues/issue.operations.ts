import { integer } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { aboutProject } from '../../core/values/job-context.js';
import type { Context } from '../../core/context/context.js';
import type { List } from '../../core/database/list.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { participantsIn } from '../issuables/participants.js';
import { issueType } from '../issuables/issuable-type.js';
import { findIssueById, issue } from './issue.finder.js';
import { issuePolicy } from './issue.policy.js';
import type { IssueRecord } from './issue.entity.js';

/** Read one issue. */
export const getIssue = operation({
  name: 'getIssue',
  summary: 'Read an issue',
  resource: issue,
  can: can(issuePolicy, 'read_issue'),
  authentication: 'open',
  kind: 'read',
  statements: 8,
  run: (_ctx, found) => Promise.resolve(found),
});

const issueById: Resource<IssueRecord> = {
  noun: 'Issue',
  params: { id: integer().describe('Global ID of the issue.') },
  find: (ctx, input: { id: number }) => findIssueById(ctx, input.id),
  about: (record) => aboutProject(record.project),
};

/** Read an issue by its global id: administrators. */
export const getAnyIssue = operation({
  name: 'getAnyIssue',
  summary: 'Read an issue by its global ID',
  resource: issueById,
  authentication: 'administrator',
  kind: 'read',
  statements: 9,
  run: (_ctx, found) => Promise.resolve(found),
});

/** Read an issue by its global id, as GraphQL does: callers who can read it. */
export const getIssueById = operation({
  name: 'getIssueById',
  summary: 'Read an issue by its global ID',
  resource: issueById,
  can: can(issuePolicy, 'read_issue'),
  authentication: 'open',
  kind: 'read',
  statements: 9,
  run: (_ctx, found) => Promise.resolve(found),
});

/** Who took part in an issue. */
export const findParticipants = (ctx: Context, found: IssueRecord): List<UserSummary> =>
  participantsIn(ctx, issueType, found, found.project.issues_access_level);

/** List who took part in an issue. */
export const listIssueParticipants = operation({
  name: 'listIssueParticipants',
  summary: 'List the participants of an issue',
  resource: issue,
  can: can(issuePolicy, 'read_issue'),
  authentication: 'open',
  kind: 'read',
  run: (ctx, found) => Promise.resolve(findParticipants(ctx, found)),
});
