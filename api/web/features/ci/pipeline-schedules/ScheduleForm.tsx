import { schedulePath, schedulesPath } from '../../../app/routing/paths.js';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiProblem } from '../../../data/problem.js';
import { ButtonLink } from '../../../ui/Button.js';
import { Field, Form, fieldProblem } from '../../../app/forms/Form.js';
import { Card } from '../../../ui/Page.js';
import { useScheduleSaving } from './changes.js';
import { ChangedMeanwhile } from './ChangedMeanwhile.js';
import { CronFields } from './CronFields.js';
import { getBody, newValues, getValues } from './form-values.js';
import type { ScheduleValues } from './form-values.js';
import { MissedPolicyField } from './MissedPolicyField.js';
import { usePreview } from './preview.js';
import type { ScheduleDetails } from './queries.js';
import { RefField, useRefs } from '../../repositories/branches-and-tags/index.js';
import { ValueRows } from './ValueRows.js';

const CONFLICT = 409;
const FIELDS = [
  'description',
  'ref',
  'cron',
  'cron_timezone',
  'variables.key',
  'inputs',
  'inputs.name',
  'inputs.value',
];

interface ScheduleFormProps {
  path: string;
  /** The edited schedule; null for a new one. */
  schedule: ScheduleDetails | null;
  /** Discards the form's values and starts again with the stored ones. */
  onReload: () => void;
}

const isConflict = (error: Error | null) => error instanceof ApiProblem && error.status === CONFLICT;

/** A helpful message instead of the plain error: that there is no such branch, and which names are similar. */
const refProblem = (problem: Error | null): string | null =>
  fieldProblem(problem, 'ref') &&
  (problem instanceof ApiProblem && problem.hint ? problem.hint : fieldProblem(problem, 'ref'));

const inputProblem = (problem: Error | null): string | null =>
  fieldProblem(problem, 'inputs') ?? fieldProblem(problem, 'inputs.name') ?? fieldProblem(problem, 'inputs.value');

/** The fields of a new or existing schedule. The input remains, whether saving succeeds or fails. */
export function ScheduleForm({ path, schedule: initialSchedule, onReload }: ScheduleFormProps) {
  const navigate = useNavigate();
  // The schedule as of the opening of the form: later versions must not count as seen by the user.
  const [schedule] = useState(initialSchedule);
  const [before] = useState(() => (schedule ? getValues(schedule) : newValues()));
  const [values, setValues] = useState<ScheduleValues>(before);
  const set = (changed: Partial<ScheduleValues>) => setValues((current) => ({ ...current, ...changed }));
  const saving = useScheduleSaving(path, schedule?.id ?? null);
  const refs = useRefs(path, values.ref);
  const preview = usePreview(values.cron, values.zone);
  const save = (unchangedSince: string | undefined) =>
    saving.mutate(
      {
        ...getBody(values, before, schedule, refs.initial),
        ...(unchangedSince === undefined ? {} : { unchanged_since: unchangedSince }),
      },
      { onSuccess: (id) => void navigate(schedulePath(path, id)) },
    );
  const meanwhile = schedule !== null && isConflict(saving.error);
  const problem = meanwhile ? null : saving.error;
  return (
    <>
      {meanwhile && (
        <ChangedMeanwhile
          path={path}
          id={schedule.id}
          before={before}
          mine={values}
          busy={saving.isPending}
          onSave={save}
          onDiscard={onReload}
        />
      )}
      <Card>
        <Form
          submit={schedule ? 'Save' : 'Create schedule'}
          busy={saving.isPending}
          problem={problem}
          fields={FIELDS}
          focusFirst
          beside={
            <ButtonLink to={schedule ? schedulePath(path, schedule.id) : schedulesPath({ kind: 'project', path })}>
              Cancel
            </ButtonLink>
          }
          onSubmit={() => save(schedule?.updated_at)}
        >
          <Field
            label="Description"
            name="description"
            hint="For example, “Nightly build”."
            value={values.description}
            problem={fieldProblem(problem, 'description')}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
          <RefField
            refs={refs.offered}
            hint={refs.none ? 'This project has no branches or tags. Push one first.' : undefined}
            value={values.ref ?? refs.initial}
            problem={refProblem(problem)}
            onChange={(ref) => set({ ref })}
          />
          <CronFields
            cron={values.cron}
            zone={values.zone}
            preview={preview}
            problem={problem}
            onChange={(changed) => set(changed)}
          />
          <MissedPolicyField policy={values.policy} runs={preview.runs} onChange={(policy) => set({ policy })} />
          <ValueRows
            kind="variable"
            rows={values.variables}
            hidden={schedule !== null && schedule.variables === undefined}
            problem={fieldProblem(problem, 'variables.key')}
            onChange={(variables) => set({ variables })}
          />
          <ValueRows
            kind="input"
            rows={values.inputs}
            problem={inputProblem(problem)}
            onChange={(inputs) => set({ inputs })}
          />
          <ActiveField active={values.active} onChange={(active) => set({ active })} />
        </Form>
      </Card>
    </>
  );
}

function ActiveField({ active, onChange }: { active: boolean; onChange: (active: boolean) => void }) {
  return (
    <label>
      <input
        type="checkbox"
        name="active"
        checked={active}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />{' '}
      Active
    </label>
  );
}
