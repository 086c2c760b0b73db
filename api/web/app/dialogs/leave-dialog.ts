import { useEffect, useState } from 'react';
import { loseProblem } from '../../data/lost-problem.js';
import { ApiProblem } from '../../data/problem.js';

interface Asking {
  /** Tells dialogs apart where one takes the place of another. */
  title: string;
  /** Whether what was asked for is under way. */
  busy: boolean;
  problem: Error | null;
  onClose: () => void;
}

/**
 * Lets somebody close a dialog while what they asked for in it is under way: where that fails, it is told above the page.
 * @returns whether the dialog was left, and what closes it
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
