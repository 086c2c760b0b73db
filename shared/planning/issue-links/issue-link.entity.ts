import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Issue } from '../issues/issue.entity.js';

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
