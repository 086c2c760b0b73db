import { useMemo } from 'react';
import type { NewDeployToken as CreatedDeployToken } from '../../../data/api.js';
import { atField } from '../../../data/problem.js';
import { Button } from '../../../ui/Button.js';
import { dayFromNow } from '../../../ui/now.js';
import { Choices, Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { scopesOf, useCreateDeployToken } from './queries.js';
import type { DeployScope, TokenContainer, DeployTokenAttributes } from './queries.js';

const FIELDS = ['name', 'username', 'scopes', 'expires_at'];

const ABOUT = [
  [/^Name /, 'name'],
  [/^Scopes /, 'scopes'],
  [/^Username /, 'username'],
] as const;

function readAttributes(values: FormData): DeployTokenAttributes {
  const text = (name: string) => String(values.get(name) ?? '').trim();
  const [username, expiresAt] = [text('username'), text('expires_at')];
  return {
    name: text('name'),
    scopes: values.getAll('scopes') as DeployScope[],
    ...(username === '' ? {} : { username }),
    ...(expiresAt === '' ? {} : { expires_at: expiresAt }),
  };
}

interface NewDeployTokenProps {
  container: TokenContainer;
  onCreate: (newToken: CreatedDeployToken) => void;
  onCancel: () => void;
}

/** The form for another deploy token. */
export function NewDeployToken({ container, onCreate, onCancel }: NewDeployTokenProps) {
  const creation = useCreateDeployToken(container);
  const error = useMemo(() => atField(creation.error, ABOUT), [creation.error]);
  return (
    <Form
      focusFirst
      submit="Create deploy token"
      busy={creation.isPending}
      problem={error}
      fields={FIELDS}
      beside={<Button onClick={onCancel}>Cancel</Button>}
      onSubmit={(values) => creation.mutate(readAttributes(values), { onSuccess: onCreate })}
    >
      <Field
        label="Name"
        name="name"
        hint="What will use it: the token is found by this name later."
        autoComplete="off"
        maxLength={255}
        problem={fieldProblem(error, 'name')}
      />
      <Field
        label="User name"
        name="username"
        hint="Goes with the token wherever it is used. May stay empty: then the service makes one."
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        problem={fieldProblem(error, 'username')}
      />
      <Field
        label="Ends on"
        name="expires_at"
        type="date"
        hint="Refused from the beginning of this day on, UTC. Empty is without end."
        min={dayFromNow(1)}
        short
        problem={fieldProblem(error, 'expires_at')}
      />
      <Choices
        legend="Scopes"
        name="scopes"
        hint="What the token opens."
        choices={scopesOf(container)}
        problem={fieldProblem(error, 'scopes')}
      />
    </Form>
  );
}
