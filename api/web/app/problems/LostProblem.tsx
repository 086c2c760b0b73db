import { useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { lostProblem, loseProblem, onLostProblem } from '../../data/lost-problem.js';
import { Button } from '../../ui/Button.js';
import styles from './LostProblem.module.css';
import { Problem } from './Problem.js';

/** Displays above the page why an action failed, if the part of the page that started it has been closed. */
export function LostProblem() {
  const lost = useSyncExternalStore(onLostProblem, lostProblem);
  const { pathname } = useLocation();
  if (lost?.pathname !== pathname) return null;
  return (
    <section className={styles.lost} aria-label="Action failed">
      <p>An action failed after you left its page.</p>
      <Problem error={lost.error} />
      <Button onClick={() => loseProblem(null)}>Close</Button>
    </section>
  );
}
