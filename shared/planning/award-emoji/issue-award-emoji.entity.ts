import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Issue } from '../issues/issue.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** An emoji that somebody gave to an issue. The issue's votes follow by a trigger. */
export const IssueAwardEmoji = defineEntity({
  name: 'IssueAwardEmoji',
  tableName: 'issue_award_emojis',
  properties: {
    id: id(),
    project_id: reference(),
    issue_id: relation(Issue),
    user_id: relation(User),
    /** Without colons: `thumbsup`. */
    name: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type IssueAwardEmoji = InferEntity<typeof IssueAwardEmoji>;
