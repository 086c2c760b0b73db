import { useId, useState } from 'react';
import { Field, fieldProblem } from '../look/Form.js';
import { Select } from '../look/Select.js';
import styles from './Form.module.css';
import { NextRuns } from './NextRuns.js';
import type { Preview } from './preview.js';
import { cronWords } from './words.js';

/** What most schedules are, by minute and hour. */
const PATTERNS = {
  hourly: { words: 'Every hour', cron: (minute: number) => `${minute} * * * *` },
  daily: { words: 'Every day', cron: (minute: number, hour: number) => `${minute} ${hour} * * *` },
  weekdays: { words: 'Monday to Friday', cron: (minute: number, hour: number) => `${minute} ${hour} * * 1-5` },
  weekly: { words: 'Every Monday', cron: (minute: number, hour: number) => `${minute} ${hour} * * 1` },
  monthly: { words: 'The first of every month', cron: (minute: number, hour: number) => `${minute} ${hour} 1 * *` },
} as const;
type Pattern = keyof typeof PATTERNS;

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

interface CronFieldsProps {
  cron: string;
  zone: string;
  preview: Preview;
  problem: Error | null;
  onChange: (changed: { cron: string } | { zone: string }) => void;
}

/** When it fires: chosen or typed, in words at once, with the next runs of what is typed. */
export function CronFields({ cron, zone, preview, problem, onChange }: CronFieldsProps) {
  const id = useId();
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>When</legend>
      <Patterns cron={cron} onChange={(chosen) => onChange({ cron: chosen })} />
      <Field
        label="Cron"
        name="cron"
        hint="Minute, hour, day of the month, month, day of the week."
        value={cron}
        problem={preview.cronProblem ?? fieldProblem(problem, 'cron')}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ cron: event.currentTarget.value })}
      />
      <output className={styles.words}>{preview.cronProblem === null ? cronWords(cron) : null}</output>
      <Field
        label="Time zone"
        name="cron_timezone"
        hint="Write a part of its name to search."
        value={zone}
        problem={preview.zoneProblem ?? fieldProblem(problem, 'cron_timezone')}
        list={id}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ zone: event.currentTarget.value })}
      />
      <datalist id={id}>
        {ZONES.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      {preview.runs.length > 0 && (
        <div className={styles.preview}>
          <p className={styles.legend}>Next runs</p>
          <NextRuns runs={preview.runs} zone={zone} />
        </div>
      )}
    </fieldset>
  );
}

const two = (number: number) => String(number).padStart(2, '0');

/** Which of the usual times a cron is, and its time of day; null for all others. */
function patternOf(cron: string): { pattern: Pattern; time: string } | null {
  const [, minute, hour] = /^(\d{1,2}) (\d{1,2}|\*) /.exec(cron) ?? [];
  const at = { minute: Number(minute), hour: Number(hour === '*' ? 0 : hour) };
  const names = Object.keys(PATTERNS) as Pattern[];
  const pattern = names.find((name) => PATTERNS[name].cron(at.minute, at.hour) === cron);
  return pattern ? { pattern, time: `${two(at.hour)}:${two(at.minute)}` } : null;
}

/** Usual times, which write the cron. */
function Patterns({ cron, onChange }: { cron: string; onChange: (cron: string) => void }) {
  const known = patternOf(cron);
  const [time, setTime] = useState(known?.time ?? '02:30');
  const tell = (name: Pattern, at: string) => {
    const [hour = 0, minute = 0] = at.split(':').map(Number);
    onChange(PATTERNS[name].cron(minute, hour));
  };
  return (
    <div className={styles.patterns}>
      <Select
        label="How often"
        name="pattern"
        none="As typed below"
        choices={Object.entries(PATTERNS).map(([value, { words }]) => ({ value, words }))}
        value={known?.pattern ?? ''}
        onChoose={(value) => value !== '' && tell(value as Pattern, time)}
      />
      {known && (
        <Field
          label="At"
          name="time"
          type="time"
          short
          value={known.time}
          onChange={(event) => {
            const at = event.currentTarget.value;
            // Empty while somebody writes.
            if (at === '') return;
            setTime(at);
            tell(known.pattern, at);
          }}
        />
      )}
    </div>
  );
}
