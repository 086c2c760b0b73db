import { Link, useSearchParams } from 'react-router';
import type { Forecast } from './forecast-queries.js';
import styles from './Forecast.module.css';

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Shades besides that of nothing. */
const SHADES = 5;

interface Hour {
  at: Date;
  count: number;
}

interface Day {
  name: string;
  /** By the hour of the viewer's clock; an hour that happens twice is two in one place. */
  hours: Hour[][];
}

const dayName = (at: Date) => at.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

/** The hours of a forecast by the days and hours of the viewer's clock. */
function daysOf({ from, hours }: Forecast): Day[] {
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

/** 0 for nothing, else 1 to 5; logarithmic, as one hour may have a thousand times what another has. */
function shadeOf(count: number, most: number): number {
  if (count === 0) return 0;
  return Math.max(1, Math.ceil((Math.log(count + 1) / Math.log(most + 1)) * SHADES));
}

const two = (number: number) => String(number).padStart(2, '0');

/** Runs in each hour of seven days, the darker the more; each leads to what fires then. */
export function HeatMap({ forecast }: { forecast: Forecast }) {
  const [search] = useSearchParams();
  const chosen = search.get('hour');
  const most = Math.max(1, ...forecast.hours);
  return (
    <div className={styles.frame}>
      <table className={styles.heat}>
        <caption className="hidden">Runs by day and hour</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="hidden">Day</span>
            </th>
            {Array.from({ length: HOURS }, (_none, hour) => (
              <th key={hour} scope="col">
                {two(hour)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {daysOf(forecast).map(({ name, hours }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {hours.map((found, hour) => (
                <td key={hour}>
                  {found.map(({ at, count }) => {
                    const params = new URLSearchParams(search);
                    params.set('hour', at.toISOString());
                    const words = `${name}, ${two(hour)}:00: ${count === 1 ? '1 run' : `${count.toLocaleString('en')} runs`}`;
                    return (
                      <Link
                        key={at.getTime()}
                        className={styles.cell}
                        data-shade={shadeOf(count, most)}
                        to={`?${params}`}
                        preventScrollReset
                        aria-label={words}
                        aria-current={chosen === at.toISOString() ? 'true' : undefined}
                        title={words}
                      >
                        {count === 0 ? '' : short(count)}
                      </Link>
                    );
                  })}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const THOUSAND = 1000;

/** `412`, `12k`: no more than four signs. */
const short = (count: number): string => (count < THOUSAND ? String(count) : `${Math.round(count / THOUSAND)}k`);
