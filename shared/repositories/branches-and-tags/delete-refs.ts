import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { Forbidden, Invalid } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import { mergedBranches, readCommits } from '../../git/index.js';
import { can, operation } from '../../core/operations/operation.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import { anyOf } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { RefRecord } from '../repositories/ref-records.js';
import { withGitAnswers } from '../repositories/git-problems.js';
import { findRefRecord, fullRefName } from '../repositories/ref-records.js';
import { isProtectedBranch, mayDeleteTag, rightsOnRefs } from '../repositories/ref-rules.js';
import { findRef } from '../repositories/repository-ref.finder.js';
import type { RepositoryRef } from '../repositories/repository-ref.entity.js';
import { openRepository, writeRefs } from '../repositories/write-refs.js';

/** Compares `If-Unmodified-Since` with the date of a ref's commit: a branch is as old as its head. */
async function requireRefUnmodified(ctx: Context, ref: RefRecord, date: 'committed_date' | 'authored_date') {
  if (!ctx.origin.unmodifiedSince) return;
  const location = openRepository(ctx, ref.project);
  const commit = (await readCommits(location, [ref.target_sha])).get(ref.target_sha);
  if (commit) requireUnmodified(ctx, { updated_at: new Date(commit[date]) });
}

type RemovedRef = Pick<RepositoryRef, 'full_name' | 'object_sha'>;

async function removeRefs(ctx: Context, found: ProjectRecord, refs: readonly RemovedRef[]) {
  const changes = refs.map(({ full_name: fullName, object_sha: from }) => ({ fullName, from, to: null }));
  await withGitAnswers(() => writeRefs(ctx, found, changes));
}

/** Delete a branch. Not the default one; a protected one loses its protection first. */
export const deleteBranch = operation({
  name: 'deleteBranch',
  summary: 'Delete a branch',
  resource: project,
  can: can(projectPolicy, 'push_code'),
  kind: 'write',
  params: {
    branch: text()
      .describe('Name of the branch.')
      .meta({ examples: ['main'] }),
  },
  async run(ctx, found, { branch }) {
    const ref = await findRefRecord(ctx, found, 'branch', branch);
    await requireRefUnmodified(ctx, ref, 'committed_date');
    if (branch === found.default_branch) throw new Invalid('Cannot remove HEAD branch', 405);
    if (await isProtectedBranch(ctx, found, branch)) throw new Forbidden();
    await removeRefs(ctx, found, [ref]);
  },
});

/** Delete a tag; a protected one only Maintainers may delete. */
export const deleteTag = operation({
  name: 'deleteTag',
  summary: 'Delete a tag',
  resource: project,
  can: can(projectPolicy, 'push_code'),
  kind: 'write',
  params: {
    tag_name: text()
      .describe('Name of the tag.')
      .meta({ examples: ['v1.0.0'] }),
  },
  async run(ctx, found, { tag_name: name }) {
    const ref = await findRefRecord(ctx, found, 'tag', name);
    if (!(await mayDeleteTag(ctx, found, name))) throw new Forbidden();
    await requireRefUnmodified(ctx, ref, 'authored_date');
    await removeRefs(ctx, found, [ref]);
  },
});

/** Branches that the default branch has already, but for itself and protected ones. */
async function doneBranches(ctx: Context, found: ProjectRecord): Promise<RemovedRef[]> {
  const head = found.default_branch && (await findRef(ctx, found.id, fullRefName('branch', found.default_branch)));
  if (!head) return [];
  const merged = await mergedBranches(openRepository(ctx, found), head.target_sha);
  const names = merged.filter((name) => name !== head.full_name);
  if (names.length === 0) return [];
  const rights = await rightsOnRefs(ctx, found, names);
  const open = names.filter((_, index) => rights[index]?.protected === false);
  return ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('repository_refs as r')
    .select(['r.full_name', 'r.object_sha'])
    .where('r.project_id', '=', found.id)
    .where('r.full_name', '=', anyOf(open, 'text'))
    .execute();
}

/** Delete every branch that is merged into the default one, but for protected ones. */
export const deleteMergedBranches = operation({
  name: 'deleteMergedBranches',
  summary: 'Delete merged branches',
  resource: project,
  can: can(projectPolicy, 'push_code'),
  kind: 'write',
  async run(ctx, found) {
    const refs = await doneBranches(ctx, found);
    if (refs.length > 0) await removeRefs(ctx, found, refs);
    return { accepted: refs.length };
  },
});
