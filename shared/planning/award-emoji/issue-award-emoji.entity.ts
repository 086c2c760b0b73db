import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** An emoji that somebody gave to an issue. The issue's votes follow by a trigger. */
export const IssueAwardEmoji = defineEntity({
  name: 'IssueAwardEmoji',
  tableName: 'issue_award_emojis',
  properties: {
    id: id(),
    project_id: reference(),
    issue_id: reference(),
    user_id: reference(),
    /** Without colons: `thumbsup`. */
    name: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type IssueAwardEmoji = InferEntity<typeof IssueAwardEmoji>;
