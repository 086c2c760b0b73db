import { useEffect, useState } from 'react';
import { loseProblem } from '../../data/lost-problem.js';
import { ApiProblem } from '../../data/problem.js';

interface Asking {
  /** Distinguishes dialogs that replace each other. */
  title: string;
  /** Whether the action is in progress. */
  busy: boolean;
  problem: Error | null;
  onClose: () => void;
}

/**
 * Lets the user close a dialog while its action is in progress: if the action fails, the error is displayed above the
 * page.
 * @returns whether the dialog was closed, and the function that closes it
 */
export function useLeaving({ title, busy, problem, onClose }: Asking): { left: boolean; leave: () => void } {
  const [leftTitle, setLeftTitle] = useState<string | null>(null);
  const left = leftTitle === title;
  useEffect(() => {
    if (!left || busy) return;
    if (problem instanceof ApiProblem) loseProblem(problem);
    onClose();
  }, [left, busy, problem, onClose]);
  return { left, leave: busy ? () => setLeftTitle(title) : onClose };
}
