import { cancelGroupImport, getGroupImport } from '../../../shared/archives/group-imports/group-import.operations.js';
import { groupImportShape } from '../../../shared/archives/group-imports/group-import.shape.js';
import type { GroupImportPlan } from '../../../shared/archives/group-imports/plan-group-import.js';
import { startGroupImport } from '../../../shared/archives/group-imports/start-group-import.js';
import { sendJson } from '../../core/respond.js';
import { del, get, post, routes } from '../../core/routes.js';
import type { Context as KoaContext } from 'koa';

const PLAN = { type: 'object', additionalProperties: true };

function accept(koa: KoaContext, _ctx: unknown, plan: GroupImportPlan | null): void {
  sendJson(koa, plan === null ? 202 : 200, plan ?? { message: '202 Accepted' });
}

export default routes('/groups', [
  post('/import', startGroupImport, { schema: PLAN, status: 202, respond: accept }),
  get('/:id/import', getGroupImport, { present: groupImportShape }),
  del('/:id/import', cancelGroupImport, { present: groupImportShape, status: 200 }),
]);
