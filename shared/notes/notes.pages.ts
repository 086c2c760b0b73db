import type { PageChange, PageChangesOf } from '../core/page-changes/follow-events.js';
import { roleIn } from '../core/policy.js';
import { epicChange, issueChange } from '../planning/planning.pages.js';
import type { Epic } from '../planning/epics/epic.entity.js';
import type { Issue } from '../planning/issues/issue.entity.js';
import type { FollowedKinds } from '../tenancy/live-pages/page-scope.js';
import type { NoteRecord } from './notes/note.record.js';

declare module '../core/page-changes/page-changes.js' {
  interface PageChangeKinds {
    /** Notes in a project that are for Planners and above. */
    internal_notes: true;
  }
}

/** Who may know that internal notes changed. Others change what they are about (decision 91). */
export const notesFollowed: FollowedKinds = {
  internal_notes: { may: (caller, project) => roleIn(caller, project, 'planner') },
};

/** What a note changes: pages of what it is about show it. Those of commits and snippets follow nothing. */
function ofNote({ note: { noteable, internal } }: { note: NoteRecord }): PageChange | readonly PageChange[] {
  const { type, container, record } = noteable;
  const { id } = container;
  if (internal && container.kind === 'project') return { kind: 'internal_notes', project_id: id };
  if (internal) return { kind: 'confidential_epics', group_id: id };
  if (type.kind === 'issue') return issueChange(record as Issue);
  if (type.kind === 'epic') return epicChange(record as Epic);
  return type.kind === 'merge_request' ? { kind: 'merge_requests', project_id: id } : [];
}

/** What of pages events change. */
export const notesPageChanges: PageChangesOf = {
  'note.created': ofNote,
  'note.updated': ofNote,
  'note.deleted': ofNote,
  'note.made_thread': ofNote,
  'discussion.resolved': ofNote,
};
