import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { findProjectLabel, labelOperations } from '../../../shared/planning/labels/label.operations.js';
import type { Label } from '../../../shared/planning/labels/label.entity.js';
import { labelHtml, labelSummary } from '../../../shared/planning/labels/label-summary.serializer.js';
import { containerOfGroup, containerOfProject } from '../../../shared/tenancy/containers/container.js';
import { connectionOf, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { RecordField, recordType, SerializedField } from '../../core/graphql/records.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';

const ID_DESCRIPTION = 'Global ID of the label: of a `ProjectLabel` or a `GroupLabel`.';
const getKind = ({ project_id: project }: Label) => (project === null ? 'GroupLabel' : 'ProjectLabel');

/** A label; its global id contains its type. */
@ObjectType('Label', { description: 'Label for issues and merge requests.' })
export class LabelType extends recordType<Label>('label', getKind, { id: { description: ID_DESCRIPTION } }) {
  @RecordField(() => String, { description: 'Title of the label.' })
  declare readonly title: string;

  @RecordField(() => String, { nullable: true, description: 'Description of the label, in Markdown.' })
  declare readonly description: string | null;

  @Field(() => String, { nullable: true, description: 'Description of the label, as HTML.' })
  async descriptionHtml(): Promise<string | null> {
    if (!this.record.description) return null;
    return (await loadField(this.request, labelHtml, this.record))?.description ?? null;
  }

  @RecordField(() => String, { description: 'Colour of the label, `#rrggbb`.' })
  declare readonly color: string;

  @SerializedField(labelSummary, () => String, {
    description: 'Colour of text that is readable on the colour of the label.',
  })
  declare readonly textColor: unknown;

  @RecordField(() => Boolean, {
    description: 'Indicates the label is archived: existing uses remain, but the label is not offered for new ones.',
  })
  declare readonly archived: boolean;
}

export const LabelConnection = connectionType(LabelType, 'Label', { count: true });

@ArgsType()
class ProjectLabelsArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Search term: part of the title or description.' })
  searchTerm?: string | null;

  @Field(() => String, { nullable: true, description: 'Exact title of the label.' })
  title?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'If `true`, also includes labels of the ancestor groups.' })
  includeAncestorGroups?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'If `true`, returns only archived labels. If `false`, returns only labels that are not archived.',
  })
  archived?: boolean | null;
}

@ArgsType()
class GroupLabelsArgs extends ProjectLabelsArgs {
  @Field(() => Boolean, { nullable: true, description: 'If `true`, also includes labels of the descendant groups.' })
  includeDescendantGroups?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'If `true`, excludes labels of the projects of the group.' })
  onlyGroupLabels?: boolean | null;
}

/** The arguments as parameters: in GraphQL, labels of other containers are omitted unless requested. */
const getParams = ({ searchTerm, title, includeAncestorGroups, archived }: ProjectLabelsArgs) => ({
  search: searchTerm,
  title,
  include_ancestor_groups: includeAncestorGroups ?? false,
  archived,
});

/** The labels of a project. */
@Resolver(() => ProjectType)
export class LabelsOfProjectResolver {
  @FieldResolver(() => LabelConnection, {
    nullable: true,
    complexity: paged,
    description: 'Labels of the project, sorted by title; null for users who may not see them.',
  })
  async labels(
    @Root() { record }: ProjectType,
    @Args(() => ProjectLabelsArgs) args: ProjectLabelsArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { list } = labelOperations.project;
    const labels = await invoke(request.ctx, list, getParams(args), () => Promise.resolve(containerOfProject(record)));
    return connectionOf(request, labels, args, (label) => new LabelType(label, request));
  }

  @FieldResolver(() => LabelType, {
    nullable: true,
    complexity: lookup,
    description: 'Label with exactly this title, of the project or of an ancestor group.',
  })
  async label(
    @Root() { record }: ProjectType,
    @Arg('title', () => String, { description: 'Title of the label.' }) title: string,
    @Ctx() request: GraphqlRequest,
  ): Promise<LabelType | null> {
    const found = await invoke(request.ctx, findProjectLabel, { title }, () =>
      Promise.resolve(containerOfProject(record)),
    );
    return found && new LabelType(found, request);
  }
}

/** The labels of a group. */
@Resolver(() => GroupType)
export class LabelsOfGroupResolver {
  @FieldResolver(() => LabelConnection, {
    nullable: true,
    complexity: paged,
    description: 'Labels of the group, sorted by title.',
  })
  async labels(
    @Root() { record }: GroupType,
    @Args(() => GroupLabelsArgs) args: GroupLabelsArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const params = {
      ...getParams(args),
      include_descendant_groups: args.includeDescendantGroups ?? false,
      only_group_labels: args.onlyGroupLabels ?? true,
    };
    const { list } = labelOperations.group;
    const labels = await invoke(request.ctx, list, params, () => Promise.resolve(containerOfGroup(record)));
    return connectionOf(request, labels, args, (label) => new LabelType(label, request));
  }
}
