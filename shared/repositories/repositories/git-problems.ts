import { Conflict, Invalid, NotFound, TooLarge } from '../../core/values/errors.js';
import {
  CommitActionError,
  GitOutputTooLarge,
  InvalidGitInput,
  RefConflict,
  RepositoryMissing,
  RevisionNotFound,
} from '../../git/index.js';

/**
 * The error for callers if git refuses an operation; null for our own faults (delivery-resources.md sections 4 to 6).
 */
function answerFor(error: unknown): Error | null {
  if (error instanceof CommitActionError) return new Invalid(error.message);
  if (error instanceof RevisionNotFound) return new NotFound('Commit');
  if (error instanceof RepositoryMissing) return new NotFound('Repository');
  if (error instanceof GitOutputTooLarge) return new TooLarge();
  if (error instanceof RefConflict)
    return error.reason === 'locked'
      ? new Conflict('409 Conflict: Resource lock')
      : new Invalid(`Could not update ${error.ref}. Please refresh and try again.`);
  if (error instanceof InvalidGitInput) return new Invalid(`400 Bad request - ${error.message}`);
  return null;
}

/** Runs what reads or writes a repository, and turns its refusals into answers. */
export async function withGitAnswers<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw answerFor(error) ?? error;
  }
}
