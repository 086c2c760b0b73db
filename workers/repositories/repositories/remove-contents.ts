import { removeContents } from '../../../shared/repositories/repositories.jobs.js';
import { removeGoneContents } from '../../../shared/repositories/repositories/remove-contents.js';
import { handler } from '../../core/handler.js';

/** Removes repositories of wikis and snippets from disk that are gone. */
export const removalOfContents = handler({
  kind: removeContents,
  batchSize: 1,
  handle: (ctx) => removeGoneContents(ctx),
});
