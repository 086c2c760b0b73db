import { NotFound } from '../../core/values/errors.js';
import { Snippet } from '../../planning/snippets/snippet.entity.js';
import type { ProjectSnippetRecord } from '../../planning/snippets/snippet.entity.js';
import { findSnippetById, projectSnippet } from '../../planning/snippets/snippet.finder.js';
import { projectSnippetPolicy } from '../../planning/snippets/snippet.policy.js';
import { containerOfProject } from '../../tenancy/containers/container.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { onNotes } from './on-notes.js';
import type { Noteable, NoteableType } from './noteable.js';

/** A snippet of a project, as its notes know it. */
export const snippetNoteable = (record: ProjectSnippetRecord): Noteable => ({
  type: snippetNoteableType,
  id: record.id,
  iid: null,
  sha: null,
  reference: `$${record.id}`,
  container: containerOfProject(record.project),
  author_id: record.author_id ?? null,
  assigned: false,
  locked: false,
  record,
});

/** Snippets of projects. Personal ones are not commented on. */
export const snippetNoteableType: NoteableType = {
  kind: 'snippet',
  noun: 'Snippet',
  called: 'a snippet',
  resource: {
    noun: projectSnippet.noun,
    params: projectSnippet.params,
    async find(ctx, input) {
      return snippetNoteable(await projectSnippet.find(ctx, input));
    },
    about: ({ record }) => projectSnippet.about!(record as ProjectSnippetRecord),
  },
  async findOf(ctx, { snippet_id: id }) {
    if (!id) throw new NotFound();
    const { project, ...found } = await findSnippetById(ctx, id);
    if (!project) throw new NotFound();
    return snippetNoteable({ ...found, project });
  },
  readable: (caller, { container }) => projectSnippetPolicy.read_snippets(caller, container.record as ProjectRecord),
  holds: ({ id }) => onNotes('n.snippet_id', '=', id),
  columns: ({ id, container }) => ({ snippet_id: id, project_id: container.id }),
  converts: false,
  resolvable: false,
  internal: false,
  resolvesThreads: false,
  pageChange: ({ container, record }) => ({
    kind: (record as ProjectSnippetRecord).visibility === 'public' ? 'snippet_notes' : 'private_snippet_notes',
    project_id: container.id,
  }),
  async touch(ctx, { id }) {
    await ctx.em.nativeUpdate(Snippet, { id: id as number }, { updated_at: ctx.clock.now() });
  },
};
