import { Field, fieldProblem } from '../../../app/forms/Form.js';
import styles from './Form.module.css';
import { NextRuns } from './NextRuns.js';
import { Patterns } from './Patterns.js';
import type { Preview } from './preview.js';
import { formatCron } from './labels.js';
import { ZoneField } from './ZoneField.js';

interface CronFieldsProps {
  cron: string;
  zone: string;
  preview: Preview;
  problem: Error | null;
  onChange: (changed: { cron: string } | { zone: string }) => void;
}

/** The cron expression: selected or typed, with its description and a preview of the next runs. */
export function CronFields({ cron, zone, preview, problem, onChange }: CronFieldsProps) {
  const description = preview.cronProblem === null ? formatCron(cron) : null;
  return (
    <fieldset className={styles.when}>
      <legend className={styles.legend}>When</legend>
      <div className={styles.group}>
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
        <output className={styles.description}>{description}</output>
        <ZoneField
          zone={zone}
          problem={preview.zoneProblem ?? fieldProblem(problem, 'cron_timezone')}
          onChange={(name) => onChange({ zone: name })}
        />
      </div>
      <div className={styles.preview}>
        <p className={styles.legend}>Next runs</p>
        {preview.runs.length > 0 ? (
          <NextRuns runs={preview.runs} zone={zone} />
        ) : (
          <p className={styles.noRuns}>
            {preview.cronProblem || preview.zoneProblem
              ? 'Enter a valid cron expression and time zone to see the next runs.'
              : 'Loading…'}
          </p>
        )}
      </div>
    </fieldset>
  );
}
