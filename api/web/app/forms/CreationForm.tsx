import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { atField } from '../../data/problem.js';
import { Button } from '../../ui/Button.js';
import { dayFromNow } from '../../ui/now.js';
import { Field, fieldProblem, Form } from './Form.js';

/** The part of a mutation that forms and dialogs need. */
interface Change<In, Out> {
  isPending: boolean;
  error: Error | null;
  mutate: (variables: In, then?: { onSuccess?: (data: Out) => void }) => void;
}

interface CreationFormProps<In, Out> {
  submit: string;
  creation: Change<In, Out>;
  /** The names of the fields that display their own errors. */
  fields: readonly string[];
  /** The beginnings of error messages that are about a field, although the API names none. */
  messages?: readonly (readonly [start: RegExp, field: string])[];
  /** The attributes of the new record. */
  read: (values: FormData) => In;
  onCreate: (created: Out) => void;
  onCancel: () => void;
  /** The fields. @param at the error of a field */
  children: (at: (name: string) => string | null) => ReactNode;
}

const NO_MESSAGES: NonNullable<CreationFormProps<unknown, unknown>['messages']> = [];

/** The form for a new record: its fields, Create and Cancel. */
export function CreationForm<In, Out>(props: CreationFormProps<In, Out>) {
  const { submit, creation, fields, messages = NO_MESSAGES, read, onCreate, onCancel, children } = props;
  const error = useMemo(() => atField(creation.error, messages), [creation.error, messages]);
  return (
    <Form
      focusFirst
      submit={submit}
      busy={creation.isPending}
      problem={error}
      fields={fields}
      beside={<Button onClick={onCancel}>Cancel</Button>}
      onSubmit={(values) => creation.mutate(read(values), { onSuccess: onCreate })}
    >
      {children((name) => fieldProblem(error, name))}
    </Form>
  );
}

interface NameFieldProps {
  label?: string;
  name?: string;
  hint?: string;
  problem: string | null;
}

/** The name of a new record. */
export const NameField = ({ label = 'Name', name = 'name', ...field }: NameFieldProps) => (
  <Field label={label} name={name} autoComplete="off" spellCheck={false} maxLength={255} {...field} />
);

interface ExpiryFieldProps {
  hint?: string;
  problem: string | null;
  /** How many days from now at most. */
  mostDays?: number;
  /** How many days from now by default. */
  defaultDays?: number;
}

/** The day from which on a token or key is refused. */
export function ExpiryField({
  hint = 'Expires at 00:00 UTC. Leave empty for no expiration.',
  problem,
  mostDays,
  defaultDays,
}: ExpiryFieldProps) {
  return (
    <Field
      label="Expiration date"
      name="expires_at"
      type="date"
      hint={hint}
      defaultValue={defaultDays === undefined ? undefined : dayFromNow(defaultDays)}
      min={dayFromNow(1)}
      max={mostDays === undefined ? undefined : dayFromNow(mostDays)}
      short
      problem={problem}
    />
  );
}
