import type { Caller } from '../../core/context/callers.js';
import { isPrincipal } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { Forbidden, Unauthenticated } from '../../core/values/errors.js';
import type { PushReport } from '../../git/index.js';
import { findContent } from '../repositories/content-repository.finder.js';
import { advertisedBranch, advertisedRefs } from './advertised-refs.js';
import { findContentToFetch } from './find-to-fetch.js';
import { findToPush, movedTo, PUSH_SCOPES, requireUser } from './find-to-push.js';
import { getGitContent } from './git-content.js';
import { receiveContent } from './receive-content.js';
import { receivePush } from './receive-push.js';
import type { BarePush } from './receive-push.js';

/** The repository to push to, and the functions for it. */
export interface PushDestination {
  ctx: SignedInContext;
  fullPath: string;
  /** The ref advertisement. @param agent the service's agent name */
  refs: (agent: string) => AsyncIterable<Buffer> | Iterable<Buffer>;
  receive: (push: BarePush) => Promise<PushReport>;
}

/** The same for a repository that is no project's; null where the path names none. @throws as {@link findToPush} */
async function findContentToPush(ctx: Context<Caller>, fullPath: string): Promise<PushDestination | null> {
  if (!getGitContent(fullPath)) return null;
  if (ctx.caller.kind === 'anonymous') throw new Unauthenticated();
  const content = await findContentToFetch(ctx, fullPath, isPrincipal(ctx.caller) ? undefined : PUSH_SCOPES);
  if (!content) return null;
  requireUser(ctx);
  if (content.fullPath.toLowerCase() !== fullPath.toLowerCase()) throw movedTo(ctx, 'repository', content.fullPath);
  if (content.unwritable !== null) throw Forbidden.saying(content.unwritable);
  const row = await findContent(ctx, content.contentRef);
  return {
    ctx,
    fullPath: content.fullPath,
    refs: (agent) => advertisedBranch(row, agent),
    receive: (push) => receiveContent(ctx, content, push),
  };
}

/**
 * The project or other repository at a full path, for a user who may push to it.
 * @throws as {@link findToPush}
 */
export async function findPushDestination(ctx: Context<Caller>, fullPath: string): Promise<PushDestination> {
  const content = await findContentToPush(ctx, fullPath);
  if (content) return content;
  const { ctx: acting, project } = await findToPush(ctx, fullPath);
  return {
    ctx: acting,
    fullPath: project.full_path,
    refs: (agent) => advertisedRefs(acting, project, agent),
    receive: (push) => receivePush(acting, { ...push, project }),
  };
}
