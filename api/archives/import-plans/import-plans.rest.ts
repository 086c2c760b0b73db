import { getImportPlan } from '../../../shared/archives/import-plans/import-plan.operations.js';
import { importPlanShape } from '../../../shared/archives/import-plans/import-plan.shape.js';
import { get, routes } from '../../core/routes.js';

export default routes('/import_plans', [get('/:plan_id', getImportPlan, { present: importPlanShape })]);
