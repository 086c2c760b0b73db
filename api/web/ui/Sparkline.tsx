import styles from './Sparkline.module.css';
import type { Tone } from './State.js';

/** Units of the drawing; it is stretched to the width of its container. */
const WIDTH = 100;
const HEIGHT = 24;
/** So that no line is cut at the edge. */
const MARGIN = 2;

interface Series {
  values: readonly number[];
  tone: Tone;
}

interface SparklineProps {
  /** The text for screen readers that replaces the drawing, including its figures. */
  label: string;
  /** Drawn over each other on one scale, from 0 to the largest value. */
  series: readonly Series[];
}

const x = (index: number, count: number) => (count < 2 ? WIDTH : (index / (count - 1)) * WIDTH);

function points(values: readonly number[], largest: number): string {
  const height = (value: number) => HEIGHT - MARGIN - (value / largest) * (HEIGHT - 2 * MARGIN);
  const line = values.map((value, index) => `${x(index, values.length).toFixed(1)},${height(value).toFixed(1)}`);
  // One value is a level, which needs two ends.
  return line.length === 1 ? `0,${line[0]?.split(',')[1]} ${line[0]}` : line.join(' ');
}

/** The trend of a few numbers, without axes: the text next to it states their current values. */
export function Sparkline({ label, series }: SparklineProps) {
  const largest = Math.max(1, ...series.flatMap(({ values }) => values));
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {series.map(({ values, tone }) => (
        <polyline key={tone} className={styles[tone]} points={points(values, largest)} />
      ))}
    </svg>
  );
}
