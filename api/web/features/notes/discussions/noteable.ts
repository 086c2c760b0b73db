import type { ThreadsFragment } from '#graphql';

/** A page of threads. */
export type ThreadsPage = ThreadsFragment & { id: string };

interface ThreadsVariables {
  path: string;
  first: number;
  after: string | null;
}

interface LoadedThreads {
  container: { noteable: ThreadsPage | { nodes: ThreadsPage[] } | null } | null;
}

/** The record that the comments on a page belong to. */
export interface Noteable {
  /** Full path of its project or group. */
  path: string;
  /** Its number there; of a snippet its id. */
  iid: number;
  /** Loads a page of its threads; `nodes` where the API finds it as the only one of several. */
  loadThreads: (variables: ThreadsVariables) => Promise<LoadedThreads>;
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
