import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { findProjectLabel, labelOperations } from '../../../shared/planning/labels/label.operations.js';
import type { Label } from '../../../shared/planning/labels/label.entity.js';
import { labelHtml, labelSummary } from '../../../shared/planning/labels/label-summary.serializer.js';
import { containerOfGroup, containerOfProject } from '../../../shared/tenancy/containers/container.js';
import { connectionOf, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { loadedOf } from '../../core/graphql/loaded-field.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import { globalId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Time } from '../../core/graphql/scalars.js';
import { presentField } from '../../core/graphql/present-field.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';

/** A label; which kind it is its global id says. */
@ObjectType('Label', { description: 'A word that issues and merge requests are marked with.' })
export class LabelType {
  constructor(
    readonly record: Label,
    readonly request: GraphqlRequest,
  ) {}

  #presentField(key: string): unknown {
    return presentField(labelSummary, key, this.record, this.request.ctx);
  }

  @Field(() => ID, { description: 'Global id: of a `ProjectLabel` or a `GroupLabel`.' })
  get id(): string {
    return globalId(this.record.project_id === null ? 'GroupLabel' : 'ProjectLabel', this.record.id);
  }

  @Field(() => String, { description: 'Its name.' })
  get title(): string {
    return this.record.title;
  }

  @Field(() => String, { nullable: true, description: 'What it means, as Markdown.' })
  get description(): string | null {
    return this.record.description ?? null;
  }

  @Field(() => String, { nullable: true, description: 'The description, as HTML.' })
  async descriptionHtml(): Promise<string | null> {
    if (!this.record.description) return null;
    return (await loadedOf(this.request, labelHtml, this.record))?.description ?? null;
  }

  @Field(() => String, { description: 'Its colour, `#rrggbb`.' })
  get color(): string {
    return this.record.color;
  }

  @Field(() => String, { description: 'Colour of text that is read well on it.' })
  get textColor(): unknown {
    return this.#presentField('text_color');
  }

  @Field(() => Boolean, { description: 'Whether it is kept for what has it, and offered for nothing new.' })
  get archived(): boolean {
    return this.record.archived;
  }

  @Field(() => Time, { description: 'When it was made.' })
  get createdAt(): Date {
    return this.record.created_at;
  }

  @Field(() => Time, { description: 'When it last changed.' })
  get updatedAt(): Date {
    return this.record.updated_at;
  }
}

export const LabelConnection = connectionType(LabelType, 'Label', { count: true });

@ArgsType()
class ProjectLabelsArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Part of title or description.' })
  searchTerm?: string | null;

  @Field(() => String, { nullable: true, description: 'Only the label of exactly this title.' })
  title?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Also labels of the groups above it.' })
  includeAncestorGroups?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Only archived labels, or only others.' })
  archived?: boolean | null;
}

@ArgsType()
class GroupLabelsArgs extends ProjectLabelsArgs {
  @Field(() => Boolean, { nullable: true, description: 'Also labels of the groups below it.' })
  includeDescendantGroups?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Without labels of its projects.' })
  onlyGroupLabels?: boolean | null;
}

/** The same as parameters: in GraphQL labels of other places are left out unless asked for. */
const paramsOf = ({ searchTerm, title, includeAncestorGroups, archived }: ProjectLabelsArgs) => ({
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
    description: 'Labels of the project, by title; null for those who may not see them.',
  })
  async labels(
    @Root() { record }: ProjectType,
    @Args(() => ProjectLabelsArgs) args: ProjectLabelsArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { list } = labelOperations.project;
    const labels = await invoke(request.ctx, list, paramsOf(args), () => Promise.resolve(containerOfProject(record)));
    return connectionOf(request, labels, args, (label) => new LabelType(label, request));
  }

  @FieldResolver(() => LabelType, {
    nullable: true,
    complexity: lookup,
    description: 'The label of exactly this title, of the project or of a group above it.',
  })
  async label(
    @Root() { record }: ProjectType,
    @Arg('title', () => String, { description: 'Its title.' }) title: string,
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
    description: 'Labels of the group, by title.',
  })
  async labels(
    @Root() { record }: GroupType,
    @Args(() => GroupLabelsArgs) args: GroupLabelsArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const params = {
      ...paramsOf(args),
      include_descendant_groups: args.includeDescendantGroups ?? false,
      only_group_labels: args.onlyGroupLabels ?? true,
    };
    const { list } = labelOperations.group;
    const labels = await invoke(request.ctx, list, params, () => Promise.resolve(containerOfGroup(record)));
    return connectionOf(request, labels, args, (label) => new LabelType(label, request));
  }
}
