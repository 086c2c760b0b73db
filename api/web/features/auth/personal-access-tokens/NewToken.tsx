import type { ReactNode } from 'react';
import { CreationForm, ExpiryField, NameField } from '../../../app/forms/CreationForm.js';
import { Choices, Field } from '../../../app/forms/Form.js';
import { filledIn, textIn } from '../../../app/forms/form-values.js';
import { Card, Section } from '../../../ui/Page.js';
import { useCreateToken } from './token-source.js';
import type { TokenAttributes, TokenSecret, TokenSource } from './token-source.js';

/** The service's own limit. */
const LONGEST_DAYS = 365;
/** Long enough to be useful, short enough to be forgotten safely. */
const USUAL_DAYS = 30;

const FIELDS = ['name', 'description', 'access_level', 'scopes', 'expires_at'];

const MESSAGES = [
  [/^Name /, 'name'],
  [/^Scopes /, 'scopes'],
  [/^Expiration date /, 'expires_at'],
] as const;

function readAttributes(values: FormData): TokenAttributes {
  const level = textIn(values, 'access_level');
  return {
    name: textIn(values, 'name'),
    scopes: values.getAll('scopes').map(String),
    ...filledIn(values, 'description', 'expires_at'),
    ...(level === '' ? {} : { access_level: Number(level) }),
  };
}

interface NewTokenProps {
  source: TokenSource;
  /** The available scopes with descriptions. */
  scopes: readonly { value: string; description: string }[];
  /** What limits the scopes here. */
  about: string;
  /** More fields, such as the role. */
  children?: ReactNode;
  onCreate: (token: TokenSecret) => void;
  onCancel: () => void;
}

/** The form for a new token. */
export function NewToken({ source, scopes, about, children, ...done }: NewTokenProps) {
  return (
    <Section title="New token">
      <Card>
        <CreationForm
          submit="Create token"
          creation={useCreateToken(source)}
          fields={FIELDS}
          messages={MESSAGES}
          read={readAttributes}
          {...done}
        >
          {(at) => (
            <>
              <NameField hint="For example, the application that uses the token." problem={at('name')} />
              <Field
                label="Description"
                name="description"
                hint="Optional."
                autoComplete="off"
                problem={at('description')}
              />
              <ExpiryField
                hint={`Expires at 00:00 UTC, at most ${LONGEST_DAYS} days from now. Leave empty for no expiration, if the instance allows it.`}
                defaultDays={USUAL_DAYS}
                mostDays={LONGEST_DAYS}
                problem={at('expires_at')}
              />
              {children}
              <Choices legend="Scopes" name="scopes" hint={about} choices={scopes} problem={at('scopes')} />
            </>
          )}
        </CreationForm>
      </Card>
    </Section>
  );
}
