import { useState } from 'react';
import type { Container } from '../../../data/containers.js';
import { ButtonLink } from '../../../ui/Button.js';
import { dayFromNow } from '../../../ui/now.js';
import { Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { Select } from '../../../ui/Select.js';
import { atField } from '../../../data/problem.js';
import { ROLE_CHOICES, formatRole, useAddMember } from './queries.js';

const ABOUT = [
  [/^404 User|User/, 'username'],
  [/[Ee]xpires/, 'expires_at'],
] as const;

interface NewMemberProps {
  container: Container;
  onDone: (said: string) => void;
}

/** The form that adds a member with a role. */
export function NewMember({ container, onDone }: NewMemberProps) {
  const addition = useAddMember(container);
  const [level, setLevel] = useState('30');
  const error = atField(addition.error, ABOUT);
  return (
    <Form
      focusFirst
      submit="Add member"
      busy={addition.isPending}
      problem={error}
      fields={['username', 'access_level', 'expires_at']}
      beside={<ButtonLink to="?">Cancel</ButtonLink>}
      onSubmit={(values) => {
        const text = (name: string) => String(values.get(name) ?? '').trim();
        const username = text('username').replace(/^@/, '');
        addition.mutate(
          { username, level: Number(level), expiresAt: text('expires_at') },
          { onSuccess: () => onDone(`${username} was added as ${formatRole(Number(level))}.`) },
        );
      }}
    >
      <Field
        label="Username"
        name="username"
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        problem={fieldProblem(error, 'username')}
      />
      <Select label="Role" name="access_level" choices={ROLE_CHOICES} value={level} onChoose={setLevel} />
      <Field
        label="Expiration date"
        name="expires_at"
        type="date"
        hint="The membership expires at 00:00 UTC on this day. Leave empty for no expiration."
        min={dayFromNow(1)}
        short
        problem={fieldProblem(error, 'expires_at')}
      />
    </Form>
  );
}
