import { useId } from 'react';
import styles from './Form.module.css';
import type { NextRun } from './queries.js';
import { MISSED_POLICIES } from './labels.js';
import type { MissedPolicy } from './labels.js';

const NAMES: Readonly<Record<MissedPolicy, string>> = {
  last: 'Run the latest',
  all: 'Run all',
  skip: 'Run none',
};

const DAY = 10;
const MINUTE = 16;

/** What would become of three runs in which the service is down, by policy. */
interface Example {
  down: string;
  becomes: Readonly<Record<MissedPolicy, string>>;
}

/** An example from the next three runs; the day is included once if it is the same. */
function getExample([first, second, third]: readonly NextRun[]): Example | null {
  if (!first || !second || !third) return null;
  const day = first.local_time.slice(0, DAY);
  const sameDay = [second, third].every(({ local_time: local }) => local.startsWith(day));
  const [one, two, three] = [first, second, third].map(({ local_time: local }) =>
    sameDay ? local.slice(DAY + 1, MINUTE) : local.slice(0, MINUTE).replace('T', ' '),
  );
  return {
    down: `If the service is down from before ${sameDay ? `${day} ` : ''}${one} until after ${three}:`,
    becomes: {
      last: `${three} runs after recovery; ${one} and ${two} are recorded as missed.`,
      all: `${one}, ${two} and ${three} all run after recovery.`,
      skip: 'None of the three run; each is recorded as missed.',
    },
  };
}

interface MissedPolicyFieldProps {
  policy: MissedPolicy;
  /** The next runs of the cron expression in the form. */
  runs: readonly NextRun[];
  onChange: (policy: MissedPolicy) => void;
}

/** The policy for runs missed during downtime, illustrated with the next runs of this schedule. */
export function MissedPolicyField({ policy, runs, onChange }: MissedPolicyFieldProps) {
  const id = useId();
  const example = getExample(runs);
  return (
    <fieldset className={styles.group} aria-describedby={example ? id : undefined}>
      <legend className={styles.legend}>Runs missed while the service was down</legend>
      {example && (
        <p id={id} className={styles.text}>
          {example.down}
        </p>
      )}
      {(Object.keys(MISSED_POLICIES) as MissedPolicy[]).map((name) => (
        <label key={name} className={styles.choice}>
          <input
            type="radio"
            name="missed_policy"
            value={name}
            checked={name === policy}
            onChange={() => onChange(name)}
          />
          <span>
            <span>{NAMES[name]}</span>
            <span className={styles.becomes}>{example?.becomes[name] ?? MISSED_POLICIES[name]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
