import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import { MergeRequest } from './merge-request.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** An emoji that somebody gave to a merge request. Its votes follow by a trigger. */
export const MergeRequestAwardEmoji = defineEntity({
  name: 'MergeRequestAwardEmoji',
  tableName: 'merge_request_award_emojis',
  properties: {
    id: id(),
    project_id: reference(),
    merge_request_id: relation(MergeRequest),
    user_id: relation(User),
    /** Without colons: `thumbsup`. */
    name: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
