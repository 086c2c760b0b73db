import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { Noteable } from '../noteables/noteable.js';
import type { CommandsOutcome } from '../quick-actions/quick-action.js';
import type { Note } from './note.entity.js';

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

/** What a comment of commands alone came to: no note is kept. */
export interface CommandsOnly {
  readonly commands: CommandsOutcome;
}
