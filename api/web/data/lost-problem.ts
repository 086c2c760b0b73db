/* Errors of actions whose part of the page, or whose page, has been closed in the meantime. */

/** An error, and the page that displays it. */
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
