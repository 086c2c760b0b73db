/*
 * Why something was not done that somebody asked for in a part of the page, or on a page, that is gone by now.
 */

/** A failure, and where it is shown. */
interface LostProblem {
  error: Error;
  pathname: string;
}

let lost: LostProblem | null = null;
const told = new Set<() => void>();

export const lostProblem = (): LostProblem | null => lost;

/** Has the page that is open show it; null: it was read. */
export function loseProblem(error: Error | null): void {
  lost = error && { error, pathname: window.location.pathname };
  for (const tell of told) tell();
}

export function onLostProblem(tell: () => void): () => void {
  told.add(tell);
  return () => told.delete(tell);
}
