import { operation } from '../../core/operations/operation.js';
import type { SignedInContext } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { NOWHERE } from '../../core/values/job-context.js';
import type { Subject } from '../../core/operations/operation.js';
import type { UserCaller } from '../../core/context/callers.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { PLAN_KEPT_MS } from './import-plan.entity.js';
import type { ImportPlanRecord } from './import-plan.entity.js';

/** The newest creation time of plans that are not kept any more. */
export const keptSince = (ctx: Pick<SignedInContext, 'clock'>): Date =>
  new Date(ctx.clock.now().getTime() - PLAN_KEPT_MS);

/** A plan that the caller requested within the last hour. @throws NotFound */
export async function findImportPlan(ctx: SignedInContext, id: number): Promise<ImportPlanRecord> {
  const found = await ctx.em
    .getKysely<ArchivesDatabase>()
    .selectFrom('import_plans as p')
    .select(['p.id', 'p.kind', 'p.status', 'p.reason', 'p.plan', 'p.created_at', 'p.finished_at'])
    .where('p.id', '=', id)
    .where('p.user_id', '=', ctx.caller.id)
    .where('p.created_at', '>', keptSince(ctx))
    .executeTakeFirst();
  if (!found) throw new NotFound('Import Plan');
  return found;
}

/** A plan by its id: those of others are not found. */
const importPlan: Subject<ImportPlanRecord, UserCaller> = {
  noun: 'Import Plan',
  params: { plan_id: integer().describe('ID of the plan.') },
  find: (ctx, { plan_id: id }) => findImportPlan(ctx, id as number),
  about: () => NOWHERE,
};

/** Read the plan of an import, for an hour: whoever requested it. */
export const getImportPlan = operation({
  name: 'getImportPlan',
  summary: 'Read what an import would do',
  subject: importPlan,
  gate: 'signed_in_subject',
  kind: 'read',
  run: (_ctx, found): Promise<ImportPlanRecord> => Promise.resolve(found),
});
