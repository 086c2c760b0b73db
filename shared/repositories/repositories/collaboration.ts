import type { UserOrAnonymous } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { Resource } from '../../core/operations/operation.js';
import { policy } from '../../core/operations/policy.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy, writable } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';

/** The branches of a project to which the caller may push without a role there. */
type CollaborationSource = (ctx: Context, project: ProjectRecord) => Promise<ReadonlySet<string>>;

let source: CollaborationSource = () => Promise.resolve(new Set());

/** Has what lies above say to which branches people may push who have no role in the project. */
export function setCollaborationSource(newSource: CollaborationSource): void {
  source = newSource;
}

/** Short names of the branches of a project to which the caller may push, whatever their role there. */
export const collaborationBranches: CollaborationSource = (ctx, project) => source(ctx, project);

/** A project that the caller wants to commit to. */
export interface CommitTarget extends ProjectRecord {
  /** Whether some branch is offered to the caller, who has no right to push to the project. */
  readonly offered: boolean;
}

/**
 * Developers, and users with a branch open for collaboration; the specific branch is checked with {@link
 * collaborationBranches}.
 */
export const commitPolicy = policy({
  push_code: (caller: UserOrAnonymous, target: CommitTarget) =>
    projectPolicy.push_code(caller, target) || (target.offered && writable(target)),
});

async function isOffered(ctx: Context, found: ProjectRecord): Promise<boolean> {
  if (ctx.caller.anonymous || projectPolicy.push_code(ctx.caller, found) || !writable(found)) return false;
  return (await collaborationBranches(ctx, found)).size > 0;
}

/** The project of the path, for committing to one of its branches. */
export const commitTarget: Resource<CommitTarget> = {
  ...project,
  async find(ctx, input) {
    const found = await project.find(ctx, input);
    return { ...found, offered: await isOffered(ctx, found) };
  },
};
