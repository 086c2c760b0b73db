import { FieldResolver, Resolver, Root } from 'type-graphql';
import { AccessLevelType } from '../groups/group-members.graphql.js';
import { ProjectType } from '../projects/projects.graphql.js';

@Resolver(() => ProjectType)
export class MaxAccessLevelResolver {
  @FieldResolver(() => AccessLevelType, {
    description: 'Highest role of the caller in the project, by any way; no access for whoever is not a member.',
  })
  maxAccessLevel(@Root() { record }: ProjectType): AccessLevelType {
    return new AccessLevelType(record.access);
  }
}
