import { keepContent } from '../../../shared/repositories/repositories/keep-content.js';
import { keepContents } from '../../../shared/repositories/repositories.jobs.js';
import { RepositoryMissing } from '../../../shared/git/index.js';
import { handler } from '../../core/handler.js';

/** Counts and packs repositories of wikis and snippets, one at a time in each process. */
export const keepOfContents = handler({
  kind: keepContents,
  batchSize: 1,
  async handle(ctx, { kind, of }) {
    try {
      await keepContent(ctx, { kind, of });
    } catch (error) {
      // Removed meanwhile: there is nothing to keep any more.
      if (!(error instanceof RepositoryMissing)) throw error;
    }
  },
});
