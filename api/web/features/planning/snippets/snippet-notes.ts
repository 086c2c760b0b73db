import type { Noteable } from '../../notes/discussions/index.js';
import { SNIPPETS } from './queries.js';

/** Of a snippet of a project; on personal ones nobody comments. */
export const snippetNotes = (path: string, id: number): Noteable => ({
  path,
  iid: id,
  found: {
    in: 'project',
    by: 'snippets(ids: [$id])',
    type: 'SnippetID!',
    id: `gid://service/ProjectSnippet/${id}`,
    list: true,
  },
  noun: 'snippet',
  hint: 'Supports Markdown.',
  resolvable: false,
  key: [SNIPPETS, path],
});
