import path from 'node:path';
import { getScopes } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { Forbidden, InsufficientScope, NotFound, Unauthenticated } from '../../core/values/errors.js';
import { createRepository } from '../../git/index.js';
import type { Repository } from '../../git/index.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { openContent } from '../repositories/content-ref.js';
import { findContent } from '../repositories/content-repository.finder.js';
import { openRepository } from '../repositories/write-refs.js';
import { getGitContent } from './git-content.js';
import type { GitContent } from './git-content.js';

/** Scopes of which a token needs one to fetch; `read_api` is for the REST and GraphQL interfaces alone. */
const FETCH_SCOPES: readonly string[] = ['read_repository', 'write_repository', 'api'];

/** Longer than any full path: 20 groups, each of 255 characters. */
const PATH_CHARACTERS = 6000;
const FULL_PATH = /^[\w.-]+(?:\/[\w.-]+)+$/;

/** @throws InsufficientScope; who has no token has no scopes to check */
function requireScope({ caller }: Context<Caller>, accepted: readonly string[]): void {
  const held = getScopes(caller);
  if (held && !accepted.some((scope) => held.includes(scope))) throw new InsufficientScope(accepted);
}

/**
 * The project of a full path, for callers who may read its code. A former path works too: compare `full_path`. Callers
 * without a credential are asked for one whenever one could help, so that the response does not reveal what exists.
 * @param scopes of which a token needs one
 * @throws Unauthenticated, InsufficientScope, NotFound (missing or hidden), Forbidden (visible without its code)
 */
export function findToFetch(
  ctx: Context<Caller>,
  fullPath: string,
  scopes: readonly string[] = FETCH_SCOPES,
): Promise<ProjectRecord> {
  return helped(ctx, scopes, async () => {
    if (fullPath.length > PATH_CHARACTERS || !FULL_PATH.test(fullPath)) throw new NotFound('Project');
    const project = await findProject(ctx, fullPath);
    if (!projectPolicy.read_code(ctx.caller, project))
      throw Forbidden.saying("You may not read this project's repository.");
    return project;
  });
}

/** Asks callers without a credential for one whenever one could help. @throws Unauthenticated, and errors of `find` */
async function helped<T>(ctx: Context<Caller>, scopes: readonly string[], find: () => Promise<T>): Promise<T> {
  requireScope(ctx, scopes);
  try {
    return await find();
  } catch (error) {
    const helps = ctx.caller.kind === 'anonymous' && (error instanceof NotFound || error instanceof Forbidden);
    throw helps ? new Unauthenticated() : error;
  }
}

/**
 * The non-project repository at a path, for callers who may read it; null if there is none.
 * @throws as {@link findToFetch}
 */
export async function findContentToFetch(
  ctx: Context<Caller>,
  fullPath: string,
  scopes: readonly string[] = FETCH_SCOPES,
): Promise<GitContent | null> {
  const find = fullPath.length > PATH_CHARACTERS ? null : getGitContent(fullPath);
  if (!find) return null;
  return helped(ctx, scopes, async () => {
    const content = await find(ctx).catch((error: unknown) => {
      // A project may be called as the wiki of one that is not there.
      if (error instanceof NotFound) return null;
      throw error;
    });
    if (content && content.unreadable !== null) throw Forbidden.saying(content.unreadable);
    return content;
  });
}

/** Serves fetches from projects without a repository; never written to. */
const EMPTY = path.join('repositories', '@empty.git');

/** The same repository, or the empty one that all share which were never written to. */
async function orEmpty(ctx: Context<Caller>, repository: Repository, exists: boolean): Promise<Repository> {
  if (exists) return repository;
  const empty = path.join(ctx.config.dataDir, EMPTY);
  await createRepository(empty, 'main');
  return typeof repository === 'string' ? empty : { ...repository, path: empty };
}

/** The source of a fetch: its current path, and its repository. */
export interface FetchSource {
  fullPath: string;
  open: () => Promise<Repository>;
}

/**
 * The project or other repository at a full path, for callers who may read it.
 * @throws as {@link findToFetch}
 */
export async function findFetchSource(ctx: Context<Caller>, fullPath: string): Promise<FetchSource> {
  const content = await findContentToFetch(ctx, fullPath);
  if (content) {
    const { contentRef } = content;
    const open = async () => orEmpty(ctx, openContent(ctx, contentRef), (await findContent(ctx, contentRef)) !== null);
    return { fullPath: content.fullPath, open };
  }
  const project = await findToFetch(ctx, fullPath);
  return {
    fullPath: project.full_path,
    open: () => orEmpty(ctx, openRepository(ctx, project), project.repository_created),
  };
}
