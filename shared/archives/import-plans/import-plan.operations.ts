import { operation } from '../../core/operation.js';
import { importPlan } from './import-plan.finder.js';
import type { ImportPlanRecord } from './import-plan.record.js';

/** Read the plan of an import, for an hour: whoever asked for it. */
export const getImportPlan = operation({
  name: 'getImportPlan',
  summary: 'Read what an import would do',
  subject: importPlan,
  gate: 'signed_in_subject',
  kind: 'read',
  run: (_ctx, found): Promise<ImportPlanRecord> => Promise.resolve(found),
});
