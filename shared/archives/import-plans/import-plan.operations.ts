import { jsonBuildObject } from 'kysely/helpers/postgres';
import type { UserCaller } from '../../core/context/callers.js';
import { Context } from '../../core/context/context.js';
import type { SignedInContext } from '../../core/context/context.js';
import type { JobKind } from '../../core/context/jobs.js';
import { constant } from '../../core/database/expressions.js';
import { integer } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import type { StoredFile } from '../../core/stored-files/storing.js';
import { Invalid, NotFound, Overloaded, RateLimited } from '../../core/values/errors.js';
import { NOWHERE } from '../../core/values/job-context.js';
import type { PlanJob } from '../archives.jobs.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { ImportPlan, retentionStart, isImportPlan, PLAN_RETENTION_MS } from './import-plan.entity.js';
import type { ImportPlanRecord } from './import-plan.entity.js';
import { IMPORT_PLAN_CHANGES } from './run-import-plan.js';

/** A plan that the caller requested within the last hour. @throws NotFound */
async function findImportPlan(ctx: SignedInContext, id: number): Promise<ImportPlanRecord> {
  const found = await ctx.em
    .getKysely<ArchivesDatabase>()
    .selectFrom('import_plans as p')
    .select(['p.id', 'p.kind', 'p.status', 'p.reason', 'p.plan', 'p.created_at', 'p.finished_at'])
    .where('p.id', '=', id)
    .where('p.user_id', '=', ctx.caller.id)
    .where('p.created_at', '>', retentionStart(ctx))
    .executeTakeFirst();
  if (!found) throw new NotFound('Import Plan');
  return found;
}

/** A plan by its id: plans of other users are not found. */
const importPlan: Resource<ImportPlanRecord, UserCaller> = {
  noun: 'Import Plan',
  params: { plan_id: integer().describe('ID of the plan.') },
  find: (ctx, { plan_id: id }) => findImportPlan(ctx, id as number),
  about: () => NOWHERE,
};

/** Read the plan of an import, for an hour after the request; only for the requesting user. */
export const getImportPlan = operation({
  name: 'getImportPlan',
  summary: 'Read the plan of an import',
  resource: importPlan,
  authentication: 'signed_in_resource',
  kind: 'read',
  run: (_ctx, found): Promise<ImportPlanRecord> => Promise.resolve(found),
});

/** Maximum number of plans waiting for their job, and of plans retained from the last hour. */
const MOST = { user: { waiting: 5, total: 20 }, instance: { waiting: 100, total: 1_000 } };
const RETRY_AFTER_SECONDS = 30;

interface Counts {
  waiting: number;
  total: number;
}

const isFull = (counts: Counts, most: Counts) => counts.waiting >= most.waiting || counts.total >= most.total;

/** @throws RateLimited for users who have too many, Overloaded where the instance has */
async function requireCapacity(ctx: SignedInContext): Promise<void> {
  // Those who come at the same time are counted one after the other.
  const db = ctx.em.getKysely<ArchivesDatabase>();
  await db
    .selectNoFrom(({ fn }) =>
      fn('pg_advisory_xact_lock', [fn('hashtextextended', [constant('import plans'), constant(0)])]).as('locked'),
    )
    .execute();
  const counts = await db
    .selectFrom('import_plans as p')
    .select((eb) => {
      const isWaiting = eb('p.status', '=', constant('waiting'));
      const isOwn = eb('p.user_id', '=', ctx.caller.id);
      const count = () => eb.fn.countAll<number>();
      return [
        jsonBuildObject({ waiting: count().filterWhere(isWaiting), total: count() }).as('instance'),
        jsonBuildObject({
          waiting: count().filterWhere(eb.and([isWaiting, isOwn])),
          total: count().filterWhere(isOwn),
        }).as('user'),
      ];
    })
    .where('p.created_at', '>', retentionStart(ctx))
    .executeTakeFirst();
  if (counts && isFull(counts.user, MOST.user)) throw new RateLimited(RETRY_AFTER_SECONDS);
  if (counts && isFull(counts.instance, MOST.instance)) throw new Overloaded(RETRY_AFTER_SECONDS);
}

/**
 * Queues a job to plan the import of an archive.
 * @param job creates plans of this kind
 * @param input its input in addition to the archive
 * @throws RateLimited, Overloaded
 */
export async function startImportPlan(
  ctx: SignedInContext,
  job: JobKind<PlanJob>,
  { kind, file, input }: { kind: 'group' | 'project'; file: StoredFile; input: object },
): Promise<ImportPlanRecord> {
  await requireCapacity(ctx);
  const plan_id = await ctx.em.insert(ImportPlan, {
    user_id: ctx.caller.id,
    kind,
    object_id: await file.object.keep(ctx),
    input: input as Record<string, unknown>,
    status: 'waiting',
    reason: null,
    plan: null,
    created_at: ctx.clock.now(),
    finished_at: null,
  });
  await ctx.jobs.send(job, { plan_id });
  return findImportPlan(ctx, plan_id);
}

/** A request waits so long for its plan. */
const WAITS_MS = 30_000;
/** A change that the feed missed is found after so long. */
const BACKSTOP_MS = 2_000;

/** A feed of changes. */
interface ChangeFeed {
  /**
   * Resolves once something changes, or after `ms`, or when the signal is aborted.
   * @returns whether more may come: false once the process shuts down
   */
  heard(kind: string, id: number, ms: number, signal: AbortSignal): Promise<boolean>;
}

/** Deletes a plan whose id was never returned to the caller. */
async function removePlan(ctx: SignedInContext, id: number): Promise<void> {
  const { signal: _, ...origin } = ctx.origin;
  const still = new Context(ctx.services, ctx.caller, origin);
  await still.transaction(() => still.em.nativeDelete(ImportPlan, { id }));
}

async function waitForPlan(ctx: SignedInContext, id: number, changes: ChangeFeed): Promise<ImportPlanRecord> {
  const until = ctx.clock.now().getTime() + WAITS_MS;
  for (;;) {
    // Subscribed before the read: what changes meanwhile is not missed.
    const stop = new AbortController();
    const heard = changes.heard(IMPORT_PLAN_CHANGES, id, BACKSTOP_MS, AbortSignal.any([ctx.signal, stop.signal]));
    try {
      const plan = await findImportPlan(ctx, id);
      if (plan.status !== 'waiting' || ctx.clock.now().getTime() >= until) return plan;
      if (!(await heard)) return plan;
      ctx.signal.throwIfAborted();
    } finally {
      stop.abort();
    }
  }
}

/**
 * Waits for a plan, for at most half a minute, without holding a database connection.
 * @returns what the import would do, or the unfinished plan
 * @throws Invalid (422) with the reason of a failed plan
 */
export async function awaitImportPlan<P extends object>(
  ctx: SignedInContext,
  { id }: ImportPlanRecord,
  changes: ChangeFeed,
): Promise<P | ImportPlanRecord> {
  let isPending = false;
  try {
    const plan = await waitForPlan(ctx, id, changes);
    isPending = plan.status === 'waiting';
    if (plan.status === 'failed') throw new Invalid({ error: plan.reason ?? '' }, 422);
    return plan.status === 'finished' ? (plan.plan as P) : plan;
  } finally {
    if (!isPending) await removePlan(ctx, id);
  }
}

const getPath = ({ id }: ImportPlanRecord) => `/api/v4/import_plans/${id}`;

/** The header with the address of a plan that is still being made; none for all else that an import returns. */
export const planLocation = (result: object | null): Record<string, string> =>
  isImportPlan(result) ? { Location: getPath(result) } : {};

/** The plan of an import, as far as it is made. */
export const importPlanSerializer = serializer<ImportPlanRecord>('ImportPlan', {
  id: out.integer((one) => one.id),
  kind: out.text((one) => one.kind, { enum: ['group', 'project'] }),
  status: out.text((one) => one.status, { enum: ['waiting', 'finished', 'failed'] }),
  reason: out.nullableText((one) => one.reason, { description: 'Reason why the plan failed.' }),
  created_at: out.instant((one) => one.created_at),
  finished_at: out.nullableInstant((one) => one.finished_at),
  expires_at: out.instant((one) => new Date(one.created_at.getTime() + PLAN_RETENTION_MS)),
  plan: out.any((one) => one.plan, {
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'Result as `dry_run` answers it; null until it is finished.',
  }),
  _links: out.any((one, ctx) => ({ self: `${ctx.config.externalUrl}${getPath(one)}` }), {
    type: 'object',
    required: ['self'],
    properties: { self: { type: 'string' } },
  }),
});
