import type { ResolverClass } from '../core/graphql/requests/engine.js';
import { CustomAttributeMutations } from './containers/custom-attribute-mutations.graphql.js';
import { MembersOfGroupResolver, MaxAccessLevelResolver } from './groups/group-members.graphql.js';
import { GroupOfProjectResolver, GroupResolver, GroupsOfGroupResolver } from './groups/groups.graphql.js';
import { NamespaceOfProjectResolver, NamespaceResolver } from './namespaces/namespaces.graphql.js';
import { ProjectContentsResolver } from './projects/project-contents.graphql.js';
import { ProjectFeaturesResolver } from './projects/project-features.graphql.js';
import { ProjectsResolver } from './projects/project-list.graphql.js';
import { ProjectResolver } from './projects/projects.graphql.js';
import { GroupsOfCurrentUserResolver } from './users/groups-of-user.graphql.js';
import { UserMembershipsResolver } from './users/user-memberships.graphql.js';
import { UserQueries } from './users/user-queries.graphql.js';
import { CurrentUserResolver } from './users/users.graphql.js';

/** What GraphQL serves of this domain. */
export const tenancyResolvers: readonly ResolverClass[] = [
  CurrentUserResolver,
  CustomAttributeMutations,
  UserQueries,
  UserMembershipsResolver,
  GroupOfProjectResolver,
  GroupResolver,
  GroupsOfGroupResolver,
  GroupsOfCurrentUserResolver,
  MaxAccessLevelResolver,
  MembersOfGroupResolver,
  NamespaceOfProjectResolver,
  NamespaceResolver,
  ProjectContentsResolver,
  ProjectFeaturesResolver,
  ProjectResolver,
  ProjectsResolver,
];
