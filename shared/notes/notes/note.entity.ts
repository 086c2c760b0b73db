import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { MergeRequest } from '../../merge-requests/merge-requests/merge-request.entity.js';
import { Epic } from '../../planning/epics/epic.entity.js';
import { Issue } from '../../planning/issues/issue.entity.js';
import { Snippet } from '../../planning/snippets/snippet.entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import type { Noteable } from '../noteables/noteable.js';
import type { CommandsOutcome } from '../quick-actions/quick-action.js';
import type { Position } from './position.js';

/** A comment by a user, or a system note, on an issue, merge request, epic, snippet or commit. */
export const Note = defineEntity({
  name: 'Note',
  tableName: 'notes',
  properties: {
    id: id(),
    project_id: relation(Project).nullable(),
    /** The group of an epic; what lies in a project has none. */
    namespace_id: relation(Namespace).nullable(),
    issue_id: relation(Issue).nullable(),
    merge_request_id: relation(MergeRequest).nullable(),
    /** The full id of a commit of the project. */
    commit_sha: p.string().nullable(),
    epic_id: relation(Epic).nullable(),
    snippet_id: relation(Snippet).nullable(),
    /** 40 hexadecimal digits, drawn at random. */
    discussion_id: p.string(),
    /** Null for a single comment and for system notes, `DiscussionNote` in threads, `DiffNote` on a diff. */
    type: p.string().nullable(),
    /** The current and the original position of a diff note; see `Position`. */
    position: p.json().$type<Position>().nullable(),
    original_position: p.json().$type<Position>().nullable(),
    /** Whether the position no longer exists in the newest version of the merge request. */
    outdated: p.boolean(),
    /** The commit of the merge request that a diff thread starts on. */
    diff_commit_sha: p.string().nullable(),
    /** Markdown. */
    note: p.string(),
    author_id: relation(User).nullable(),
    /** Written by the system about an action of its author. */
    system: p.boolean(),
    /** The action that a system note describes, identified by its icon name. */
    action: p.string().nullable(),
    /** The records that a system note references: it is only visible to callers who can see these too. */
    referenced_issue_id: relation(Issue).nullable(),
    referenced_merge_request_id: relation(MergeRequest).nullable(),
    referenced_epic_id: relation(Epic).nullable(),
    /** The project of a commit that a system note references: it is only visible to callers who can see the code. */
    referenced_project_id: relation(Project).nullable(),
    /** For Planners and above, its author, and author and assignees of what it is about. */
    internal: p.boolean(),
    imported_from: p.string(),
    /** Null if not resolved. */
    resolved_at: timestamp().nullable(),
    resolved_by_id: relation(User).nullable(),
    last_edited_at: timestamp().nullable(),
    last_edited_by_id: relation(User).nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Note = InferEntity<typeof Note>;

/** An emoji that a user awarded to a note. */
export const NoteAwardEmoji = defineEntity({
  name: 'NoteAwardEmoji',
  tableName: 'note_award_emojis',
  properties: {
    id: id(),
    project_id: reference().nullable(),
    /** Set instead of a project for notes on epics. */
    namespace_id: reference().nullable(),
    note_id: relation(Note),
    user_id: relation(User),
    /** Without colons: `thumbsup`. */
    name: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});

/** A user mentioned in a comment. */
export const NoteMention = defineEntity({
  name: 'NoteMention',
  tableName: 'note_mentions',
  properties: {
    project_id: reference().nullable(),
    note_id: relation(Note).primary(),
    user_id: relation(User).primary(),
    namespace_id: reference().nullable(),
  },
});

/** A note with its people and what it is about. */
export interface NoteRecord extends Note {
  /** Null once they are gone, and for what no user did. */
  author: UserSummary | null;
  resolved_by: UserSummary | null;
  noteable: Noteable;
  /** What quick actions of the request did that made it. */
  commands?: CommandsOutcome;
}

/** A thread, or a single comment as a thread of its own. */
export interface DiscussionRecord {
  /** 40 hexadecimal digits. */
  discussion_id: string;
  /** Of its first note, as far as the caller sees it, as what follows is. */
  id: number;
  type: string | null;
  created_at: Date;
  noteable: Noteable;
}

/** The result of a comment that consists of commands only: no note is stored. */
export interface CommandsOnly {
  readonly commands: CommandsOutcome;
}
