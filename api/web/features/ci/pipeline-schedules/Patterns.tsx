import { Field } from '../../../app/forms/Form.js';
import { Select } from '../../../ui/Select.js';
import { another, chosenIn, getCron, STEPS } from './cron-patterns.js';
import type { Chosen, Often } from './cron-patterns.js';
import styles from './Form.module.css';

const LABELS: Readonly<Record<Often, string>> = {
  minutes: 'Every few minutes',
  hourly: 'Every hour',
  daily: 'Every day',
  weekdays: 'Monday to Friday',
  weekly: 'On days of the week',
  monthly: 'Every month',
};

/** From Monday on, by their numbers in a cron. */
const DAYS = [
  [1, 'Mon', 'Monday'],
  [2, 'Tue', 'Tuesday'],
  [3, 'Wed', 'Wednesday'],
  [4, 'Thu', 'Thursday'],
  [5, 'Fri', 'Friday'],
  [6, 'Sat', 'Saturday'],
  [0, 'Sun', 'Sunday'],
] as const;

const two = (number: number) => String(number).padStart(2, '0');

interface PatternsProps {
  cron: string;
  onChange: (cron: string) => void;
}

/** Usual times, which write the cron. */
export function Patterns({ cron, onChange }: PatternsProps) {
  const chosen = chosenIn(cron);
  const choose = (next: Chosen) => onChange(getCron(next));
  return (
    <>
      <div className={styles.patterns}>
        <Select
          label="How often"
          name="pattern"
          none="Custom (use cron below)"
          choices={Object.entries(LABELS).map(([value, label]) => ({ value, label }))}
          value={chosen?.often ?? ''}
          onChoose={(value) => value !== '' && choose(another(value as Often, chosen))}
        />
        {chosen?.often === 'minutes' && (
          <Select
            label="Every"
            name="every"
            choices={STEPS.map((every) => ({ value: String(every), label: `${every} minutes` }))}
            value={String(chosen.every)}
            onChoose={(every) => choose({ ...chosen, every: Number(every) })}
          />
        )}
        {chosen?.often === 'hourly' && (
          <Counted
            label="At minute"
            name="minute"
            least={0}
            most={59}
            value={chosen.minute}
            onChange={(minute) => choose({ ...chosen, minute })}
          />
        )}
        {chosen?.often === 'monthly' && (
          <Counted
            label="On day"
            name="day"
            least={1}
            most={31}
            value={chosen.day}
            onChange={(day) => choose({ ...chosen, day })}
          />
        )}
        {chosen && 'hour' in chosen && (
          <Field
            label="At"
            name="time"
            type="time"
            short
            value={`${two(chosen.hour)}:${two(chosen.minute)}`}
            onChange={(event) => {
              const [hour, minute] = event.currentTarget.value.split(':').map(Number);
              // Empty while the user types.
              if (hour !== undefined && minute !== undefined) choose({ ...chosen, hour, minute });
            }}
          />
        )}
      </div>
      {chosen?.often === 'weekly' && <Days days={chosen.days} onChange={(days) => choose({ ...chosen, days })} />}
    </>
  );
}

interface CountedProps {
  label: string;
  name: string;
  least: number;
  most: number;
  value: number;
  onChange: (value: number) => void;
}

function Counted({ label, name, least, most, value, onChange }: CountedProps) {
  return (
    <Field
      label={label}
      name={name}
      type="number"
      short
      min={least}
      max={most}
      value={value}
      onChange={(event) => {
        const number = event.currentTarget.valueAsNumber;
        if (Number.isInteger(number) && number >= least && number <= most) onChange(number);
      }}
    />
  );
}

/** Which days of the week; one at least. */
function Days({ days, onChange }: { days: readonly number[]; onChange: (days: number[]) => void }) {
  return (
    <fieldset className={styles.days}>
      <legend className="hidden">Days of the week</legend>
      {DAYS.map(([day, short, name]) => (
        <label key={day} className={styles.day}>
          <input
            type="checkbox"
            aria-label={name}
            checked={days.includes(day)}
            disabled={days.length === 1 && days[0] === day}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...days, day] : days.filter((other) => other !== day))
            }
          />
          {short}
        </label>
      ))}
    </fieldset>
  );
}
