import type { NewDeployToken as CreatedDeployToken } from '../../../data/api.js';
import { CreationForm, ExpiryField, NameField } from '../../../app/forms/CreationForm.js';
import { Choices } from '../../../app/forms/Form.js';
import { filledIn, textIn } from '../../../app/forms/form-values.js';
import { getScopes, useCreateDeployToken } from './queries.js';
import type { DeployScope, TokenContainer } from './queries.js';

const FIELDS = ['name', 'username', 'scopes', 'expires_at'];

const MESSAGES = [
  [/^Name /, 'name'],
  [/^Scopes /, 'scopes'],
  [/^Username /, 'username'],
] as const;

interface NewDeployTokenProps {
  container: TokenContainer;
  onCreate: (newToken: CreatedDeployToken) => void;
  onCancel: () => void;
}

/** The form for a new deploy token. */
export function NewDeployToken({ container, ...done }: NewDeployTokenProps) {
  return (
    <CreationForm
      submit="Create deploy token"
      creation={useCreateDeployToken(container)}
      fields={FIELDS}
      messages={MESSAGES}
      read={(values) => ({
        name: textIn(values, 'name'),
        scopes: values.getAll('scopes') as DeployScope[],
        ...filledIn(values, 'username', 'expires_at'),
      })}
      {...done}
    >
      {(at) => (
        <>
          <NameField hint="For example, the application that uses the token." problem={at('name')} />
          <NameField
            label="Username"
            name="username"
            hint="Optional. Leave empty to generate a username."
            problem={at('username')}
          />
          <ExpiryField problem={at('expires_at')} />
          <Choices legend="Scopes" name="scopes" choices={getScopes(container)} problem={at('scopes')} />
        </>
      )}
    </CreationForm>
  );
}
