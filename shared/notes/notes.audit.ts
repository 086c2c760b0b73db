import type { AuditOf } from '../instance/audit-events/audit-log.js';
import { auditedGroup, auditedProject } from '../instance/audit-events/audit-note.js';
import type { AuditNote } from '../instance/audit-events/audit-note.js';
import type { NotesEvents } from './notes.events.js';
import type { NoteRecord } from './notes/note.entity.js';

/** Audit entry for a moderator's change to another user's note; changes to one's own notes are not audited. */
const ofModerator =
  (event: string, verb: string) =>
  ({ note, by_author }: { note: NoteRecord; by_author: boolean }): AuditNote | readonly AuditNote[] => {
    if (by_author) return [];
    const { container, reference, type } = note.noteable;
    const author = note.author ? ` of ${note.author.username}` : '';
    return {
      event,
      entity: container.kind === 'project' ? auditedProject(container.record) : auditedGroup(container.record),
      target: { type: 'Note', id: note.id, details: `${type.noun} ${reference}` },
      message: `${verb} a comment${author} on ${type.kind} ${reference}`,
    };
  };

/** How what happens to notes reads in the audit log. */
export const notesAuditOf: AuditOf<NotesEvents> = {
  'note.created': null,
  'note.updated': ofModerator('note_updated', 'Edited'),
  'note.deleted': ofModerator('note_deleted', 'Deleted'),
  'note.made_thread': null,
  'discussion.resolved': null,
};
