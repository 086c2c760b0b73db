import { queueJob } from '../../core/context/jobs.js';
import type { ContentKind } from './content-ref.js';

const category = 'source_code_management';

/** Counts a repository that is no project's, after it was written to, and packs it where that is due. */
export const keepContents = queueJob<{ kind: ContentKind; of: number }>('content_repositories.keep', {
  category,
  policy: 'short',
  expireInSeconds: 2 * 3600,
  retryLimit: 5,
  retryDelay: 30,
});

/** Removes repositories from disk whose rows are gone. */
export const removeContents = queueJob<Record<string, never>>('content_repositories.remove', {
  category,
  everySeconds: 60,
  expireInSeconds: 1800,
});
