import { queueJob } from '../../core/jobs.js';

/** Removes from disk what imports left whose process died, and ends those whose job is lost. */
export const sweepImports = queueJob<Record<string, never>>('archive_imports.sweep', {
  category: 'importers',
  everySeconds: 300,
});
