import { Check } from '../../../ui/Check.js';
import { Field } from '../../../app/forms/Form.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
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
        ['Path', <UnbrokenText key="path">{plan.full_path}</UnbrokenText>],
        ['Visibility', plan.visibility],
        ['Repository', plan.repository ? 'yes' : 'none'],
        [
          'Marked for deletion',
          plan.replaces === null ? 'nothing' : <UnbrokenText key="old">{plan.replaces}</UnbrokenText>,
        ],
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
      labels={{ preview: 'Preview import', import: 'Import project' }}
      fields={(at) => (
        <>
          <Field
            label="Path"
            name="path"
            autoComplete="off"
            hint="Part of the URL, for example rocket."
            problem={at('path')}
          />
          <Field label="Name" name="name" autoComplete="off" hint="Defaults to the path." problem={at('name')} />
          <ParentField
            kind="project"
            hint="Full path of the group. Defaults to your namespace. Import a group before its projects to keep links between issues and epics."
            problem={at('namespace')}
          />
          <Check
            label="Replace an existing project"
            name="overwrite"
            hint="The existing project is marked for deletion. Requires the Owner role."
          />
        </>
      )}
      planned={(plan, act) => <ProjectPlanView plan={plan} {...act} />}
    />
  );
}
