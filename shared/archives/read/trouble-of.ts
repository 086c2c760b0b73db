import { ObjectMissing, StoreUnavailable } from '../../core/object-store/object-store.js';
import { isDiskFull } from '../../git/index.js';

/** What of the operator's kept a job from its work, in words for whoever waits for it; null for a fault of ours. */
export function troubleOf(error: unknown): string | null {
  if (isDiskFull(error)) return 'There is no space left.';
  if (error instanceof StoreUnavailable) return 'The object store does not answer.';
  return error instanceof ObjectMissing ? 'The stored archive is missing or damaged.' : null;
}
