import type { ScheduleScope } from '../../../app/routing/paths.js';
import { useState } from 'react';
import { Button } from '../../../ui/Button.js';
import { later } from '../../../ui/later.js';
import { Section } from '../../../ui/Page.js';
import { State } from '../../../ui/State.js';
import { LoadingRows } from '../../../ui/Table.js';
import type { Forecast } from './forecast-queries.js';
import styles from './Forecast.module.css';

// Loaded on request, since its list may be long.
const Spread = later(() => import('./Spread.js'), <LoadingRows label="Loading schedules" />);

type Stampede = Forecast['stampedes'][number];

const getClock = (at: string) => new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Minutes at which very many schedules fire, and other times for them. */
export function Stampedes({ of, stampedes }: { of: ScheduleScope; stampedes: readonly Stampede[] }) {
  const [chosen, choose] = useState<Stampede | null>(null);
  if (stampedes.length === 0 && chosen === null) return null;
  return (
    <Section title="Peak times" aside="Minutes when 10 or more schedules run">
      <ul className={styles.stampedes}>
        {stampedes.map((stampede) => {
          const { at, count, days } = stampede;
          const open = chosen?.at === at;
          return (
            <li key={at}>
              <State tone="warn">
                {count.toLocaleString('en')} at {getClock(at)}, on {days === 1 ? 'one day' : `${days} days`}
              </State>
              <Button aria-expanded={open} onClick={() => choose(open ? null : stampede)}>
                Spread over 10 minutes
              </Button>
            </li>
          );
        })}
      </ul>
      {chosen !== null && <Spread key={chosen.at} of={of} at={chosen.at} count={chosen.count} />}
    </Section>
  );
}
