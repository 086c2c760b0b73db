/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/no-noninteractive-element-interactions --
   On narrow screens no element is displayed as part of a table, which removes implicit roles; links receive keys. */
import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Link, useSearchParams } from 'react-router';
import { formatClock } from '../../../ui/format-time.js';
import type { Forecast } from './forecast-queries.js';
import styles from './Forecast.module.css';

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Number of shades, not counting the one for zero. */
const SHADES = 5;

interface Hour {
  at: Date;
  count: number;
}

interface Day {
  name: string;
  /** Indexed by the hour of the viewer's clock; an hour that occurs twice has two entries at its index. */
  hours: Hour[][];
}

const dayName = (at: Date) => at.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

/** The hours of a forecast, grouped by the days and hours of the viewer's clock. */
function getDays({ from, hours }: Forecast): Day[] {
  const days: Day[] = [];
  for (const [index, count] of hours.entries()) {
    const at = new Date(Date.parse(from) + index * HOUR_MS);
    const name = dayName(at);
    let day = days.at(-1);
    if (day?.name !== name) days.push((day = { name, hours: Array.from({ length: HOURS }, () => []) }));
    (day.hours[at.getHours()] as Hour[]).push({ at, count });
  }
  return days;
}

/** 0 for no runs, otherwise 1 to 5; logarithmic, as one hour may have a thousand times the runs of another. */
function getShade(count: number, maxCount: number): number {
  if (count === 0) return 0;
  return Math.max(1, Math.ceil((Math.log(count + 1) / Math.log(maxCount + 1)) * SHADES));
}

const twoDigits = (number: number) => String(number).padStart(2, '0');

/** Number of hours by which each key moves the focus. */
const ARROW_STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -HOURS,
  ArrowDown: HOURS,
};

/** On narrow screens days are columns, so the arrow keys are swapped. */
const TRANSPOSED_ARROW_STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -HOURS,
  ArrowRight: HOURS,
  ArrowUp: -1,
  ArrowDown: 1,
};

const isTransposed = () => matchMedia('(max-width: 960px)').matches;

/** `UTC+2`, which distinguishes the two occurrences of an hour that occurs twice. */
const getOffset = (at: Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace('GMT', 'UTC') ?? '';

const formatRunCount = (count: number) => (count === 1 ? '1 run' : `${count.toLocaleString('en')} runs`);

/**
 * Runs in each hour of seven days, darker for more; each hour links to the schedules that run then. Tab reaches one
 * hour, and the arrow keys reach the others from there. Roles are explicit, as the layout of narrow screens would
 * remove implicit ones.
 */
export function HeatMap({ forecast }: { forecast: Forecast }) {
  const [search] = useSearchParams();
  const ref = useRef<HTMLTableElement>(null);
  const chosen = search.get('hour');
  const start = Date.parse(forecast.from);
  const [focused, setFocused] = useState(() =>
    Math.max(0, Math.round((Date.parse(chosen ?? '') - start) / HOUR_MS) || 0),
  );
  const current = Math.min(focused, forecast.hours.length - 1);
  const maxCount = Math.max(1, ...forecast.hours);
  const go = (event: KeyboardEvent) => {
    const step = (isTransposed() ? TRANSPOSED_ARROW_STEPS : ARROW_STEPS)[event.key];
    const to = step === undefined ? { Home: 0, End: forecast.hours.length - 1 }[event.key] : current + step;
    if (to === undefined || to < 0 || to >= forecast.hours.length) return;
    event.preventDefault();
    setFocused(to);
    ref.current?.querySelectorAll('a')[to]?.focus();
  };
  return (
    <div className={styles.frame}>
      <table ref={ref} className={styles.heat} role="table" aria-label="Runs by day and hour" onKeyDown={go}>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">
              <span className="hidden">Day</span>
            </th>
            {Array.from({ length: HOURS }, (_value, hour) => (
              <th key={hour} scope="col" role="columnheader">
                {twoDigits(hour)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {getDays(forecast).map(({ name, hours }) => (
            <tr key={name} role="row">
              <th scope="row" role="rowheader">
                {name}
              </th>
              {hours.map((occurrences, hour) => (
                <td key={hour} role="cell">
                  {occurrences.map(({ at, count }) => {
                    const params = new URLSearchParams(search);
                    params.set('hour', at.toISOString());
                    const label = `${formatClock(at)}${occurrences.length > 1 ? ` ${getOffset(at)}` : ''}: ${formatRunCount(count)}`;
                    const index = Math.round((at.getTime() - start) / HOUR_MS);
                    return (
                      <Link
                        key={at.getTime()}
                        className={styles.cell}
                        data-shade={getShade(count, maxCount)}
                        to={`?${params}`}
                        tabIndex={index === current ? 0 : -1}
                        onFocus={() => setFocused(index)}
                        aria-label={label}
                        aria-current={chosen === at.toISOString() ? 'true' : undefined}
                        title={label}
                      >
                        {count === 0 ? '' : abbreviate(count)}
                      </Link>
                    );
                  })}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.scale}>
        none
        {Array.from({ length: SHADES + 1 }, (_value, shade) => (
          <span key={shade} className={styles.cell} data-shade={shade} />
        ))}
        {formatRunCount(maxCount)} an hour
      </p>
    </div>
  );
}

/** `412`, `12k`, `1m`: at most four characters. */
const abbreviate = (count: number): string =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 0 }).format(count).toLowerCase();
