import type { ContentPlace } from './content-place.js';

export interface ContentEvents {
  /** The branch of a repository that is no project's moved, by a commit, a push, or because it was read anew. */
  'content.updated': { readonly place: ContentPlace; readonly from: string | null; readonly to: string | null };
  /** What such a repository takes on disk was counted. */
  'content.measured': { readonly place: ContentPlace; readonly size_bytes: number };
}
