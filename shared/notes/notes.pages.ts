import type { PageChange, PageChangesOf } from '../core/page-changes/publish-page-changes.js';
import { roleIn } from '../core/operations/policy.js';
import { projectSnippetPolicy } from '../planning/snippets/snippet.policy.js';
import type { LiveKinds } from '../tenancy/project-details/page-scope.js';
import type { NoteRecord } from './notes/note.entity.js';

declare module '../core/page-changes/page-changes.js' {
  interface PageChangeKinds {
    /** Notes in a project that are for Planners and above. */
    internal_notes: true;
    /** Notes on public snippets of a project. */
    snippet_notes: true;
    /** Notes on its other snippets. */
    private_snippet_notes: true;
  }
}

/** Who is notified of changes to notes of separate kinds. Others count as changes to their record (decision 87). */
export const notesLiveKinds: LiveKinds = {
  internal_notes: { may: (caller, project) => roleIn(caller, project, 'planner') },
  snippet_notes: { may: projectSnippetPolicy.read_snippets },
  private_snippet_notes: {
    may: (caller, project) => projectSnippetPolicy.read_snippets(caller, project) && roleIn(caller, project, 'guest'),
  },
};

const ofNote = ({ note: { noteable, internal } }: { note: NoteRecord }): readonly PageChange[] =>
  [noteable.type.pageChange(noteable, internal)].filter((change) => change !== null);

/** Page changes by event. New notes are reported by the statement that inserts them. */
export const notesPageChanges: PageChangesOf = {
  'note.updated': ofNote,
  'note.deleted': ofNote,
  'note.made_thread': ofNote,
  'discussion.resolved': ofNote,
};
