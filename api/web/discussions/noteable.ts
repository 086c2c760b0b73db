import { EPICS } from '../epics/queries.js';
import { ISSUES } from '../issues/queries.js';
import { MERGE_REQUESTS } from '../merge-requests/queries.js';
import { SNIPPETS } from '../snippets/queries.js';

/** What is spoken about on a page. */
export interface Noteable {
  /** Full path of its project or group. */
  path: string;
  /** Its number there; of a snippet its id. */
  iid: number;
  /** As the GraphQL API finds it by `$id` in the project or group of `$path`; `list`: as the only one of several. */
  found: { in: 'project' | 'group'; by: string; type: 'String!' | 'ID!' | 'SnippetID!'; id: string; list?: true };
  /** In sentences. */
  noun: string;
  /** What comments may hold besides words. */
  hint: string;
  /** Whether threads on it can be resolved. */
  resolvable: boolean;
  /** Beginning of the keys of all queries that a comment may change: commands change more than the thread. */
  key: readonly string[];
}

const COMMANDS = 'Markdown. Lines such as /close, /label ~bug or /assign me are commands.';

export const issueNotes = (path: string, iid: number): Noteable => ({
  path,
  iid,
  found: { in: 'project', by: 'issue(iid: $id)', type: 'String!', id: String(iid) },
  noun: 'issue',
  hint: COMMANDS,
  resolvable: true,
  key: [ISSUES, path],
});

export const mergeRequestNotes = (path: string, iid: number): Noteable => ({
  path,
  iid,
  found: { in: 'project', by: 'mergeRequest(iid: $id)', type: 'String!', id: String(iid) },
  noun: 'merge request',
  hint: COMMANDS,
  resolvable: true,
  key: [MERGE_REQUESTS, path],
});

export const epicNotes = (path: string, iid: number): Noteable => ({
  path,
  iid,
  found: { in: 'group', by: 'epic(iid: $id)', type: 'ID!', id: String(iid) },
  noun: 'epic',
  hint: COMMANDS,
  resolvable: false,
  key: [EPICS, path],
});

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
  hint: 'Markdown.',
  resolvable: false,
  key: [SNIPPETS, path],
});
