// oxlint-disable-next-line import/no-unassigned-import -- it has to run before the library loads
import './checked-language.js';
import { useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../../../ui/theme.js';
import styles from './Chart.module.css';

const HEIGHT = 200;
/** For the marks of the scale. */
const SCALE_WIDTH = 64;
const FONT = '12px system-ui, sans-serif';
const POINT = 7;

interface ChartPoint {
  /** `YYYY-MM-DD`, UTC. */
  date: string;
  value: number;
}

interface ChartProps {
  /** The description of the chart for screen readers. */
  label: string;
  points: readonly ChartPoint[];
  /** First and last day of the range, with or without points. */
  from: string;
  to: string;
  drawn: 'bars' | 'line';
  /** How far marks of the scale may be apart; null for anything. */
  steps: readonly number[] | null;
  /** A value as people read it, and as a mark of the scale. */
  format: (value: number) => string;
  short: (value: number) => string;
  onChoose: (point: ChartPoint) => void;
}

const getSeconds = (date: string) => Date.parse(date) / 1000;

/** A colour of `tokens.css` as it is now; a canvas knows no properties. */
const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

type Drawing = Pick<ChartProps, 'points' | 'from' | 'to' | 'drawn' | 'steps' | 'short'>;

/** Seconds. */
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How far marks of times are apart. */
const DAY_STEPS = [1, 2, 4, 7, 14, 28, 91, 365].map((days) => days * DAY);
const TIME_STEPS = [1, 5, 10, 30, 60]
  .map((minutes) => minutes * MINUTE)
  .concat(
    [2, 4, 8, 12].map((hours) => hours * HOUR),
    DAY_STEPS,
  );

const monthAndDay = (at: number) => new Date(at * 1000).toISOString().slice(5, 10);

function getOptions({ from, to, drawn, steps, short }: Drawing, width: number): uPlot.Options {
  const axis = { stroke: colour('--ink-quiet'), font: FONT, grid: { stroke: colour('--line'), width: 1 } };
  return {
    width,
    height: HEIGHT,
    tzDate: (at) => uPlot.tzDate(new Date(at * 1000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: POINT + 4 } },
    scales: {
      x: { time: true, range: () => [getSeconds(from) - DAY / 2, getSeconds(to) + DAY / 2] },
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    axes: [
      { ...axis, size: 32, ticks: { show: false }, incrs: DAY_STEPS, values: (_plot, marks) => marks.map(monthAndDay) },
      {
        ...axis,
        size: SCALE_WIDTH,
        ticks: { show: false },
        values: (_plot, marks) => marks.map(short),
        ...(drawn === 'line' ? { incrs: TIME_STEPS } : steps ? { incrs: [...steps] } : {}),
      },
    ],
    series: [
      {},
      {
        stroke: colour('--accent'),
        width: 2,
        spanGaps: true,
        points: { show: drawn === 'line', size: POINT, fill: colour('--accent') },
        ...(drawn === 'bars'
          ? { fill: colour('--accent'), paths: uPlot.paths.bars?.({ size: [0.7, 24] }) as uPlot.Series.PathBuilder }
          : {}),
      },
    ],
  };
}

/** Draws the points into an element, at its width, and redraws when they or the theme change. */
function usePlot(drawing: Drawing, onPoint: (index: number) => void) {
  const ref = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const chosen = useRef(onPoint);
  const theme = useTheme();
  useEffect(() => {
    chosen.current = onPoint;
  });
  useEffect(() => {
    const node = ref.current;
    if (!node) return undefined;
    const { points } = drawing;
    const data: uPlot.AlignedData = [points.map(({ date }) => getSeconds(date)), points.map(({ value }) => value)];
    node.dataset.drawnFor = theme;
    const chart = new uPlot(getOptions(drawing, node.clientWidth), data, node);
    chart.over.addEventListener('click', () => {
      if (typeof chart.cursor.idx === 'number') chosen.current(chart.cursor.idx);
    });
    const sizes = new ResizeObserver(() => chart.setSize({ width: node.clientWidth, height: HEIGHT }));
    sizes.observe(node);
    plot.current = chart;
    return () => {
      sizes.disconnect();
      chart.destroy();
    };
  }, [drawing, theme]);
  return { ref, plot };
}

/** Which point the keys of the chart lead to from one; undefined for other keys. */
function reached(key: string, at: number, last: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowLeft: Math.max(0, at - 1),
    ArrowRight: Math.min(last, at + 1),
    Home: 0,
    End: last,
  };
  return steps[key];
}

/**
 * Values over time. The pointer chooses the point that it is next to; with the keyboard the arrows lead from point to
 * point, and Enter chooses one. Each is read out as it is reached.
 */
export function Chart({ label, points, from, to, drawn, steps, format, short, onChoose }: ChartProps) {
  const drawing = useMemo(() => ({ points, from, to, drawn, steps, short }), [points, from, to, drawn, steps, short]);
  const [reachedAt, reach] = useState(points.length - 1);
  const at = Math.min(reachedAt, points.length - 1);
  const { ref, plot } = usePlot(drawing, (index) => {
    const point = points[index];
    if (point) onChoose(point);
  });
  const point = points[at];
  const show = (index: number) => {
    reach(index);
    const to = points[index];
    if (plot.current && to)
      plot.current.setCursor({
        left: plot.current.valToPos(getSeconds(to.date), 'x'),
        top: plot.current.valToPos(to.value, 'y'),
      });
  };
  return (
    <div
      ref={ref}
      className={styles.chart}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input holds no drawing
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={points.length - 1}
      aria-valuenow={at}
      aria-valuetext={point && `${point.date}: ${format(point.value)}`}
      onFocus={() => show(at)}
      onKeyDown={(event) => {
        const next = reached(event.key, at, points.length - 1);
        if (next !== undefined) show(next);
        else if (event.key === 'Enter' && point) onChoose(point);
        else return;
        event.preventDefault();
      }}
    />
  );
}
