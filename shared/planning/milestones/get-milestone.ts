import { containerOfRow } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { instance, operation } from '../../core/operations/operation.js';
import { containerOfGroup, containerOfProject } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { findGroup } from '../../tenancy/groups/group.finder.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import { milestoneParam } from './edit-milestones.js';
import { milestonesById } from './milestone.finder.js';
import { milestonePolicy } from './milestone.policy.js';
import type { MilestoneRecord } from './milestone.entity.js';

/** The project or group that a milestone belongs to. @throws NotFound if the caller cannot read it */
async function getContainer(ctx: Context, milestone: MilestoneRecord): Promise<Container> {
  const ref = containerOfRow(milestone);
  if (ref?.kind === 'project') return containerOfProject(await findProject(ctx, ref.id));
  return containerOfGroup(await findGroup(ctx, ref?.id ?? 0));
}

/** Read a milestone of any project or group that the caller may read. */
export const getMilestone = operation({
  name: 'getMilestone',
  summary: 'Read a milestone by its ID',
  resource: instance,
  authentication: 'open',
  kind: 'read',
  statements: 3,
  params: milestoneParam,
  async run(ctx, _instance, { milestone_id: id }): Promise<MilestoneRecord> {
    const milestone = (await milestonesById(ctx, [id])).get(id);
    if (!milestone) throw new NotFound();
    if (!milestonePolicy.read_milestone(ctx.caller, await getContainer(ctx, milestone))) throw new NotFound();
    return milestone;
  },
});
