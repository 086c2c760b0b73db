import type { Caller, UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { mayComment } from '../../tenancy/containers/container.js';
import type { Noteable, NoteableType } from '../noteables/noteable.js';
import type { NoteRecord } from './note.entity.js';

const isCaller = (caller: UserOrAnonymous, userId: number | null | undefined) =>
  !caller.anonymous && userId === caller.id;

/** Where the discussion is locked, members alone write (discussions-and-notes.md section 4.1). */
const writes = (caller: UserOrAnonymous, { container, locked }: Noteable) => mayComment(caller, container, locked);

/** Developers and above, and the author of the record (discussions-and-notes.md section 5.3). */
const settles = (caller: UserOrAnonymous, noteable: Noteable) =>
  roleIn(caller, noteable.container, 'developer') || isCaller(caller, noteable.author_id);

/** Permissions on the notes of a readable record. */
export const noteablePolicy = policy({
  /** Signed-in users (discussions-and-notes.md section 2). */
  read_note: (caller: UserOrAnonymous) => !caller.anonymous,
  create_note: writes,
  /** Planners and above; author and assignees read them too. */
  create_internal_note: (caller: UserOrAnonymous, noteable: Noteable) =>
    noteable.type.internal && roleIn(caller, noteable.container, 'planner'),
  read_internal_notes: (caller: UserOrAnonymous, noteable: Noteable) =>
    roleIn(caller, noteable.container, 'planner') || isCaller(caller, noteable.author_id) || noteable.assigned,
  /** When it was written: administrators and Owners (discussions-and-notes.md section 2). */
  set_note_created_at: (caller: UserOrAnonymous, { container }: Noteable) => roleIn(caller, container, 'owner'),
  resolve_discussion: (caller: UserOrAnonymous, noteable: Noteable) =>
    writes(caller, noteable) && settles(caller, noteable),
});

/** One of these abilities for an operation on a kind of noteable; also requires read access to the record. */
export const canOn = (type: NoteableType, ability: keyof typeof noteablePolicy) => ({
  ability,
  rule: (caller: Caller, noteable: Noteable) =>
    noteablePolicy[ability](caller, noteable) && type.readable(caller, noteable),
});

/** Maintainers can edit notes of other users; system notes cannot be edited. */
const edits = (caller: UserOrAnonymous, note: NoteRecord) =>
  !note.system &&
  note.noteable.container.open &&
  (isCaller(caller, note.author_id) || (!caller.anonymous && roleIn(caller, note.noteable.container, 'maintainer')));

/** Permissions on one note. */
export const notePolicy = policy({
  /** Callers must also see the records that a system note references, which the scope of the list checks. */
  read_note: (caller: UserOrAnonymous, note: NoteRecord) =>
    !caller.anonymous &&
    (!note.internal || noteablePolicy.read_internal_notes(caller, note.noteable) || isCaller(caller, note.author_id)),
  admin_note: edits,
  award_emoji: (caller: UserOrAnonymous, { noteable }: NoteRecord) => writes(caller, noteable),
  create_note: (caller: UserOrAnonymous, { noteable }: NoteRecord) => writes(caller, noteable),
  /** As for a thread; in addition, the author of a note can resolve it. */
  resolve_note: (caller: UserOrAnonymous, note: NoteRecord) =>
    writes(caller, note.noteable) && (settles(caller, note.noteable) || isCaller(caller, note.author_id)),
  /** Moves it on the image that it is attached to. */
  reposition_note: edits,
});
