import { integer, oneOf, optional, text, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import { findIssue, issue } from '../issues/issue.finder.js';
import { issuePolicy } from '../issues/issue.policy.js';
import { createIssueLink } from './create-issue-link.js';
import { findIssueLink, linkedIssue, linkedIssues } from './issue-link.finder.js';
import { removeIssueLink } from './remove-issue-link.js';

const LINK_TYPES = ['relates_to', 'blocks', 'is_blocked_by'] as const;
const linkParam = { issue_link_id: integer().describe('ID of the issue link.') };

/** List the issues that an issue is linked with. */
export const listIssueLinks = operation({
  name: 'listIssueLinks',
  summary: 'List the issues that an issue is linked with',
  resource: issue,
  can: can(issuePolicy, 'read_issue'),
  kind: 'read',
  statements: 9,
  run: (ctx, found) => Promise.resolve(linkedIssues(ctx, found)),
});

/** Read a link of an issue, as it is stored. */
export const getIssueLink = operation({
  name: 'getIssueLink',
  summary: 'Read a link of an issue',
  resource: issue,
  can: can(issuePolicy, 'read_issue'),
  kind: 'read',
  statements: 12,
  params: linkParam,
  run: (ctx, found, input) => findIssueLink(ctx, found, input.issue_link_id),
});

/** Link two issues. */
export const createLinkOfIssue = operation({
  name: 'createIssueLink',
  summary: 'Link two issues',
  resource: linkedIssue,
  can: can(issuePolicy, 'read_issue'),
  kind: 'write',
  statements: 20,
  params: {
    target_project_id: text()
      .describe('ID or full path of the project of the other issue.')
      .meta({ examples: ['root/rocket'] }),
    target_issue_iid: integer().describe('Number of the other issue in its project.'),
    link_type: withDefault(oneOf(LINK_TYPES), 'relates_to').describe(
      'Type of the relationship, as seen from this issue.',
    ),
  },
  async run(ctx, found, input) {
    const target = await findIssue(ctx, await findProject(ctx, input.target_project_id), input.target_issue_iid);
    return createIssueLink(ctx, found, target, input.link_type);
  },
});

/** Take a link of two issues away. */
export const deleteIssueLink = operation({
  name: 'deleteIssueLink',
  summary: 'Delete a link between two issues',
  resource: linkedIssue,
  can: can(issuePolicy, 'read_issue'),
  kind: 'write',
  statements: 20,
  params: {
    ...linkParam,
    link_type: optional(oneOf(LINK_TYPES)).describe('Accepted for older clients; the ID determines the link.'),
  },
  run: (ctx, found, input) => removeIssueLink(ctx, found, input.issue_link_id),
});
