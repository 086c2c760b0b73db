import type { Context } from '../../core/context.js';
import { Invalid } from '../../core/errors.js';
import type { Problems } from '../../core/errors.js';
import { sql } from '../../core/sql.js';
import { isFullId, resolveCommit } from '../../git/index.js';
import { shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';

interface Known {
  /** A branch or tag of that name is there. */
  ref: boolean;
  /** It points at the commit: that is known without git. */
  sha: boolean;
}

async function lookUp(ctx: Context, found: ProjectRecord, ref: string, sha: string): Promise<Known> {
  const names = ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
  const known = await ctx.queryOne<Known>(sql`
    select exists (select 1 from repository_refs r
                    where r.project_id = ${found.id} and r.full_name = any(${names}::text[])) as "ref",
           exists (select 1 from repository_refs r where r.project_id = ${found.id}
                      and r.full_name = any(${names}::text[]) and r.target_sha = ${sha}) as "sha"`);
  return known as Known;
}

async function isCommit(ctx: Context, found: ProjectRecord, sha: string): Promise<boolean> {
  if (!found.repository_created || !isFullId(sha)) return false;
  return (await resolveCommit(openRepository(ctx, found), sha)) === sha;
}

function blank(value: string, missing: string): string {
  return value.trim() === '' ? "can't be blank" : missing;
}

/**
 * The branch or tag and the commit that are deployed, as they are stored: the short name, and the full id. The head of
 * the branch or tag is known without git.
 * @throws Invalid where the index of refs has no such branch or tag, or the repository no such commit
 */
export async function requireDeployed(
  ctx: Context,
  found: ProjectRecord,
  given: { ref: string; sha: string },
): Promise<{ ref: string; sha: string }> {
  const sha = given.sha.toLowerCase();
  const known = await lookUp(ctx, found, given.ref, sha);
  const problems: Problems = {};
  if (!known.ref) problems.ref = [blank(given.ref, 'The branch or tag does not exist')];
  if (!known.sha && !(await isCommit(ctx, found, sha))) problems.sha = [blank(sha, 'The commit does not exist')];
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
  return { ref: shortRef(given.ref), sha };
}
