import type { SignedInContext } from '../../core/context/context.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { projectDetails, getProjectSettings } from '../../tenancy/project-details/project-details.js';
import { findProject, findVisibleProject } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { projectMergeRequestPolicy } from '../merge-requests/merge-request.policy.js';

const mayPropose = (ctx: SignedInContext, found: ProjectRecord) =>
  projectMergeRequestPolicy.create_merge_request(ctx.caller, found);

/** The default target of merge requests from a fork: its upstream, unless the fork itself is configured. */
async function getUpstream(ctx: SignedInContext, source: ProjectRecord): Promise<ProjectRecord | null> {
  if (typeof source.forked_from_id !== 'number') return null;
  await projectDetails.fill(ctx, [source]);
  if (getProjectSettings(source, ctx).mr_default_target_self) return null;
  const upstream = await findVisibleProject(ctx, source.forked_from_id);
  return upstream && mayPropose(ctx, upstream) ? upstream : null;
}

/**
 * The project that a merge request from another one is to be merged in (projects.md, `mr_default_target_self`).
 * @throws NotFound where the caller may not see it, Forbidden where they may propose nothing to it
 */
export async function loadTargetProject(
  ctx: SignedInContext,
  source: ProjectRecord,
  id: number | undefined,
): Promise<ProjectRecord> {
  const target = id === undefined || id === source.id ? null : await findProject(ctx, id);
  const found = target ?? (id === undefined ? await getUpstream(ctx, source) : null) ?? source;
  if (!projectMergeRequestPolicy.read_merge_request(ctx.caller, found)) throw new NotFound('Project');
  if (!mayPropose(ctx, found)) throw new Forbidden();
  return found;
}
