import { Field } from '../../../app/forms/Form.js';
import { GroupPlanView } from './GroupPlanView.js';
import { ImportForm } from './ImportForm.js';
import { ParentField } from './ParentField.js';
import { useGroupUpload } from './uploading.js';

/** A group out of an archive, after a look at what that would make. */
export function ImportGroup() {
  return (
    <ImportForm
      kind="group"
      sending={useGroupUpload()}
      first="preview"
      labels={{ preview: 'Preview import', import: 'Import without preview' }}
      fields={(at) => (
        <>
          <Field
            label="Name"
            name="name"
            autoComplete="off"
            hint="Name of the new group. The name in the archive isn't used."
            problem={at('name')}
          />
          <Field
            label="Path"
            name="path"
            autoComplete="off"
            hint="Part of the URL, for example rockets."
            problem={at('path')}
          />
          <ParentField
            kind="group"
            hint="Full path of the parent group. Leave empty for a top-level group, which is private at first."
            problem={at('parent')}
          />
        </>
      )}
      planned={(plan, act) => <GroupPlanView plan={plan} {...act} />}
    />
  );
}
