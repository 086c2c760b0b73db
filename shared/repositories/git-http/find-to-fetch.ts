import path from 'node:path';
import { scopesOf } from '../../core/callers.js';
import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { Forbidden, InsufficientScope, NotFound, Unauthenticated } from '../../core/errors.js';
import { createRepository } from '../../git/index.js';
import type { Repository } from '../../git/index.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { openRepository } from '../repositories/write-refs.js';

/** Scopes of which a token needs one to fetch; `read_api` is for the REST and GraphQL interfaces alone. */
const FETCH_SCOPES: readonly string[] = ['read_repository', 'write_repository', 'api'];

/** Longer than any full path: 20 groups, each of 255 characters. */
const PATH_CHARACTERS = 6000;
const FULL_PATH = /^[\w.-]+(?:\/[\w.-]+)+$/;

/** @throws InsufficientScope; who has no token has no scopes to check */
function requireScope({ caller }: Context<Caller>, accepted: readonly string[]): void {
  const held = scopesOf(caller);
  if (held && !accepted.some((scope) => held.includes(scope))) throw new InsufficientScope(accepted);
}

/**
 * The project of a full path, for somebody who may read its code. An old path finds it too: compare `full_path`. Who
 * sends no credential is asked for one wherever one could help, so that it tells nothing of what there is.
 * @param scopes of which a token needs one
 * @throws Unauthenticated, InsufficientScope, NotFound (absent or invisible), Forbidden (visible without its code)
 */
export async function findToFetch(
  ctx: Context<Caller>,
  fullPath: string,
  scopes: readonly string[] = FETCH_SCOPES,
): Promise<ProjectRecord> {
  requireScope(ctx, scopes);
  try {
    if (fullPath.length > PATH_CHARACTERS || !FULL_PATH.test(fullPath)) throw new NotFound('Project');
    const project = await findProject(ctx, fullPath);
    if (!projectPolicy.read_code(ctx.caller, project))
      throw Forbidden.saying("You may not read this project's repository.");
    return project;
  } catch (error) {
    const helps = ctx.caller.kind === 'anonymous' && (error instanceof NotFound || error instanceof Forbidden);
    throw helps ? new Unauthenticated() : error;
  }
}

/** Where a project without a repository is fetched from: one that nobody writes to. */
const EMPTY = path.join('repositories', '@empty.git');

/** The repository that a fetch reads. Before its first write a project has none, and is fetched as an empty one. */
export async function repositoryToFetch(ctx: Context<Caller>, project: ProjectRecord): Promise<Repository> {
  const repository = openRepository(ctx, project);
  if (project.repository_created) return repository;
  const empty = path.join(ctx.config.dataDir, EMPTY);
  await createRepository(empty, 'main');
  return typeof repository === 'string' ? empty : { ...repository, path: empty };
}
