import { cancelGroupImport, getGroupImport } from '../../../shared/archives/container-imports/import.operations.js';
import { groupImportShape } from '../../../shared/archives/container-imports/import.shape.js';
import type { GroupImportPlan } from '../../../shared/archives/container-imports/plan-container-import.js';
import { startGroupImport } from '../../../shared/archives/container-imports/start-import.js';
import { awaitImportPlan } from '../../../shared/archives/import-plans/import-plan.operations.js';
import { isImportPlan } from '../../../shared/archives/import-plans/import-plan.entity.js';
import type { ImportPlanRecord } from '../../../shared/archives/import-plans/import-plan.entity.js';
import { importPlanShape, planLocation } from '../../../shared/archives/import-plans/import-plan.shape.js';
import type { Caller } from '../../../shared/core/context/callers.js';
import type { Context, SignedInContext } from '../../../shared/core/context/context.js';
import { presentOne } from '../../../shared/core/operations/shape.js';
import { sendJson } from '../../core/respond.js';
import { del, get, post, routes } from '../../core/routes.js';
import type { Context as KoaContext } from 'koa';

const PLAN = { type: 'object', additionalProperties: true };

async function accept(
  koa: KoaContext,
  ctx: Context<Caller>,
  made: GroupImportPlan | ImportPlanRecord | null,
): Promise<void> {
  if (made === null) return sendJson(koa, 202, { message: '202 Accepted' });
  if (!isImportPlan(made)) return sendJson(koa, 200, made);
  sendJson(koa, 202, await presentOne(ctx as SignedInContext, importPlanShape, made));
}

export default routes('/groups', [
  post('/import', startGroupImport, {
    schema: PLAN,
    status: 202,
    settle: async ({ changes }, ctx, made) =>
      isImportPlan(made) ? awaitImportPlan<GroupImportPlan>(ctx as SignedInContext, made, changes) : made,
    headers: planLocation,
    respond: accept,
  }),
  get('/:id/import', getGroupImport, { present: groupImportShape }),
  del('/:id/import', cancelGroupImport, { present: groupImportShape, status: 200 }),
]);
