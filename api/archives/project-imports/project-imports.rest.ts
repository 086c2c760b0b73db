import type { ProjectImportPlan } from '../../../shared/archives/project-imports/plan-project-import.js';
import { projectImportPlanShape } from '../../../shared/archives/project-imports/project-import-plan.shape.js';
import { isPlan, startProjectImport } from '../../../shared/archives/project-imports/start-project-import.js';
import { projectImportShape } from '../../../shared/archives/project-import-status/project-import-status.shape.js';
import type { Shape } from '../../../shared/core/shape.js';
import type { ProjectRecord } from '../../../shared/tenancy/projects/project.record.js';
import { post, routes } from '../../core/routes.js';

type Made = ProjectRecord | ProjectImportPlan;
/** Each is shown where it is what was made. */
const [started, planned] = [projectImportShape as Shape<Made>, projectImportPlanShape as Shape<Made>];

export default routes('/projects', [
  post('/import', startProjectImport, {
    present: (_ctx, made) => (made && isPlan(made) ? planned : started),
    shapes: [started, planned],
    status: (made) => (isPlan(made) ? 200 : 201),
  }),
]);
