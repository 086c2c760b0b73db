import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../../core/context/context.js';
import {
  listRefs,
  mayComeIn,
  MOST_REFS,
  removeRepository,
  setDefaultBranch,
  TooManyRefs,
  updateRefs,
} from '../../git/index.js';
import { contentColumns, contentPath } from './content-ref.js';
import type { ContentRef } from './content-ref.js';
import { ContentRepository } from './content-repository.entity.js';
import { lockContent } from './content-repository.finder.js';
import { lockContentName, moveContent } from './write-content.js';

/** A repository on the same disk that will become the one of a wiki or snippet. Its refs have been removed. */
export interface ContentDraft {
  readonly path: string;
  readonly branch: string;
  /** Full id of the commit that the branch pointed at. */
  readonly sha: string;
  /** How many other branches and tags it had, which are left out. */
  readonly leftOut: number;
}

/** Preferred branches of a wiki or snippet whose repository has several. */
const WISHED = ['refs/heads/main', 'refs/heads/master'];

/**
 * Makes a repository ready to be adopted: of its branches one is chosen, `main` or `master` before others, and all refs
 * are removed.
 * @returns null for a repository without a branch
 * @throws TooManyRefs
 */
export async function prepareContentDraft(draft: string): Promise<ContentDraft | null> {
  const refs = await listRefs(draft, { prefixes: ['refs/heads', 'refs/tags'], most: MOST_REFS + 1 });
  if (refs.length > MOST_REFS) throw new TooManyRefs(MOST_REFS);
  const branches = refs.filter(({ name }) => name.startsWith('refs/heads/') && mayComeIn(name));
  const chosen = branches.find(({ name }) => WISHED.includes(name)) ?? branches[0];
  if (!chosen) return null;
  const branch = chosen.name.slice('refs/heads/'.length);
  await setDefaultBranch(draft, branch);
  await updateRefs(
    draft,
    refs.map(({ name }) => ({ ref: name, new: null })),
  );
  return { path: draft, branch, sha: chosen.sha, leftOut: refs.length - 1 };
}

/**
 * Makes a draft the repository of a wiki or snippet, in the open transaction. Should that be rolled back, what lies on
 * disk then is removed by the sweep, or by the next try.
 * @returns the id of its row; null where the content has a repository already
 */
export async function adoptContent(ctx: Context, ref: ContentRef, draft: ContentDraft): Promise<number | null> {
  await lockContentName(ctx, ref);
  if (await lockContent(ctx, ref)) return null;
  const now = ctx.clock.now();
  await ctx.em.insert(ContentRepository, {
    ...contentColumns(ref),
    branch: draft.branch,
    head_sha: null,
    size_bytes: 0,
    writes_since_upkeep: 0,
    created_at: now,
    updated_at: now,
  });
  const location = contentPath(ctx, ref);
  // Of a try that got as far as this and was not committed.
  await removeRepository(location);
  await mkdir(path.dirname(location), { recursive: true });
  await rename(draft.path, location);
  const content = (await lockContent(ctx, ref))!;
  await moveContent(ctx, ref, content, draft.sha);
  return content.id;
}
