import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Issue } from '../issues/issue.entity.js';
import type { IssueRecord, ListedIssue } from '../issues/issue.entity.js';

/** A relation of two issues; no two issues have more than one. */
export const IssueLink = defineEntity({
  name: 'IssueLink',
  tableName: 'issue_links',
  properties: {
    id: id(),
    /** The source's. */
    project_id: reference(),
    source_id: relation(Issue),
    target_id: relation(Issue),
    /** `relates_to`, or `blocks`: the source blocks the target. */
    link_type: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type IssueLink = InferEntity<typeof IssueLink>;

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
