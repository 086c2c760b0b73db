import { removeRepository } from '../../shared/core/git/index.js';
import { removeRepositories } from '../../shared/repositories/repository.jobs.js';
import { repositoryOf } from '../../shared/repositories/write-refs.js';
import { handler } from '../core/handler.js';

/** Removes repositories from disk. One that is gone already stays gone. */
export const remove = handler({
  kind: removeRepositories,
  batchSize: 20,
  async handle(ctx, payloads) {
    for (const payload of payloads) await removeRepository(repositoryOf(ctx, { id: payload.project_id }));
  },
});
