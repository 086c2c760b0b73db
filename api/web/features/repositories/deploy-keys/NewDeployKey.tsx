import { CreationForm, ExpiryField, NameField } from '../../../app/forms/CreationForm.js';
import { filledIn, textIn } from '../../../app/forms/form-values.js';
import type { FormDone } from '../../../app/settings/SettingsSection.js';
import { Check } from '../../../ui/Check.js';
import { TextArea } from '../../../ui/TextArea.js';
import { useAddDeployKey } from './queries.js';

const TITLE = 'deploy_key.title';
const KEY = 'deploy_key.key';
/** The API's error field for a key that already exists or is invalid. */
const DIGEST = 'deploy_key.fingerprint_sha256';

const FIELDS = [TITLE, KEY, DIGEST, 'expires_at'];

/** The form for a new deploy key. */
export function NewDeployKey({ projectId, onCreate, onCancel }: FormDone & { projectId: string }) {
  return (
    <CreationForm
      submit="Add deploy key"
      creation={useAddDeployKey(projectId)}
      fields={FIELDS}
      read={(values) => ({
        title: textIn(values, 'title'),
        key: textIn(values, 'key'),
        can_push: values.has('can_push'),
        ...filledIn(values, 'expires_at'),
      })}
      onCreate={({ title }) => onCreate(`Deploy key “${title}” added.`)}
      onCancel={onCancel}
    >
      {(at) => (
        <>
          <NameField
            label="Title"
            name="title"
            hint="A key that is already used in another project keeps its title."
            problem={at(TITLE)}
          />
          <TextArea
            label="Public key"
            name="key"
            rows={4}
            hint="The content of a .pub file created by ssh-keygen. Supported types: ed25519, ECDSA, and RSA with at least 2048 bits."
            autoComplete="off"
            spellCheck={false}
            problem={at(KEY) ?? at(DIGEST)}
          />
          <ExpiryField problem={at('expires_at')} />
          <Check
            label="Grant write permissions to this key"
            name="can_push"
            hint="Required to select the key in protection rules."
          />
        </>
      )}
    </CreationForm>
  );
}
