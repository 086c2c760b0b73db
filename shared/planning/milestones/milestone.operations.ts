import type { ContainerType } from '../../core/operations/container.js';
import { can, operation } from '../../core/operations/operation.js';
import { forContainers } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { milestoneCreation, milestoneEditing, milestoneParam } from './edit-milestones.js';
import { milestoneFilterParams, milestoneFilters } from './milestone.filters.js';
import { findMilestoneOf, findMilestones } from './milestone.finder.js';
import { milestonePolicy } from './milestone.policy.js';

/** Listing and reading require read access to the project's issues or merge requests, or to the group. */
function readingOperations({ kind, noun, resource }: ContainerType<Container>) {
  const readable = {
    resource,
    can: can(milestonePolicy, 'read_milestone'),
    authentication: 'open',
    kind: 'read',
  } as const;
  return {
    list: operation({
      name: `list${noun}Milestones`,
      ...readable,
      summary: `List the milestones of a ${kind}`,
      statements: 4,
      params: milestoneFilterParams(kind),
      run(ctx, container, input) {
        const ancestors = input.include_ancestors || input.include_parent_milestones;
        const descendants = input.include_descendants ?? false;
        const where = milestoneFilters(input, ancestors || descendants);
        return Promise.resolve(findMilestones(ctx, container, { ancestors, descendants }, where));
      },
    }),

    get: operation({
      name: `get${noun}Milestone`,
      ...readable,
      summary: `Read a milestone of a ${kind}`,
      statements: 3,
      params: milestoneParam,
      run: (ctx, container, input) => findMilestoneOf(ctx, container, input.milestone_id),
    }),
  };
}

/** The operations on the milestones of a project or group (core-resources.md section 8). */
export const milestoneOperations = forContainers((type) => ({
  ...readingOperations(type),
  create: milestoneCreation(type),
  ...milestoneEditing(type),
}));
