import type { Context } from '../../core/context/context.js';
import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { StoredObject } from '../../core/stored-files/stored-object.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** What the import of an archive would do, as a job finds it out. */
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
    /** What its job needs beside the archive. */
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

/** A plan as whoever requested it reads it. */
export type ImportPlanRecord = Pick<
  ImportPlan,
  'id' | 'kind' | 'status' | 'reason' | 'plan' | 'created_at' | 'finished_at'
>;

/** Milliseconds for which a plan is kept. */
export const PLAN_RETENTION_MS = 3_600_000;

/** The newest creation time of plans that are not kept any more. */
export const retentionStart = (ctx: Pick<Context, 'clock'>): Date =>
  new Date(ctx.clock.now().getTime() - PLAN_RETENTION_MS);

/** Whether what an import gave is a plan that is being made. */
export const isImportPlan = (result: object | null): result is ImportPlanRecord => result !== null && 'plan' in result;
