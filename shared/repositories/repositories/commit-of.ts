import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { isFullId, resolveCommit } from '../../git/index.js';
import { sql } from '../../core/sql.js';
import { openRepository } from './write-refs.js';

/** The full names that a reference may stand for, the likeliest first; a full name stands for itself alone. */
function namesOf(found: ProjectRecord, reference: string): string[] {
  if (reference === 'HEAD') return found.default_branch === null ? [] : [`refs/heads/${found.default_branch}`];
  return reference.startsWith('refs/') ? [reference] : [`refs/heads/${reference}`, `refs/tags/${reference}`];
}

/**
 * The commit that a branch name, tag name, full ref or id means here, `HEAD` the default branch's; else null. A full id
 * is a commit, whatever a branch is called that came in when such names could.
 */
export async function commitOf(ctx: Context, found: ProjectRecord, reference: string): Promise<string | null> {
  if (!found.repository_created) return null;
  if (isFullId(reference)) return resolveCommit(openRepository(ctx, found), reference);
  const names = namesOf(found, reference);
  const ref = await ctx.queryOne<{ target_sha: string }>(sql`
    select r.target_sha as "target_sha" from repository_refs r
     where r.project_id = ${found.id} and r.full_name = any(${names}::text[])
     order by array_position(${names}::text[], r.full_name) limit 1`);
  if (ref) return ref.target_sha;
  return /^[0-9a-f]{4,39}$/i.test(reference) ? resolveCommit(openRepository(ctx, found), reference) : null;
}

/** @throws NotFound "404 Commit Not Found" */
export async function requireCommit(ctx: Context, found: ProjectRecord, reference: string): Promise<string> {
  const sha = await commitOf(ctx, found, reference);
  if (sha === null) throw new NotFound('Commit');
  return sha;
}
