import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Snippet } from '../snippets/snippet.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** An emoji that somebody gave to a snippet of a project. The snippet's votes follow by a trigger. */
export const SnippetAwardEmoji = defineEntity({
  name: 'SnippetAwardEmoji',
  tableName: 'snippet_award_emojis',
  properties: {
    id: id(),
    project_id: reference(),
    snippet_id: relation(Snippet),
    user_id: relation(User),
    /** Without colons: `thumbsup`. */
    name: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type SnippetAwardEmoji = InferEntity<typeof SnippetAwardEmoji>;
