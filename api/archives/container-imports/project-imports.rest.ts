import { awaitImportPlan } from '../../../shared/archives/import-plans/import-plan.operations.js';
import { isImportPlan } from '../../../shared/archives/import-plans/import-plan.entity.js';
import { importPlanShape, planLocation } from '../../../shared/archives/import-plans/import-plan.shape.js';
import type { ProjectImportPlan } from '../../../shared/archives/container-imports/plan-container-import.js';
import { projectImportPlanShape, projectImportShape } from '../../../shared/archives/container-imports/import.shape.js';
import { isPlan, startProjectImport } from '../../../shared/archives/container-imports/start-import.js';
import type { ImportedProject } from '../../../shared/archives/container-imports/start-import.js';
import type { SignedInContext } from '../../../shared/core/context/context.js';
import type { Shape } from '../../../shared/core/operations/shape.js';
import { post, routes } from '../../core/routes.js';

/** The serializer of what was made. */
const [started, planned, waiting] = [projectImportShape, projectImportPlanShape, importPlanShape] as unknown as [
  Shape<ImportedProject>,
  Shape<ImportedProject>,
  Shape<ImportedProject>,
];

export default routes('/projects', [
  post('/import', startProjectImport, {
    settle: async ({ changes }, ctx, made) =>
      isImportPlan(made) ? awaitImportPlan<ProjectImportPlan>(ctx as SignedInContext, made, changes) : made,
    headers: planLocation,
    present: (_ctx, made) => {
      if (made && isImportPlan(made)) return waiting;
      return made && isPlan(made) ? planned : started;
    },
    shapes: [started, planned, waiting],
    status: (made) => {
      if (isImportPlan(made)) return 202;
      return isPlan(made) ? 200 : 201;
    },
  }),
]);
