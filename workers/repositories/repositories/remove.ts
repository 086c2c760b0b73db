import { removeRepository } from '../../../shared/git/index.js';
import { removeRepositories } from '../../../shared/repositories/repositories.jobs.js';
import { repositoryOf } from '../../../shared/repositories/repositories/write-refs.js';
import { handler } from '../../core/handler.js';

/** Removes repositories from disk. One that is gone already stays gone. */
export const remove = handler({
  kind: removeRepositories,
  batchSize: 20,
  handle: (ctx, { project_id: id }) => removeRepository(repositoryOf(ctx, { id })),
});
