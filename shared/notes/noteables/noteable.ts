import type { Expression, SqlBool } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { Resource } from '../../core/operations/operation.js';
import type { PageChange } from '../../core/page-changes/publish-page-changes.js';
import type { Container } from '../../tenancy/containers/container.js';

/** The columns of a note that name what it is about. */
export interface NamesNoteable {
  readonly project_id?: number | null;
  readonly namespace_id?: number | null;
  readonly issue_id?: number | null;
  readonly merge_request_id?: number | null;
  readonly commit_sha?: string | null;
  readonly epic_id?: number | null;
  readonly snippet_id?: number | null;
}

/** By what notes name a record, as values, or as expressions for them. */
interface NoteableKey {
  /** Null for commits. */
  readonly id: number | Expression<number> | null;
  /** Its project or group. */
  readonly container: { readonly id: number | Expression<number> };
  /** The full id of a commit. */
  readonly sha: string | Expression<string> | null;
}

/** A record that can be commented on and that the caller can read, as needed for permission checks on its notes. */
export interface Noteable {
  readonly type: NoteableType;
  /** Null for commits. */
  readonly id: number | null;
  /** Its number in the project, if it has one. */
  readonly iid: number | null;
  /** The full id of a commit. */
  readonly sha: string | null;
  /** As audit events name it: `#1`. */
  readonly reference: string;
  /** The project or group that it lies in, with the caller's role there. */
  readonly container: Container;
  /** Who made it; null for commits, and once they are gone. */
  readonly author_id: number | null;
  /** Whether the caller is to work on it. */
  readonly assigned: boolean;
  /** Whether only members may comment. */
  readonly locked: boolean;
  /** The record itself, as its own kind knows it. */
  readonly record: object;
}

/**
 * A kind of record that can be commented on. Each kind has one column in `notes`, and one file that defines how it is
 * found: all operations on notes are written once against this type.
 */
export interface NoteableType {
  readonly kind: 'issue' | 'merge_request' | 'commit' | 'epic' | 'snippet';
  /** As answers and names of operations call it: `noteable_type`. */
  readonly noun: string;
  /** As sentences call it: `an issue`. */
  readonly called: string;
  /** The minimum plan of the instance. */
  readonly plan?: 'premium';
  /** Requires read access; locks the record for writes. Reveals nothing to callers who are not signed in. */
  readonly resource: Resource<Noteable>;
  /** The record of a note, locked in a transaction. @throws NotFound if the caller cannot read it */
  findOf(ctx: Context, note: NamesNoteable): Promise<Noteable>;
  /** Whether the caller's role allows reading the record; finding it requires at least this. */
  readable(caller: Caller, noteable: Noteable): boolean;
  /** That note `n` is about the record of that key. */
  holds(key: NoteableKey): Expression<SqlBool>;
  /** The columns of `notes` that name it, with their values. */
  columns(noteable: Noteable): NamesNoteable;
  /** Whether a reply to a single comment turns it into a thread. */
  readonly converts: boolean;
  /** Whether its threads can be resolved. */
  readonly resolvable: boolean;
  /** Whether some of its notes may be internal. */
  readonly internal: boolean;
  /** Whether notes can be attached to lines of its diff. */
  readonly diffs?: boolean;
  /** Whether that diff has versions, which such notes follow. */
  readonly versioned?: boolean;
  /** Whether threads are resolved as a whole too, by an operation of their own. */
  readonly resolvesThreads: boolean;
  /** What of pages its notes change, which those show; null where no page does. */
  pageChange(noteable: Noteable, internal: boolean): PageChange | null;
  /** Notes on the record that there is something new about it. */
  touch?(ctx: Context, noteable: Noteable): Promise<void>;
}
