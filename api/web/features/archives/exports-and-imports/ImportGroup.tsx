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
      labels={{ preview: 'Show what it would make', import: 'Import without a look' }}
      fields={(at) => (
        <>
          <Field
            label="Name"
            name="name"
            autoComplete="off"
            hint="Of the new group; the archive's own name is not taken."
            problem={at('name')}
          />
          <Field
            label="Path"
            name="path"
            autoComplete="off"
            hint="In its address, such as rockets."
            problem={at('path')}
          />
          <ParentField
            kind="group"
            hint="Full path of the group that it lies in; empty for a group of its own, which is private at first."
            problem={at('parent')}
          />
        </>
      )}
      planned={(plan, act) => <GroupPlanView plan={plan} {...act} />}
    />
  );
}
