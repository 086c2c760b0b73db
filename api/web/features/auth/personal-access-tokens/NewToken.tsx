import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { atField } from '../../../data/problem.js';
import { dayFromNow } from '../../../ui/now.js';
import { Button } from '../../../ui/Button.js';
import { Choices, Field, fieldProblem, Form } from '../../../app/forms/Form.js';
import { Card, Section } from '../../../ui/Page.js';
import { useCreateToken } from './token-source.js';
import type { TokenSource, TokenAttributes } from './token-source.js';
import type { TokenSecret } from './token-source.js';

/** The service's own limit. */
const LONGEST_DAYS = 365;
/** Long enough to be useful, short enough to be forgotten safely. */
const USUAL_DAYS = 30;

const FIELDS = ['name', 'description', 'access_level', 'scopes', 'expires_at'];

function attributes(values: FormData): TokenAttributes {
  const text = (name: string) => String(values.get(name) ?? '').trim();
  const description = text('description');
  const expiresAt = text('expires_at');
  const level = text('access_level');
  return {
    name: text('name'),
    scopes: values.getAll('scopes').map(String),
    ...(description === '' ? {} : { description }),
    ...(expiresAt === '' ? {} : { expires_at: expiresAt }),
    ...(level === '' ? {} : { access_level: Number(level) }),
  };
}

const ABOUT = [
  [/^Name /, 'name'],
  [/^Scopes /, 'scopes'],
  [/^Expiration date /, 'expires_at'],
] as const;

interface NewTokenProps {
  source: TokenSource;
  /** The available scopes with descriptions. */
  scopes: readonly { value: string; description: string }[];
  /** What scopes mean here. */
  about: string;
  /** More fields, such as the role. */
  children?: ReactNode;
  onCreate: (token: TokenSecret) => void;
  onCancel: () => void;
}

/** The form for another token. */
export function NewToken({ source, scopes, about, children, onCreate, onCancel }: NewTokenProps) {
  const creation = useCreateToken(source);
  const error = useMemo(() => atField(creation.error, ABOUT), [creation.error]);
  return (
    <Section title="New token">
      <Card>
        <Form
          focusFirst
          submit="Create token"
          busy={creation.isPending}
          problem={error}
          fields={FIELDS}
          beside={<Button onClick={onCancel}>Cancel</Button>}
          onSubmit={(values) => creation.mutate(attributes(values), { onSuccess: onCreate })}
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
            label="Description"
            name="description"
            hint="May stay empty."
            autoComplete="off"
            problem={fieldProblem(error, 'description')}
          />
          <Field
            label="Ends on"
            name="expires_at"
            type="date"
            hint={`Refused from this day on, UTC. At most ${LONGEST_DAYS} days from now; empty is without end, where the instance allows that.`}
            defaultValue={dayFromNow(USUAL_DAYS)}
            min={dayFromNow(1)}
            max={dayFromNow(LONGEST_DAYS)}
            short
            problem={fieldProblem(error, 'expires_at')}
          />
          {children}
          <Choices
            legend="Scopes"
            name="scopes"
            hint={about}
            choices={scopes}
            problem={fieldProblem(error, 'scopes')}
          />
        </Form>
      </Card>
    </Section>
  );
}
