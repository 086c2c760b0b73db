import type { RecentRun } from './queries.js';
import styles from './RunBars.module.css';
import { fateWords, OUTCOMES } from './words.js';
import type { Outcome } from './words.js';

/** Units of the drawing. */
const STEP = 5;
const WIDTH = 4;
const HEIGHT = 24;
const BARS = 30;
/** A run this late fills the height; the scale is logarithmic, as most are milliseconds late. */
const LATEST_MS = 3_600_000;
const LEAST = 5;

const FULL = new Set<Outcome>(['failed', 'missed', 'skipped']);

function heightOf({ outcome, lateness_ms: late }: RecentRun): number {
  if (FULL.has(outcome)) return outcome === 'skipped' ? LEAST : HEIGHT - 2;
  const share = Math.log10(1 + Math.max(0, late ?? 0)) / Math.log10(LATEST_MS);
  return Math.max(LEAST, Math.min(HEIGHT - 2, share * HEIGHT));
}

/** `30 runs: 28 on time, 1 late, 1 failed`. */
function countsWords(runs: readonly RecentRun[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of runs) counts.set(OUTCOMES[outcome].words, (counts.get(OUTCOMES[outcome].words) ?? 0) + 1);
  const parts = [...counts].map(([words, count]) => `${count} ${words}`);
  return `${runs.length === 1 ? '1 run' : `${runs.length} runs`}: ${parts.join(', ')}`;
}

const instantOf = (at: string) =>
  new Date(at).toLocaleString('en-CA', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

/** The newest runs of a schedule as bars, the newest at the right: the taller, the later; hollow where it was missed. */
export function RunBars({ runs }: { runs: readonly RecentRun[] }) {
  if (runs.length === 0) return <>has not run yet</>;
  const first = BARS - runs.length;
  const newest = runs.at(-1) as RecentRun;
  return (
    <>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${BARS * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={countsWords(runs)}
      >
        {runs.map((run, index) => {
          const height = heightOf(run);
          const { tone } = OUTCOMES[run.outcome];
          return (
            <rect
              key={run.id}
              className={run.outcome === 'missed' ? styles.missed : styles[tone]}
              x={(first + index) * STEP + 0.5}
              y={HEIGHT - 1 - height}
              width={WIDTH - 1}
              height={height}
            >
              <title>{`${instantOf(run.due_at)}: ${fateWords(run)}`}</title>
            </rect>
          );
        })}
      </svg>
      <span className={styles.summary}>{fateWords(newest)}</span>
    </>
  );
}
