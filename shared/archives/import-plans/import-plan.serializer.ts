import { out, serializer } from '../../core/operations/serializer.js';
import { isImportPlan, PLAN_RETENTION_MS } from './import-plan.entity.js';
import type { ImportPlanRecord } from './import-plan.entity.js';

const pathOf = ({ id }: ImportPlanRecord) => `/api/v4/import_plans/${id}`;

/** The header with the address of a plan that is still being made; none for all else that an import returns. */
export const planLocation = (result: object | null): Record<string, string> =>
  isImportPlan(result) ? { Location: pathOf(result) } : {};

/** The plan of an import, as far as it is made. */
export const importPlanSerializer = serializer<ImportPlanRecord>('ImportPlan', {
  id: out.integer((one) => one.id),
  kind: out.text((one) => one.kind, { enum: ['group', 'project'] }),
  status: out.text((one) => one.status, { enum: ['waiting', 'finished', 'failed'] }),
  reason: out.nullableText((one) => one.reason, { description: 'Reason for the failure of the plan.' }),
  created_at: out.instant((one) => one.created_at),
  finished_at: out.nullableInstant((one) => one.finished_at),
  expires_at: out.instant((one) => new Date(one.created_at.getTime() + PLAN_RETENTION_MS)),
  plan: out.any((one) => one.plan, {
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'Plan that a `dry_run` returns; null until finished.',
  }),
  _links: out.any((one, ctx) => ({ self: `${ctx.config.externalUrl}${pathOf(one)}` }), {
    type: 'object',
    required: ['self'],
    properties: { self: { type: 'string' } },
  }),
});
