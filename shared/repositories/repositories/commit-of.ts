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

const looksLikeId = (reference: string) => /^[0-9a-f]{4,39}$/i.test(reference);

/**
 * The commits that branch names, tag names, full refs or ids mean here, `HEAD` the default branch's; null for what means none. A full id
 * is a commit, whatever a branch is called that came in when such names could. One statement, and a process for each id.
 */
export async function commitsOf(
  ctx: Context,
  found: ProjectRecord,
  references: readonly string[],
): Promise<Map<string, string | null>> {
  const commits = new Map<string, string | null>(references.map((reference) => [reference, null]));
  if (!found.repository_created) return commits;
  const named = [...commits.keys()].filter((reference) => !isFullId(reference));
  const targets = new Map<string, string>();
  if (named.length > 0) {
    const names = named.flatMap((reference) => namesOf(found, reference));
    // Each by the unique index: as a list, a prepared plan would read all refs of the project, since most have few.
    const refs = await ctx.query<{ full_name: string; target_sha: string }>(sql`
      select ref.full_name as "full_name", ref.target_sha as "target_sha"
        from unnest(${names}::text[]) as asked (full_name)
       cross join lateral (
         select r.full_name, r.target_sha from repository_refs r
          where r.project_id = ${found.id} and r.full_name = asked.full_name and r.kind <> 'other' limit 1) ref`);
    for (const ref of refs) targets.set(ref.full_name, ref.target_sha);
  }
  for (const reference of commits.keys()) {
    const name = isFullId(reference) ? undefined : namesOf(found, reference).find((one) => targets.has(one));
    if (name !== undefined) commits.set(reference, targets.get(name)!);
    else if (isFullId(reference) || looksLikeId(reference))
      commits.set(reference, await resolveCommit(openRepository(ctx, found), reference));
  }
  return commits;
}

/** The same for one of them. */
export async function commitOf(ctx: Context, found: ProjectRecord, reference: string): Promise<string | null> {
  return (await commitsOf(ctx, found, [reference])).get(reference) ?? null;
}

/** @throws NotFound "404 Commit Not Found" */
export async function requireCommit(ctx: Context, found: ProjectRecord, reference: string): Promise<string> {
  const sha = await commitOf(ctx, found, reference);
  if (sha === null) throw new NotFound('Commit');
  return sha;
}
