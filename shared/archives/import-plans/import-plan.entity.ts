import type { Context } from '../../core/context/context.js';
import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { StoredObject } from '../../core/stored-files/stored-object.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** The plan of an archive import, created by a job. */
export const ImportPlan = defineEntity({
  name: 'ImportPlan',
  tableName: 'import_plans',
  properties: {
    id: id(),
    /** Who requested it, and alone reads it. */
    user_id: relation(User),
    /** `group` or `project`. */
    kind: p.string(),
    /** The archive; null once it is read. */
    object_id: relation(StoredObject).nullable(),
    /** The input of its job in addition to the archive. */
    input: p.json<Record<string, unknown>>(),
    /** `waiting`, `finished` or `failed`. */
    status: p.string(),
    /** Why it failed. */
    reason: p.string().nullable(),
    plan: p.json<object>().nullable(),
    created_at: timestamp(),
    finished_at: timestamp().nullable(),
  },
});
export type ImportPlan = InferEntity<typeof ImportPlan>;

/** A plan as returned to the requesting user. */
export type ImportPlanRecord = Pick<
  ImportPlan,
  'id' | 'kind' | 'status' | 'reason' | 'plan' | 'created_at' | 'finished_at'
>;

/** Retention of a plan, in milliseconds. */
export const PLAN_RETENTION_MS = 3_600_000;

/** Plans created before this time are no longer retained. */
export const retentionStart = (ctx: Pick<Context, 'clock'>): Date =>
  new Date(ctx.clock.now().getTime() - PLAN_RETENTION_MS);

/** Whether the result of an import is a plan that is still being created. */
export const isImportPlan = (result: object | null): result is ImportPlanRecord => result !== null && 'plan' in result;
