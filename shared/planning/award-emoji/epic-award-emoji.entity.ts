import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Epic } from '../epics/epic.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** An emoji that somebody gave to an epic. The epic's votes follow by a trigger. */
export const EpicAwardEmoji = defineEntity({
  name: 'EpicAwardEmoji',
  tableName: 'epic_award_emojis',
  properties: {
    id: id(),
    namespace_id: reference(),
    epic_id: relation(Epic),
    user_id: relation(User),
    /** Without colons: `thumbsup`. */
    name: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type EpicAwardEmoji = InferEntity<typeof EpicAwardEmoji>;
