import { useId } from 'react';
import styles from './Form.module.css';
import type { NextRun } from './queries.js';
import { MISSED_POLICIES } from './words.js';
import type { MissedPolicy } from './words.js';

const NAMES: Readonly<Record<MissedPolicy, string>> = {
  last: 'The newest one fires',
  all: 'All fire',
  skip: 'None fires',
};

const clockOf = ({ local_time: local }: NextRun) => local.slice(0, 16).replace('T', ' ');

/** What would become of three runs in which the service is down, by policy. */
function exampleOf(policy: MissedPolicy, [first, second, third]: readonly NextRun[]): string | null {
  if (!first || !second || !third) return null;
  const down = `Were the service down from before ${clockOf(first)} until after ${clockOf(third)}:`;
  if (policy === 'all') return `${down} all three runs would fire, once it is back.`;
  if (policy === 'skip') return `${down} none of the three would fire; each would be recorded as missed.`;
  return `${down} the run of ${clockOf(third)} would fire, once it is back; those of ${clockOf(first)} and ${clockOf(second)} would be recorded as missed.`;
}

interface MissedPolicyFieldProps {
  policy: MissedPolicy;
  /** The next runs by what is typed. */
  runs: readonly NextRun[];
  onChange: (policy: MissedPolicy) => void;
}

/** What becomes of runs missed while the service was down, told by the next runs of this very schedule. */
export function MissedPolicyField({ policy, runs, onChange }: MissedPolicyFieldProps) {
  const id = useId();
  const example = exampleOf(policy, runs);
  return (
    <fieldset className={styles.group} aria-describedby={id}>
      <legend className={styles.legend}>Runs missed while the service was down</legend>
      {(Object.keys(MISSED_POLICIES) as MissedPolicy[]).map((name) => (
        <label key={name} className={styles.choice}>
          <input
            type="radio"
            name="missed_policy"
            value={name}
            checked={name === policy}
            onChange={() => onChange(name)}
          />
          {NAMES[name]}
        </label>
      ))}
      <output id={id} className={styles.words}>
        {example ?? MISSED_POLICIES[policy]}
      </output>
    </fieldset>
  );
}
