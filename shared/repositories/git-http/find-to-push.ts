import type { Caller } from '../../core/context/callers.js';
import { isPrincipal } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { Forbidden, Unauthenticated } from '../../core/values/errors.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import { isArchived, projectPolicy, readOnly, writable } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { collaborationBranches } from '../repositories/collaboration.js';
import { findToFetch } from './find-to-fetch.js';
import { REJECTION_MESSAGES } from './push-rejections.js';

/** Scopes of which a token needs one to push. */
export const PUSH_SCOPES: readonly string[] = ['write_repository', 'api'];

/** Why the caller, or any user, may not push to a project that is visible to them. */
function explainRejection(project: ProjectRecord): string {
  if (isArchived(project)) return 'The project is archived: it can be read, and not be changed.';
  if (readOnly(project)) return 'The project is to be deleted: it can be read, and not be changed.';
  if (!writable(project)) return 'The project is being imported. Push once it is there.';
  return REJECTION_MESSAGES.role;
}

/** Developers, and users with a branch open for collaboration. @throws Forbidden */
async function requirePush(ctx: SignedInContext, project: ProjectRecord): Promise<void> {
  if (projectPolicy.push_code(ctx.caller, project)) return;
  const offered = writable(project) && (await collaborationBranches(ctx, project)).size > 0;
  if (!offered) throw Forbidden.saying(explainRejection(project));
}

/** Those who push are users: what they push is theirs. @throws Unauthenticated, Forbidden */
export function requireUser(ctx: Context<Caller>): asserts ctx is SignedInContext {
  if (ctx.caller.kind === 'anonymous') throw new Unauthenticated();
  if (isPrincipal(ctx.caller)) throw Forbidden.saying(`${ctx.caller.name} reads repositories, and pushes to none.`);
}

/** The error that points a push to its new URL. */
export const movedTo = (ctx: Context<Caller>, what: string, fullPath: string) =>
  Forbidden.saying(
    `This ${what} has moved. Push to its new URL: git remote set-url origin ${ctx.config.externalUrl}/${fullPath}.git`,
  );

/** A project, and a user who may push to it. */
interface PushTarget {
  ctx: SignedInContext;
  project: ProjectRecord;
}

/**
 * The project of a full path, for a user who may push to it. Rules of individual refs are not checked yet.
 * @throws Unauthenticated, InsufficientScope, NotFound (missing or hidden), Forbidden with the reason
 */
export async function findToPush(ctx: Context<Caller>, fullPath: string): Promise<PushTarget> {
  if (ctx.caller.kind === 'anonymous') throw new Unauthenticated();
  // A principal's own error message is more helpful than a list of scopes that it cannot have.
  const project = await findToFetch(ctx, fullPath, isPrincipal(ctx.caller) ? undefined : PUSH_SCOPES);
  requireUser(ctx);
  if (project.full_path.toLowerCase() !== fullPath.toLowerCase()) throw movedTo(ctx, 'project', project.full_path);
  await requirePush(ctx, project);
  return { ctx, project };
}

/** Reloads the project with the caller's current permissions. @throws NotFound, Forbidden with the reason */
export async function findToPushAgain(ctx: SignedInContext, { id }: ProjectRecord): Promise<ProjectRecord> {
  const project = await findProject(ctx, id);
  await requirePush(ctx, project);
  return project;
}
