import type { ResolverClass } from '../core/graphql/requests/engine.js';
import { LabelsOfGroupResolver, LabelsOfProjectResolver } from './labels/labels.graphql.js';
import {
  MilestoneResolver,
  MilestonesOfGroupResolver,
  MilestonesOfProjectResolver,
} from './milestones/milestones.graphql.js';

/** What GraphQL serves of this domain. */
export const planningResolvers: readonly ResolverClass[] = [
  LabelsOfProjectResolver,
  LabelsOfGroupResolver,
  MilestoneResolver,
  MilestonesOfProjectResolver,
  MilestonesOfGroupResolver,
];
