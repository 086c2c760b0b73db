import { useEffect, useId, useRef } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { ApiProblem } from '../../data/problem.js';
import { Button } from '../../ui/Button.js';
import { FieldProblem } from '../../ui/FieldProblem.js';
import styles from './Form.module.css';
import { Problem } from '../problems/Problem.js';
import { noteSent, noteTyped, useUnsaved } from '../../ui/unsaved.js';
import { UnbrokenText } from '../../ui/UnbrokenText.js';

interface FormProps {
  /** Called with the values of the fields. */
  onSubmit: (values: FormData) => void;
  /** The last try's problem. */
  problem: Error | null;
  /** Names of the fields that display their own errors; all others are displayed at the top. */
  fields: readonly string[];
  submit: string;
  busy: boolean;
  /** Content next to the submit button. */
  beside?: ReactNode;
  wide?: boolean;
  /** Focuses the first field: for a form that the user has just opened. */
  focusFirst?: boolean;
  /** Name of the field to fill in again after a problem that names none. */
  again?: string;
  /** The id of the error at the top, for fields that it describes. */
  problemId?: string;
  children: ReactNode;
}

/** The element to focus after an error: the invalid field, the field to fill in again, or the error. */
function elementToFocus(form: HTMLFormElement, again: string | undefined): HTMLElement | null {
  const bad = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (bad || again === undefined) return bad ?? form.querySelector<HTMLElement>('[role="alert"]');
  const field = form.querySelector<HTMLInputElement>(`input:invalid, input[name="${again}"]`);
  field?.select();
  return field;
}

/** A form that displays each error at its field, if there is one, and focuses the first of them. */
export function Form({
  onSubmit,
  problem,
  fields,
  submit,
  busy,
  beside,
  wide = false,
  focusFirst = false,
  again,
  problemId,
  children,
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const type = useUnsaved(!busy && problem === null);
  useEffect(() => {
    if (problem && form.current) elementToFocus(form.current, again)?.focus();
  }, [problem, again]);
  useEffect(() => {
    if (focusFirst) form.current?.querySelector<HTMLElement>('input:not([hidden]), textarea')?.focus();
  }, [focusFirst]);
  const wrong = problem instanceof ApiProblem ? Object.keys(problem.fields) : [];
  const isFieldProblem = wrong.length > 0 && wrong.every((name) => fields.includes(name));
  return (
    <form
      ref={form}
      className={styles.form}
      // The rules are the API's; a browser's own texts would come in another form.
      noValidate
      onInput={({ currentTarget }) => {
        noteTyped(currentTarget);
        type();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        noteSent(event.currentTarget);
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      {problem && !isFieldProblem && <Problem error={problem} id={problemId} inForm />}
      {children}
      <div className={styles.row}>
        <Button type="submit" kind="primary" busy={busy} wide={wide}>
          {submit}
        </Button>
        {beside}
      </div>
    </form>
  );
}

/** The error of one field in the last response, or null. */
export function fieldProblem(problem: Error | null, name: string): string | null {
  return problem instanceof ApiProblem ? (problem.fields[name]?.join(', ') ?? null) : null;
}

interface FieldProps extends Omit<ComponentProps<'input'>, 'className' | 'id'> {
  label: string;
  name: string;
  hint?: ReactNode;
  problem?: string | null;
  short?: boolean;
  /** Id of what else is read out with it. */
  describedBy?: string | undefined;
}

/** A labelled input with its hint and its problem, both of which are read out with it. */
export function Field({ label, hint, problem = null, short = false, describedBy, ...input }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : '', describedBy].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        <UnbrokenText>{label}</UnbrokenText>
      </label>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <input
        // Some names are written from right to left.
        dir="auto"
        {...input}
        id={id}
        className={short ? `${styles.input} ${styles.short}` : styles.input}
        aria-invalid={problem !== null}
        aria-describedby={described || undefined}
      />
      <FieldProblem id={`${id}-problem`} label={label} problem={problem} />
    </div>
  );
}

interface Choice {
  value: string;
  description?: string;
}

interface ChoicesProps {
  legend: string;
  name: string;
  hint?: ReactNode;
  problem?: string | null;
  choices: readonly Choice[];
  /** The checked options, if the form's owner controls them. */
  chosen?: readonly string[];
  onChoose?: (chosen: string[]) => void;
}

/** Boxes to tick, any number of them. */
export function Choices({ legend, name, hint, problem = null, choices, chosen, onChoose }: ChoicesProps) {
  const id = useId();
  const tick = (value: string, on: boolean) => {
    const others = (chosen ?? []).filter((other) => other !== value);
    onChoose?.(on ? [...others, value] : others);
  };
  return (
    <fieldset
      name={name}
      // The error of a group is displayed for the group, which can be focused.
      aria-describedby={problem === null ? undefined : `${id}-problem`}
      aria-invalid={problem === null ? undefined : true}
      tabIndex={problem === null ? undefined : -1}
    >
      <legend className={styles.label}>
        <UnbrokenText>{legend}</UnbrokenText>
      </legend>
      {hint && <p className={styles.hint}>{hint}</p>}
      {problem !== null && (
        <p className={styles.error} id={`${id}-problem`}>
          {problem}
        </p>
      )}
      <div className={styles.choices}>
        {choices.map(({ value, description }) => (
          <label key={value} className={styles.choice}>
            <input
              type="checkbox"
              name={name}
              value={value}
              checked={chosen?.includes(value)}
              aria-describedby={description ? `${id}-${value}` : undefined}
              onChange={(event) => tick(value, event.currentTarget.checked)}
            />
            <span>
              <code>{value}</code>
              {description && (
                <>
                  <br />
                  <span className={styles.hint} id={`${id}-${value}`}>
                    {description}
                  </span>
                </>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
