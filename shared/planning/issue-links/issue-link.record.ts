import type { IssueRecord, ListedIssue } from '../issues/issue.record.js';
import type { IssueLink } from './issue-link.entity.js';

/** As stored: `blocks` goes from the source to the target. */
export type StoredLinkType = 'relates_to' | 'blocks';

/** As seen from one of the two issues. */
export type LinkType = StoredLinkType | 'is_blocked_by';

/** A link with both its issues, which the caller may read. */
export interface IssueLinkRecord extends IssueLink {
  source: IssueRecord;
  target: IssueRecord;
}

/** An issue that another one is linked with, and how. */
export interface LinkedIssue extends ListedIssue {
  link: Pick<IssueLink, 'id' | 'created_at' | 'updated_at'> & { type: LinkType };
}
