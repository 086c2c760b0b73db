import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';

/** An emoji that somebody gave to a merge request. Its votes follow by a trigger. */
export const MergeRequestAwardEmoji = defineEntity({
  name: 'MergeRequestAwardEmoji',
  tableName: 'merge_request_award_emojis',
  properties: {
    id: id(),
    project_id: reference(),
    merge_request_id: reference(),
    user_id: reference(),
    /** Without colons: `thumbsup`. */
    name: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
