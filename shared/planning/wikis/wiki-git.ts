import type { Caller, UserOrAnonymous } from '../../core/context/callers.js';
import { isPrincipal } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import type { GitContent } from '../../repositories/git-http/git-content.js';
import { containerOfGroup, containerOfProject } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { findGroup } from '../../tenancy/groups/group.finder.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { wikiContent } from './wiki.finder.js';
import { wikiPolicy } from './wiki.policy.js';

/** The project or group of a full path. @throws NotFound */
async function findContainer(ctx: Context, fullPath: string): Promise<Container> {
  const project = fullPath.includes('/') ? await findVisibleProject(ctx, fullPath) : null;
  if (project) return containerOfProject(project);
  return containerOfGroup(await findGroup(ctx, fullPath));
}

function findWriteRejection(caller: UserOrAnonymous, container: Container): string | null {
  if (wikiPolicy.update_wiki_page(caller, container)) return null;
  return container.open
    ? 'You are not allowed to write to this wiki.'
    : `The ${container.kind} is read-only, and so is its wiki.`;
}

/** A wiki as its repository is served: to users, and of public ones to everybody. */
async function find(ctx: Context<Caller>, fullPath: string): Promise<GitContent> {
  const { caller } = ctx;
  if (isPrincipal(caller)) throw new NotFound('Wiki');
  const container = await findContainer(ctx.as(caller), fullPath);
  if (container.kind === 'group' && !ctx.hasPlan('premium')) throw new NotFound('Wiki');
  return {
    contentRef: wikiContent(container),
    fullPath: `${container.record.full_path}.wiki`,
    unreadable: wikiPolicy.read_wiki(caller, container) ? null : 'You may not read this wiki.',
    unwritable: findWriteRejection(caller, container),
    findRejection: () => Promise.resolve(null),
  };
}

/** The repository of a wiki by its path, `group/project.wiki`. */
export function wikiOfGitPath(fullPath: string): ((ctx: Context<Caller>) => Promise<GitContent>) | null {
  if (!fullPath.endsWith('.wiki')) return null;
  return (ctx) => find(ctx, fullPath.slice(0, -'.wiki'.length));
}
