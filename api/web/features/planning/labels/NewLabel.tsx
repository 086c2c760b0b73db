import { CreationForm, NameField } from '../../../app/forms/CreationForm.js';
import { textIn } from '../../../app/forms/form-values.js';
import type { FormDone } from '../../../app/settings/SettingsSection.js';
import { useCreateLabel } from './queries.js';

/** The form for a new label. */
export function NewLabel({ path, onCreate, onCancel }: FormDone & { path: string }) {
  return (
    <CreationForm
      submit="Create label"
      creation={useCreateLabel(path)}
      fields={['name', 'color']}
      read={(values) => ({ name: textIn(values, 'name'), color: textIn(values, 'color') })}
      onCreate={({ name }) => onCreate(`Label “${name}” created.`)}
      onCancel={onCancel}
    >
      {(at) => (
        <>
          <NameField problem={at('name')} />
          <NameField label="Color" name="color" hint="For example, #dc143c or crimson." problem={at('color')} />
        </>
      )}
    </CreationForm>
  );
}
