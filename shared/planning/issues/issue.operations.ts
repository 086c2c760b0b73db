import { integer } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import type { Subject } from '../../core/operations/operation.js';
import { aboutProject } from '../../core/values/job-context.js';
import { findIssueById, issue } from './issue.finder.js';
import { issuePolicy } from './issue.policy.js';
import type { IssueRecord } from './issue.record.js';

/** Read one issue. */
export const getIssue = operation({
  name: 'getIssue',
  summary: 'Read an issue',
  subject: issue,
  can: can(issuePolicy, 'read_issue'),
  gate: 'open',
  kind: 'read',
  statements: 8,
  run: (_ctx, found) => Promise.resolve(found),
});

const issueById: Subject<IssueRecord> = {
  noun: 'Issue',
  params: { id: integer().describe('Global id of the issue.') },
  find: (ctx, input: { id: number }) => findIssueById(ctx, input.id),
  about: (record) => aboutProject(record.project),
};

/** Read an issue by its global id: administrators. */
export const getAnyIssue = operation({
  name: 'getAnyIssue',
  summary: 'Read an issue by its global id',
  subject: issueById,
  gate: 'administrator',
  kind: 'read',
  statements: 9,
  run: (_ctx, found) => Promise.resolve(found),
});

/** Read an issue by its global id, as GraphQL names it: whoever may read it. */
export const getIssueById = operation({
  name: 'getIssueById',
  summary: 'Read an issue by its global id',
  subject: issueById,
  can: can(issuePolicy, 'read_issue'),
  gate: 'open',
  kind: 'read',
  statements: 9,
  run: (_ctx, found) => Promise.resolve(found),
});
