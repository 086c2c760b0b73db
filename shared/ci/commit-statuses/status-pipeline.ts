import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Context, SignedInContext } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { commitRefs } from '../../git/index.js';
import { sql } from '../../core/sql.js';
import { insertPipelines } from '../pipelines/insert-pipelines.js';
import { requireRunOnRef } from '../pipelines/pipeline-rights.js';
import { fullRefName } from '../../repositories/repositories/ref-records.js';
import { expandRef, shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';

interface Wanted {
  sha: string;
  ref?: string | undefined;
  pipeline_id?: number | undefined;
}

interface Found {
  id: number;
  ref: string;
  tag: boolean;
}

async function newestMatch(ctx: Context, project: ProjectRecord, wanted: Wanted): Promise<Found | null> {
  const { sha, ref, pipeline_id: id } = wanted;
  return ctx.queryOne<Found>(sql`
    select pl.id as "id", pl.ref as "ref", pl.tag as "tag" from pipelines pl
     where pl.project_id = ${project.id} and pl.sha = ${sha}
       and (${ref === undefined ? null : shortRef(ref)}::text is null or pl.ref = ${ref === undefined ? null : shortRef(ref)})
       and (${id ?? null}::bigint is null or pl.id = ${id ?? null})
     order by pl.id desc limit 1 for no key update`);
}

/** The full ref that a new pipeline is for: the one named, a branch where in doubt, else a branch with the commit. */
async function refFor(ctx: Context, project: ProjectRecord, { sha, ref }: Wanted): Promise<string> {
  if (ref !== undefined) {
    const expansion = await expandRef(ctx, project.id, ref);
    return expansion === 'ambiguous' ? fullRefName('branch', ref) : expansion.fullName;
  }
  const [branch] = await commitRefs(openRepository(ctx, project), sha, 'branch', 1);
  if (branch === undefined) throw new NotFound('References for commit');
  return branch;
}

/**
 * The pipeline that a report belongs to, its row locked: the one named, else the newest of the commit (and ref), else
 * a new one with source `external`. Reports about one commit wait for each other, so that they make one pipeline.
 * @throws NotFound where the named one is not of this commit and ref; Forbidden where the ref is protected
 */
export async function pipelineForStatus(ctx: SignedInContext, project: ProjectRecord, wanted: Wanted): Promise<number> {
  await ctx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`commit-status:${project.id}:${wanted.sha}`}, 0))`,
  );
  const found = await newestMatch(ctx, project, wanted);
  if (found) {
    await requireRunOnRef(ctx, project, fullRefName(found.tag ? 'tag' : 'branch', found.ref));
    return found.id;
  }
  if (wanted.pipeline_id !== undefined) throw new NotFound('Pipeline for pipeline_id, sha and ref');
  const ref = await refFor(ctx, project, wanted);
  await requireRunOnRef(ctx, project, ref);
  const [id] = await insertPipelines(ctx, [
    {
      project_id: project.id,
      ref,
      sha: wanted.sha,
      source: 'external',
      user_id: ctx.caller.user.id,
      pipeline_schedule_id: null,
      variables: [],
      inputs: null,
    },
  ]);
  return id as number;
}
