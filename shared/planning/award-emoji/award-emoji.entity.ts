import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Issue } from '../issues/issue.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { Epic } from '../epics/epic.entity.js';
import { Snippet } from '../snippets/snippet.entity.js';

/** An emoji that a user awarded to an issue. A trigger updates the issue's vote counts. */
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

/** An emoji that a user awarded to an epic. A trigger updates the epic's vote counts. */
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

/** An emoji that a user awarded to a project snippet. A trigger updates the snippet's vote counts. */
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
