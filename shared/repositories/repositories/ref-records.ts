import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { readCommits, readTags } from '../../git/index.js';
import type { List } from '../../core/list.js';
import { columns, raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import type { ProjectRecord } from '../../tenancy/projects/project.finder.js';
import { RepositoryRef } from './repository-ref.entity.js';
import type { RefRecord } from './branch.shape.js';
import { findRef } from './repository-ref.finder.js';
import { openRepository } from './write-refs.js';

export type RefKind = 'branch' | 'tag';

/** `main` to `refs/heads/main`. */
export function fullRefName(kind: RefKind, name: string): string {
  return `refs/${kind === 'branch' ? 'heads' : 'tags'}/${name}`;
}

/** A project's branches or tags by name, read from the index. */
export function refsOf(project: ProjectRecord, kind: RefKind, where: readonly Sql[] = []): List<RefRecord> {
  return {
    select: columns(RepositoryRef, 'r'),
    from: sql`repository_refs r`,
    where: [sql`r.project_id = ${project.id}`, sql`r.kind = ${kind}`, ...where],
    order: [{ key: 'name', expression: raw('r.name'), direction: 'asc', type: 'text', value: (ref) => ref.name }],
    read: (row) => ({ ...row, project, commit: null, single: false, annotation: null }),
  };
}

/** Reads the commits (and annotations) of a page of refs: two git processes at most, however many refs. */
export async function attachCommits(ctx: Context, refs: readonly RefRecord[]): Promise<void> {
  const first = refs[0];
  if (!first) return;
  const location = openRepository(ctx, first.project);
  const annotated = refs.filter((ref) => ref.object_sha !== ref.target_sha);
  const [commits, tags] = await Promise.all([
    readCommits(
      location,
      refs.map((ref) => ref.target_sha),
    ),
    annotated.length > 0
      ? readTags(
          location,
          annotated.map((ref) => ref.object_sha),
          { whole: first.single },
        )
      : null,
  ]);
  for (const ref of refs) {
    ref.commit = commits.get(ref.target_sha) ?? null;
    const tag = tags?.get(ref.object_sha);
    ref.annotation = tag ? { message: tag.message, at: new Date(tag.tagger?.date ?? ref.created_at) } : null;
  }
}

/** @throws NotFound "404 Branch Not Found" or "404 Tag Not Found" */
export async function findRefRecord(
  ctx: Context,
  project: ProjectRecord,
  kind: RefKind,
  name: string,
): Promise<RefRecord> {
  const ref = await findRef(ctx, project.id, fullRefName(kind, name));
  if (!ref) throw new NotFound(kind === 'branch' ? 'Branch' : 'Tag');
  return { ...ref, project, commit: null, single: true, annotation: null };
}
