import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { sql } from 'kysely';
import { InvalidGitInput, RefConflict, RepositoryMissing, updateRefs } from '../../git/index.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { CiDatabase } from '../ci.entities.js';
import { ALIVE_STATUSES } from '../job-states/status-predicates.js';

/** A ref without a pipeline is one whose creation died, once it is older than any creation takes. */
const ORPHAN_MS = 10 * 60_000;
/** Refs removed by one transaction, which lasts as long as git takes for them. */
const BATCH = 100;

/** The hidden ref that keeps a pipeline's commit, and which its jobs fetch. */
export const pipelineRefName = (pipelineId: number): string => `refs/pipelines/${pipelineId}`;

interface Commit {
  project_id: number;
  sha: string;
}

const writeRef = (ctx: Context<Caller>, { project_id: id, sha }: Commit, pipelineId: number): Promise<void> =>
  updateRefs(openRepository(ctx, { id }), [{ ref: pipelineRefName(pipelineId), new: sha }]);

/**
 * Reserves the ids of pipelines to come of one project, and writes their refs, by one process. Call it before the
 * transaction that makes the pipelines: a ref that no pipeline follows is removed later.
 * @param shas their commits
 */
export async function reservePipelines(
  ctx: Context<Caller>,
  project: { id: number },
  shas: readonly string[],
): Promise<number[]> {
  if (shas.length === 0) return [];
  const rows = await ctx.transaction(() =>
    ctx.em
      .getKysely<CiDatabase>()
      .insertInto('pipeline_refs')
      .values(
        shas.map(() => ({
          project_id: project.id,
          pipeline_id: sql<number>`nextval(pg_get_serial_sequence('pipelines', 'id'))`,
          created_at: ctx.clock.now(),
        })),
      )
      .returning('pipeline_id')
      .execute(),
  );
  const ids = rows.map((row) => row.pipeline_id);
  const updates = ids.map((id, index) => ({ ref: pipelineRefName(id), new: shas[index] as string }));
  await updateRefs(openRepository(ctx, project), updates);
  return ids;
}

/**
 * Makes the ref of a pipeline of which a job begins again, in that transaction, whether it was removed or not: what is
 * reported from outside may have a pipeline go on that was over.
 * @returns whether there is one now: not if the commit was collected since
 */
export async function ensurePipelineRef(ctx: Context<Caller>, commit: Commit, pipelineId: number): Promise<boolean> {
  await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('pipeline_refs')
    .values({ project_id: commit.project_id, pipeline_id: pipelineId, created_at: ctx.clock.now() })
    // Waits for a removal that is under way.
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'pipeline_id']).doUpdateSet({ created_at: ctx.clock.now() }),
    )
    .execute();
  try {
    await writeRef(ctx, commit, pipelineId);
    return true;
  } catch (error) {
    if (error instanceof InvalidGitInput || error instanceof RepositoryMissing) return false;
    throw error;
  }
}

/** The refs of pipelines that are over or were never made. */
const selectUnusedRefs = (ctx: Context) =>
  ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipeline_refs as f')
    .leftJoin('pipelines as pl', 'pl.id', 'f.pipeline_id')
    .select(['f.id', 'f.project_id', 'f.pipeline_id'])
    .where((eb) =>
      eb.or([
        eb.and([eb('pl.id', 'is not', null), eb.not(eb('pl.status', '=', anyOf(ALIVE_STATUSES, 'text')))]),
        eb.and([eb('pl.id', 'is', null), eb('f.created_at', '<', new Date(ctx.clock.now().getTime() - ORPHAN_MS))]),
      ]),
    )
    .orderBy('f.id');

interface UnusedRef {
  id: number;
  project_id: number;
  pipeline_id: number;
}

/** Removes some refs, of which others may be in use again by now. @returns how many */
async function removeBatch(ctx: Context, refIds: readonly number[]): Promise<number> {
  // They are locked: only a statement after that sees whether a retry was faster.
  const unused = await selectUnusedRefs(ctx).where('f.id', '=', anyOf(refIds, 'bigint')).execute();
  const removed: number[] = [];
  for (const [projectId, refs] of Map.groupBy(unused, (row) => row.project_id))
    removed.push(...(await removeInGit(ctx, projectId, refs)).map(({ id }) => id));
  if (removed.length > 0)
    await ctx.em
      .getKysely<CiDatabase>()
      .deleteFrom('pipeline_refs')
      .where('id', '=', anyOf(removed, 'bigint'))
      .execute();
  return removed.length;
}

/** Removes refs of a project in git. @returns those that are gone: none where its repository cannot be written */
async function removeInGit(ctx: Context, projectId: number, refs: readonly UnusedRef[]): Promise<readonly UnusedRef[]> {
  try {
    const names = refs.map((row) => pipelineRefName(row.pipeline_id));
    await updateRefs(
      openRepository(ctx, { id: projectId }),
      names.map((ref) => ({ ref, new: null })),
    );
    return refs;
  } catch (error) {
    if (error instanceof RepositoryMissing) return refs;
    // Git removes all or none: a lock that a process left behind keeps its own ref only.
    if (error instanceof RefConflict && refs.length > 1) return removeOneByOne(ctx, projectId, refs);
    ctx.signal.throwIfAborted();
    ctx.log.warn({ err: error, project_id: projectId }, 'pipeline_refs.not_removed');
    return [];
  }
}

async function removeOneByOne(ctx: Context, projectId: number, refs: readonly UnusedRef[]): Promise<UnusedRef[]> {
  const gone: UnusedRef[] = [];
  for (const ref of refs) gone.push(...(await removeInGit(ctx, projectId, [ref])));
  return gone;
}

/**
 * Removes refs whose pipelines are over or gone, in git and in the table. One repository that cannot be written holds
 * no other up. @returns how many
 */
export async function removeUnusedRefs(ctx: Context): Promise<number> {
  let removed = 0;
  let last = 0;
  await inSteps(ctx, () =>
    ctx.transaction(async () => {
      const found = await selectUnusedRefs(ctx)
        .where('f.id', '>', last)
        .limit(constant(BATCH))
        .forUpdate('f')
        .skipLocked()
        .execute();
      const ids = found.map(({ id }) => id);
      last = ids.at(-1) ?? last;
      if (ids.length > 0) removed += await removeBatch(ctx, ids);
      return ids.length === BATCH;
    }),
  );
  return removed;
}
