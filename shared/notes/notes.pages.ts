import type { PageChange, PageChangesOf } from '../core/page-changes/follow-events.js';
import { roleIn } from '../core/operations/policy.js';
import { epicChange, issueChange } from '../planning/planning.pages.js';
import type { Epic } from '../planning/epics/epic.entity.js';
import type { Issue } from '../planning/issues/issue.entity.js';
import { projectSnippetPolicy } from '../planning/snippets/snippet.policy.js';
import type { ProjectSnippetRecord } from '../planning/snippets/snippet.record.js';
import type { FollowedKinds } from '../tenancy/project-details/page-scope.js';
import type { Noteable } from './noteables/noteable.js';
import type { NoteRecord } from './notes/note.record.js';

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

/** Who may know that notes changed that are a kind of their own. Others change what they are about (decision 91). */
export const notesFollowed: FollowedKinds = {
  internal_notes: { may: (caller, project) => roleIn(caller, project, 'planner') },
  snippet_notes: { may: projectSnippetPolicy.read_snippets },
  private_snippet_notes: {
    may: (caller, project) => projectSnippetPolicy.read_snippets(caller, project) && roleIn(caller, project, 'guest'),
  },
};

const snippetNoteChange = ({ visibility, project }: ProjectSnippetRecord): PageChange => ({
  kind: visibility === 'public' ? 'snippet_notes' : 'private_snippet_notes',
  project_id: project.id,
});

/** What a note changes: pages of what it is about show it. Null for those of commits, which no page shows. */
export function noteChange({ type, container, record }: Noteable, internal: boolean): PageChange | null {
  const { id } = container;
  if (internal && container.kind === 'project') return { kind: 'internal_notes', project_id: id };
  if (internal) return { kind: 'confidential_epics', group_id: id };
  if (type.kind === 'issue') return issueChange(record as Issue);
  if (type.kind === 'epic') return epicChange(record as Epic);
  if (type.kind === 'snippet') return snippetNoteChange(record as ProjectSnippetRecord);
  return type.kind === 'merge_request' ? { kind: 'merge_requests', project_id: id } : null;
}

const ofNote = ({ note: { noteable, internal } }: { note: NoteRecord }): readonly PageChange[] =>
  [noteChange(noteable, internal)].filter((change) => change !== null);

/** What of pages events change. Of a new note tells the statement that writes it. */
export const notesPageChanges: PageChangesOf = {
  'note.updated': ofNote,
  'note.deleted': ofNote,
  'note.made_thread': ofNote,
  'discussion.resolved': ofNote,
};
