import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../../core/context/context.js';
import {
  indexableRefs,
  mayCreateRef,
  MOST_REFS,
  removeRepository,
  setDefaultBranch,
  TooManyRefs,
  updateRefs,
} from '../../git/index.js';
import type { Ref } from '../../git/index.js';
import { constant } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { protectDefaultBranch } from '../protected-refs/protect-branch.js';
import { kindOfRef } from '../repositories/repository-ref.finder.js';
import { indexRefs, getRepositoryPath, toSeconds } from '../repositories/write-refs.js';
import { actAsImporter } from './importer.js';
import { leftOutText } from './left-out.js';

/** Incomplete repositories are stored next to their final location. */
const draftPrefix = (location: string) => `${location}.draft-`;

/** Removes files of an earlier attempt whose process died. */
export async function sweepDrafts(ctx: Context, projectId: number): Promise<void> {
  const location = getRepositoryPath(ctx, { id: projectId });
  const folder = path.dirname(location);
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => name.startsWith(path.basename(draftPrefix(location))));
  await Promise.all(left.map((name) => removeRepository(path.join(folder, name))));
}

/** The first of the preferred branches that exists, otherwise the first by name. */
function chooseDefaultBranch(refs: readonly Ref[], wished: readonly (string | null)[]): string | null {
  const branches = refs.flatMap(({ name }) => (name.startsWith('refs/heads/') ? [name.slice(11)] : []));
  return wished.find((name) => name !== null && branches.includes(name)) ?? branches[0] ?? null;
}

/**
 * Branches, tags and other refs of a draft, after deleting refs with names that must not be imported. @throws
 * TooManyRefs
 */
async function sortOut(draft: string): Promise<{ refs: Ref[]; unfit: string[] }> {
  const all = await indexableRefs(draft, MOST_REFS + 1);
  if (all.length > MOST_REFS) throw new TooManyRefs(MOST_REFS);
  const unfit = all.flatMap(({ name }) => (mayCreateRef(name) ? [] : [name]));
  await updateRefs(
    draft,
    unfit.map((ref) => ({ ref, new: null })),
  );
  return { refs: all.filter(({ name }) => mayCreateRef(name)), unfit };
}

/**
 * Called in the transaction that turns a draft into the project's repository, before its row is locked. Returns whether
 * to go ahead; the import is then not finished by this step.
 */
export type ClaimImport = () => Promise<boolean>;

/** What becomes the project's repository. */
interface Draft {
  path: string;
  refs: readonly Ref[];
  branch: string | null;
  /** A message about what was left out; null if nothing was. */
  leftOut: string | null;
}

/** The part within a transaction: the draft becomes the project's repository, or is nothing where that is gone. */
async function adopt(
  ctx: Context,
  projectId: number,
  { path: draft, refs, branch, leftOut }: Draft,
  claim: ClaimImport | undefined,
): Promise<void> {
  if (claim && !(await claim())) return;
  const project = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('projects as p')
    .select('p.id')
    .where('p.id', '=', projectId)
    .where('p.import_status', '=', constant('started'))
    .forUpdate()
    .executeTakeFirst();
  if (!project) return;
  // Uses the permissions at the time of the write.
  await actAsImporter(ctx, projectId);
  const location = getRepositoryPath(ctx, project);
  // Of a try that got as far as this and was not committed.
  await removeRepository(location);
  await rename(draft, location);
  if (branch !== null) await setDefaultBranch(location, branch);
  const changes = refs.flatMap(({ name, sha, target: commit, created_at }) => {
    const target = commit ?? (kindOfRef(name) === 'other' ? sha : null);
    const date = toSeconds(created_at);
    return target === null ? [] : [{ fullName: name, from: null, to: { object_sha: sha, target_sha: target, date } }];
  });
  const now = ctx.clock.now();
  await indexRefs(ctx, { id: projectId, repository_created: true, default_branch: branch }, changes, now);
  const finished = { ...(claim ? {} : { import_status: 'finished' }), import_error: leftOut };
  const filled = { repository_created: true, default_branch: branch, last_activity_at: now, ...finished };
  await ctx.em.nativeUpdate(Project, { id: projectId }, filled);
  if (branch !== null) await protectDefaultBranch(ctx, project, branch);
  ctx.record({ type: 'repository.imported', project_id: projectId, changes });
}

/** Information from the function that fills a draft. */
export interface Filled {
  /** Preferred default branches; the first one that exists is used. */
  wished: readonly (string | null)[];
  /** Full names of branches and tags that were not fetched because of their names. */
  unfit?: readonly string[];
}

/**
 * Creates a project's repository from another one. Of two concurrent imports, the later one continues. `fill` writes to
 * the passed path, next to the final location. The result becomes the repository atomically, so that a project deleted
 * meanwhile leaves nothing behind. Branches and tags with names that must not be imported are left out and listed in
 * `import_error`. Idempotent, and resumable after a crash.
 * @param claim for imports that are not finished by this step
 * @throws TooManyRefs, ImportRejectedError
 */
export async function importRepository(
  ctx: Context,
  projectId: number,
  fill: (draft: string) => Promise<Filled>,
  claim?: ClaimImport,
): Promise<void> {
  await sweepDrafts(ctx, projectId);
  const draft = draftPrefix(getRepositoryPath(ctx, { id: projectId })) + randomUUID();
  try {
    const filled = await fill(draft).catch((cause: unknown) => {
      // If the draft no longer exists, the error is unrelated to the source of the repository.
      throw existsSync(draft) ? cause : new Error('Another try began anew and removed the draft.', { cause });
    });
    const { refs, unfit } = await sortOut(draft);
    const leftOut = leftOutText({ unfit: [...new Set([...(filled.unfit ?? []), ...unfit])] });
    if (leftOut !== null) ctx.log.info({ project_id: projectId, reason: leftOut }, 'project_import.left_out');
    const branch = chooseDefaultBranch(refs, filled.wished);
    await ctx.transaction(() => adopt(ctx, projectId, { path: draft, refs, branch, leftOut }, claim));
  } finally {
    await removeRepository(draft);
  }
}
