import { ApiProblem } from '../client/problem.js';
import type { Action } from './changes.js';

const FORBIDDEN = 403;

const NEEDED = 'the role of Developer in its project, with pipelines switched on and the project not archived';

/** Why something was not done to a schedule: the API says no more than that it is forbidden where a right lacks. */
export function explainError(action: Action | 'move', error: Error, own: boolean): string {
  if (!(error instanceof ApiProblem)) return error.message;
  if (error.status === FORBIDDEN && /^403 Forbidden$/.test(error.message)) {
    if (action === 'take') return 'it is taken over by Maintainers of its project.';
    if (action === 'play') return `playing it needs ${NEEDED}.`;
    return own ? `changing it needs ${NEEDED}.` : 'its owner alone changes it; a Maintainer may take it over first.';
  }
  return [error.message, error.hint].filter(Boolean).join('. ');
}
