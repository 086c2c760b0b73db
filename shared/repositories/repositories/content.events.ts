import type { ContentRef } from './content-ref.js';

export interface ContentEvents {
  /** The branch of a repository that is no project's moved, by a commit, a push, or because it was read anew. */
  'content.updated': { readonly place: ContentRef; readonly from: string | null; readonly to: string | null };
  /** What such a repository takes on disk was counted. */
  'content.measured': { readonly place: ContentRef; readonly size_bytes: number };
}
