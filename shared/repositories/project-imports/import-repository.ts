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
import { indexRefs, repositoryOf, secondsOf } from '../repositories/write-refs.js';
import { actAsImporter } from './importer.js';
import { leftOutText } from './left-out.js';

/** Where repositories that are not whole yet lie: beside the one that they become. */
const draftPrefix = (location: string) => `${location}.draft-`;

/** Removes what an earlier try left behind when its process died. */
export async function sweepDrafts(ctx: Context, projectId: number): Promise<void> {
  const location = repositoryOf(ctx, { id: projectId });
  const folder = path.dirname(location);
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => name.startsWith(path.basename(draftPrefix(location))));
  await Promise.all(left.map((name) => removeRepository(path.join(folder, name))));
}

/** The first of the wished ones that came along, else the first by name. */
function defaultOf(refs: readonly Ref[], wished: readonly (string | null)[]): string | null {
  const branches = refs.flatMap(({ name }) => (name.startsWith('refs/heads/') ? [name.slice(11)] : []));
  return wished.find((name) => name !== null && branches.includes(name)) ?? branches[0] ?? null;
}

/** Branches, tags and other refs of a draft, once those are gone from it whose names may not come in. @throws TooManyRefs */
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
 * Asked in the transaction in which a draft is to become the project's repository, before its row is locked: whether
 * it still is to. The import goes on then.
 */
export type ClaimImport = () => Promise<boolean>;

/** What becomes the project's repository. */
interface Draft {
  path: string;
  refs: readonly Ref[];
  branch: string | null;
  /** What was left out, in words; null for nothing. */
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
  // Rights are those of the moment when it is written.
  await actAsImporter(ctx, projectId);
  const location = repositoryOf(ctx, project);
  // Of a try that got as far as this and was not committed.
  await removeRepository(location);
  await rename(draft, location);
  if (branch !== null) await setDefaultBranch(location, branch);
  const changes = refs.flatMap(({ name, sha, target: commit, created_at }) => {
    const target = commit ?? (kindOfRef(name) === 'other' ? sha : null);
    const date = secondsOf(created_at);
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

/** What whoever fills a draft knows of it. */
export interface Filled {
  /** Branches wished for as the default one, the first that came along winning. */
  wished: readonly (string | null)[];
  /** Full names of branches and tags that were not even brought, for their names. */
  unfit?: readonly string[];
}

/**
 * Makes a project's repository out of another one. Of two at once the later one goes on. `fill` writes it at the path
 * that it is given, beside the place of the repository. It becomes the repository at once, so that a project deleted
 * meanwhile leaves nothing behind. Branches and tags whose names may not come in are left out, which `import_error`
 * tells. Safe to repeat, and to go on with after a crash.
 * @param claim where the import does not end by it
 * @throws TooManyRefs, ImportRejectedError
 */
export async function importRepository(
  ctx: Context,
  projectId: number,
  fill: (draft: string) => Promise<Filled>,
  claim?: ClaimImport,
): Promise<void> {
  await sweepDrafts(ctx, projectId);
  const draft = draftPrefix(repositoryOf(ctx, { id: projectId })) + randomUUID();
  try {
    const filled = await fill(draft).catch((cause: unknown) => {
      // Whatever went wrong then says nothing about where the repository comes from.
      throw existsSync(draft) ? cause : new Error('Another try began anew and removed the draft.', { cause });
    });
    const { refs, unfit } = await sortOut(draft);
    const leftOut = leftOutText({ unfit: [...new Set([...(filled.unfit ?? []), ...unfit])] });
    if (leftOut !== null) ctx.log.info({ project_id: projectId, reason: leftOut }, 'project_import.left_out');
    const branch = defaultOf(refs, filled.wished);
    await ctx.transaction(() => adopt(ctx, projectId, { path: draft, refs, branch, leftOut }, claim));
  } finally {
    await removeRepository(draft);
  }
}
