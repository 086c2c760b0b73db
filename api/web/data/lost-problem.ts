/*
 * Why something was not done that somebody asked for in a part of the page, or on a page, that is gone by now.
 */

/** A failure, and where it is shown. */
interface LostProblem {
  error: Error;
  pathname: string;
}

let lost: LostProblem | null = null;
const listeners = new Set<() => void>();

export const lostProblem = (): LostProblem | null => lost;

/** Has the page that is open show it; null: it was read. */
export function loseProblem(error: Error | null): void {
  lost = error && { error, pathname: window.location.pathname };
  for (const listener of listeners) listener();
}

export function onLostProblem(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
