import { Whole } from '../ui/Whole.js';
import { PlanView } from './PlanView.js';
import type { ProjectPlan } from './uploading.js';

interface ProjectPlanViewProps {
  plan: ProjectPlan;
  busy: boolean;
  onImport: () => void;
}

/** What an import of a project would make and leave out. */
export function ProjectPlanView({ plan, ...act }: ProjectPlanViewProps) {
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
