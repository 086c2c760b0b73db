import type { Load } from '../../core/context/loads.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { issueDetails, issueLoads, issueSerializer } from '../issues/issue.serializer.js';
import type { IssueLinkRecord, LinkedIssue } from './issue-link.entity.js';

/** An issue that another one is linked with (issue-links.md section 2). */
export const linkedIssueSerializer = serializer<LinkedIssue>(
  'LinkedIssue',
  {
    ...issueSerializer.fields,
    issue_link_id: out.integer(({ link }) => link.id),
    link_type: out.text(({ link }) => link.type, {
      description: 'Type of the link, as seen from the requested issue.',
      enum: ['relates_to', 'blocks', 'is_blocked_by'],
    }),
    link_created_at: out.instant(({ link }) => link.created_at),
    link_updated_at: out.instant(({ link }) => link.updated_at),
  },
  { loads: issueLoads },
);

/** Data that both issues of a link show in addition to their records. */
const bothIssues: Load<IssueLinkRecord> = {
  of: () => undefined,
  put: () => undefined,
  fill: (ctx, links) =>
    issueDetails.load(
      ctx,
      links.flatMap(({ source, target }) => [source, target]),
    ),
};

/** A link with both its issues, as stored (issue-links.md sections 2, 3); the id is a superset. */
export const issueLinkSerializer = serializer<IssueLinkRecord>(
  'IssueLink',
  {
    id: out.integer((link) => link.id),
    source_issue: out.record(issueDetails, (link) => link.source),
    target_issue: out.record(issueDetails, (link) => link.target),
    link_type: out.text((link) => link.link_type, { enum: ['relates_to', 'blocks'] }),
  },
  { loads: [bothIssues] },
);
