// oxlint-disable-next-line import/no-unassigned-import -- decorators keep what they know in it: before all others
import 'reflect-metadata';
import { QueryComplexityResolver } from './core/graphql/complexity.graphql.js';
import { buildGraphqlSchema, GraphqlEngine } from './core/graphql/engine.js';
import type { ResolverClasses } from './core/graphql/engine.js';
import { CustomAttributeMutations } from './custom-attributes/custom-attribute-mutations.graphql.js';
import { MembersOfGroupResolver } from './groups/group-members.graphql.js';
import { GroupOfProjectResolver, GroupResolver, GroupsOfGroupResolver } from './groups/groups.graphql.js';
import { MetadataResolver } from './metadata/metadata.graphql.js';
import { NamespaceOfProjectResolver, NamespaceResolver } from './namespaces/namespaces.graphql.js';
import { PipelineSchedulesOfProjectResolver } from './pipeline-schedules/pipeline-schedules.graphql.js';
import { PipelineScheduleMutations } from './pipeline-schedules/schedule-mutations.graphql.js';
import { PipelinesOfProjectResolver } from './pipelines/pipelines.graphql.js';
import { ProjectContentsResolver } from './projects/project-contents.graphql.js';
import { ProjectFeaturesResolver } from './projects/project-features.graphql.js';
import { ProjectsResolver } from './projects/project-list.graphql.js';
import { ProjectMoreFeaturesResolver } from './projects/project-more-features.graphql.js';
import { ProjectResolver } from './projects/projects.graphql.js';
import { BranchRulesOfProjectResolver } from './protected-branches/branch-rules.graphql.js';
import { PlacesOfUserResolver } from './users/user-places.graphql.js';
import { UserQueries } from './users/user-queries.graphql.js';
import { CurrentUserResolver } from './users/users.graphql.js';

/** The one list of resolvers that GraphQL serves. */
const allResolvers: ResolverClasses = [
  QueryComplexityResolver,
  BranchRulesOfProjectResolver,
  CurrentUserResolver,
  CustomAttributeMutations,
  UserQueries,
  PlacesOfUserResolver,
  GroupOfProjectResolver,
  GroupResolver,
  GroupsOfGroupResolver,
  MembersOfGroupResolver,
  MetadataResolver,
  NamespaceOfProjectResolver,
  NamespaceResolver,
  PipelineScheduleMutations,
  PipelineSchedulesOfProjectResolver,
  PipelinesOfProjectResolver,
  ProjectContentsResolver,
  ProjectFeaturesResolver,
  ProjectMoreFeaturesResolver,
  ProjectResolver,
  ProjectsResolver,
];

/** The engine over all areas. Loaded when first needed: decorators and schema take a while. */
export const graphqlEngine = new GraphqlEngine(buildGraphqlSchema(allResolvers));
