import { useState } from 'react';
import { formatMinute } from '../../../ui/format-time.js';
import type { RecentRun } from './queries.js';
import styles from './RunBars.module.css';
import { formatOutcome, OUTCOMES } from './labels.js';
import type { Outcome } from './labels.js';

/** Units of the drawing. */
const STEP = 5;
const WIDTH = 4;
const HEIGHT = 24;
const BARS = 30;
/** A run this late fills the height; the scale is logarithmic, as most are milliseconds late. */
const LATEST_MS = 3_600_000;
const LEAST = 5;

const FULL = new Set<Outcome>(['failed', 'missed', 'config_error']);

function getHeight({ outcome, lateness_ms: late }: RecentRun): number {
  if (FULL.has(outcome)) return HEIGHT - 2;
  const share = Math.log10(1 + Math.max(0, late ?? 0)) / Math.log10(LATEST_MS);
  return Math.max(LEAST, Math.min(HEIGHT - 2, share * HEIGHT));
}

/** `30 runs: 28 on time, 1 late, 1 failed`. */
function formatCounts(runs: readonly RecentRun[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of runs) counts.set(OUTCOMES[outcome].label, (counts.get(OUTCOMES[outcome].label) ?? 0) + 1);
  const parts = [...counts].map(([label, count]) => `${count} ${label}`);
  return `${runs.length === 1 ? '1 run' : `${runs.length} runs`}: ${parts.join(', ')}`;
}

/** Runs that look the same share one path: a list draws thousands of them while it scrolls. */
function getBars(runs: readonly RecentRun[]): Map<string, string> {
  const bars = new Map<string, string>();
  const first = BARS - runs.length;
  for (const [index, run] of runs.entries()) {
    const height = getHeight(run);
    const style = run.outcome === 'missed' ? 'missed' : OUTCOMES[run.outcome].tone;
    const bar = `M${(first + index) * STEP + 0.5} ${HEIGHT - 1}v${-height}h${WIDTH - 1}v${height}z`;
    bars.set(style, (bars.get(style) ?? '') + bar);
  }
  return bars;
}

/**
 * The newest runs of a schedule as bars, the newest on the right: a taller bar means a longer delay, a hollow one a
 * missed run.
 */
export function RunBars({ runs }: { runs: readonly RecentRun[] }) {
  const [pointed, point] = useState<RecentRun | null>(null);
  if (runs.length === 0) return <>not run yet</>;
  const newest = runs.at(-1) as RecentRun;
  return (
    <>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${BARS * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={formatCounts(runs)}
        onPointerMove={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          const index = Math.floor(((clientX - left) / width) * BARS);
          point(runs[index - BARS + runs.length] ?? null);
        }}
      >
        {pointed && <title>{`${formatMinute(new Date(pointed.due_at))}: ${formatOutcome(pointed)}`}</title>}
        {[...getBars(runs)].map(([style, path]) => (
          <path key={style} className={styles[style]} d={path} />
        ))}
      </svg>
      <span className={styles.summary}>{formatOutcome(newest)}</span>
    </>
  );
}
