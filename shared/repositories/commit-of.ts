import type { Context } from '../core/context.js';
import { NotFound } from '../core/errors.js';
import { resolveCommit } from '../core/git/index.js';
import { sql } from '../core/sql.js';
import type { ProjectRecord } from '../projects/project.finder.js';
import { repositoryOf } from './write-refs.js';

/** The commit that a branch name, tag name, full ref or sha means here, `HEAD` the default branch's; else null. */
export async function commitOf(ctx: Context, found: ProjectRecord, reference: string): Promise<string | null> {
  if (!found.repository_created) return null;
  const name = reference === 'HEAD' ? found.default_branch : reference;
  if (!name) return null;
  const names = [`refs/heads/${name}`, `refs/tags/${name}`, name];
  const ref = await ctx.queryOne<{ target_sha: string }>(sql`
    select r.target_sha as "target_sha" from repository_refs r
     where r.project_id = ${found.id} and r.full_name = any(${names}::text[])
     order by array_position(${names}::text[], r.full_name) limit 1`);
  if (ref) return ref.target_sha;
  return /^[0-9a-f]{4,40}$/i.test(name) ? resolveCommit(repositoryOf(ctx, found), name) : null;
}

/** @throws NotFound "404 Commit Not Found" */
export async function requireCommit(ctx: Context, found: ProjectRecord, reference: string): Promise<string> {
  const sha = await commitOf(ctx, found, reference);
  if (sha === null) throw new NotFound('Commit');
  return sha;
}
