import type { Context } from '../../core/context.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';

/** The branches of a project to which the caller may push without a role there. */
type CollaborationSource = (ctx: Context, project: ProjectRecord) => Promise<ReadonlySet<string>>;

let source: CollaborationSource = () => Promise.resolve(new Set());

/** Has what lies above say to which branches people may push who have no role in the project. */
export function setCollaborationSource(given: CollaborationSource): void {
  source = given;
}

/** Short names of the branches of a project to which the caller may push, whatever their role there. */
export const collaborationBranches: CollaborationSource = (ctx, project) => source(ctx, project);
