import { can, operation } from '../../core/operation.js';
import { issue } from './issue.finder.js';
import { issuePolicy } from './issue.policy.js';

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
