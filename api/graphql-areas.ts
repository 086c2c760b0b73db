// oxlint-disable-next-line import/no-unassigned-import -- decorators keep what they know in it: before all others
import 'reflect-metadata';
import { QueryComplexityResolver } from './core/graphql/complexity.graphql.js';
import { buildGraphqlSchema, GraphqlEngine } from './core/graphql/engine.js';
import type { ResolverClasses } from './core/graphql/engine.js';
import { CustomAttributeMutations } from './tenancy/custom-attributes/custom-attribute-mutations.graphql.js';
import { MembersOfGroupResolver } from './tenancy/groups/group-members.graphql.js';
import { GroupOfProjectResolver, GroupResolver, GroupsOfGroupResolver } from './tenancy/groups/groups.graphql.js';
import { MetadataResolver } from './instance/metadata/metadata.graphql.js';
import { NamespaceOfProjectResolver, NamespaceResolver } from './tenancy/namespaces/namespaces.graphql.js';
import { PipelineSchedulesOfProjectResolver } from './ci/pipeline-schedules/pipeline-schedules.graphql.js';
import { PipelineScheduleMutations } from './ci/pipeline-schedules/schedule-mutations.graphql.js';
import { PipelinesOfProjectResolver } from './ci/pipelines/pipelines.graphql.js';
import { ProjectContentsResolver } from './tenancy/projects/project-contents.graphql.js';
import { ProjectFeaturesResolver } from './tenancy/projects/project-features.graphql.js';
import { ProjectsResolver } from './tenancy/projects/project-list.graphql.js';
import { ProjectMoreFeaturesResolver } from './tenancy/projects/project-more-features.graphql.js';
import { ProjectResolver } from './tenancy/projects/projects.graphql.js';
import { BranchRulesOfProjectResolver } from './repositories/protected-branches/branch-rules.graphql.js';
import { PlacesOfUserResolver } from './tenancy/users/user-places.graphql.js';
import { UserQueries } from './tenancy/users/user-queries.graphql.js';
import { CurrentUserResolver } from './tenancy/users/users.graphql.js';

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
