/** The record that the comments on a page belong to. */
export interface Noteable {
  /** Full path of its project or group. */
  path: string;
  /** Its number there; of a snippet its id. */
  iid: number;
  /** As the GraphQL API finds it by `$id` in the project or group of `$path`; `list`: as the only one of several. */
  found: { in: 'project' | 'group'; by: string; type: 'String!' | 'ID!' | 'SnippetID!'; id: string; list?: true };
  /** In sentences. */
  noun: string;
  /** The hint about supported syntax in comments. */
  hint: string;
  /** Whether threads on it can be resolved. */
  resolvable: boolean;
  /** Beginning of the keys of all queries that a comment may change: commands change more than the thread. */
  key: readonly string[];
}

/** Hint for comments on records that quick actions change. */
export const QUICK_ACTIONS_HINT = 'Supports Markdown and quick actions, such as /close, /label ~bug or /assign me.';
