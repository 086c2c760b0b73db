import { useId } from 'react';
import { Field } from '../../../app/forms/Form.js';
import { useNow } from '../../../ui/now.js';
import styles from './Form.module.css';
import { zoneClock, ZONES, zonesLike } from './zones.js';

/** Number of zones suggested for text that is not a valid zone name. */
const OFFERED = 6;

interface ZoneFieldProps {
  zone: string;
  problem: string | null;
  onChange: (zone: string) => void;
}

/** A time zone, found by a part of its name, with what its clock shows now. */
export function ZoneField({ zone, problem, onChange }: ZoneFieldProps) {
  const id = useId();
  useNow();
  const clock = zoneClock(zone);
  const like = ZONES.includes(zone) ? [] : zonesLike(zone, OFFERED);
  return (
    <div className={styles.zone}>
      <Field
        label="Time zone"
        name="cron_timezone"
        hint="Search by city or name."
        value={zone}
        problem={like.length > 0 ? null : problem}
        list={id}
        autoComplete="off"
        spellCheck={false}
        describedBy={`${id}-clock`}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={id}>
        {ZONES.map((name) => (
          <option key={name} value={name}>
            {name.split('/').at(-1)?.replaceAll('_', ' ')}
          </option>
        ))}
      </datalist>
      {like.length > 0 && (
        <ul className={styles.offered} aria-label="Suggestions">
          {like.map((name) => (
            <li key={name}>
              <button type="button" className={styles.offer} onClick={() => onChange(name)}>
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p id={`${id}-clock`} className={styles.text}>
        {clock && `Current time: ${clock}.`}
      </p>
    </div>
  );
}
