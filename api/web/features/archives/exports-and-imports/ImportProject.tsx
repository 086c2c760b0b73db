import { Check } from '../../../ui/Check.js';
import { Field } from '../../../app/forms/Form.js';
import { Whole } from '../../../ui/Whole.js';
import { ImportForm } from './ImportForm.js';
import { ParentField } from './ParentField.js';
import { useProjectUpload } from './uploading.js';
import { PlanView } from './PlanView.js';
import type { ProjectPlan } from './uploading.js';

interface ProjectPlanViewProps {
  plan: ProjectPlan;
  busy: boolean;
  onImport: () => void;
}

/** The records that an import of a project would create and skip. */
function ProjectPlanView({ plan, ...act }: ProjectPlanViewProps) {
  return (
    <PlanView
      plan={plan}
      details={[
        ['Path', <Whole key="path">{plan.full_path}</Whole>],
        ['Visibility', plan.visibility],
        ['Repository', plan.repository ? 'yes' : 'none'],
        ['Marked for deletion', plan.replaces === null ? 'nothing' : <Whole key="old">{plan.replaces}</Whole>],
      ]}
      {...act}
    />
  );
}

/** A project out of an archive that an export wrote, here or elsewhere. */
export function ImportProject() {
  return (
    <ImportForm
      kind="project"
      sending={useProjectUpload()}
      first="import"
      labels={{ preview: 'Show what it would make', import: 'Import project' }}
      fields={(at) => (
        <>
          <Field
            label="Path"
            name="path"
            autoComplete="off"
            hint="In its address, such as rocket."
            problem={at('path')}
          />
          <Field label="Name" name="name" autoComplete="off" hint="The path where left empty." problem={at('name')} />
          <ParentField
            kind="project"
            hint="Full path of the group that it lies in; your own namespace where left empty. Import a group before its projects: their issues find their epics then."
            problem={at('namespace')}
          />
          <Check
            label="Replace a project of this path"
            name="overwrite"
            hint="The one that is there is marked for deletion. Owners of it may do that."
          />
        </>
      )}
      planned={(plan, act) => <ProjectPlanView plan={plan} {...act} />}
    />
  );
}
