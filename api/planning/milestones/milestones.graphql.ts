import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { instance } from '../../../shared/core/operations/operation.js';
import { milestoneOperations } from '../../../shared/planning/milestones/milestone.operations.js';
import type { MilestoneRecord } from '../../../shared/planning/milestones/milestone.entity.js';
import { milestoneSerializer } from '../../../shared/planning/milestones/milestone.serializer.js';
import { getMilestone } from '../../../shared/planning/milestones/get-milestone.js';
import { containerOfGroup, containerOfProject } from '../../../shared/tenancy/containers/container.js';
import { connectionOf, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import { globalIdScalar, readPlainId } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { CalendarDate, midnight, Time } from '../../core/graphql/scalars.js';
import { presentField } from '../../core/graphql/present-field.js';
import { RecordField, recordType, SerializedField } from '../../core/graphql/records.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';

export const MilestoneID = globalIdScalar('Milestone');

const MilestoneStateEnum = { active: 'active', closed: 'closed' } as const;
registerEnumType(MilestoneStateEnum, {
  name: 'MilestoneStateEnum',
  description: 'State of a milestone.',
  valuesConfig: {
    active: { description: 'Milestone is active.' },
    closed: { description: 'Milestone is closed.' },
  },
});

/** A milestone for callers with access to it. */
@ObjectType('Milestone', { description: 'Milestone: a span of time that work is planned for.' })
export class MilestoneType extends recordType<MilestoneRecord>('milestone', 'Milestone') {
  @RecordField(() => ID, { description: 'Internal ID of the milestone within the project or group.' })
  declare readonly iid: number;

  @RecordField(() => String, { description: 'Title of the milestone.' })
  declare readonly title: string;

  @RecordField(() => String, { nullable: true, description: 'Description of the milestone, in Markdown.' })
  declare readonly description: string | null;

  @RecordField(() => MilestoneStateEnum, { description: 'State of the milestone.' })
  declare readonly state: string;

  @SerializedField(milestoneSerializer, () => Boolean, {
    description: 'Indicates the due date of the milestone has passed.',
  })
  declare readonly expired: unknown;

  @Field(() => Boolean, { description: 'Indicates the start date of the milestone is in the future.' })
  get upcoming(): boolean {
    const start = midnight(this.record.start_date);
    return start !== null && start > this.request.ctx.clock.now();
  }

  @Field(() => Time, { nullable: true, description: 'Start date of the milestone.' })
  get startDate(): Date | null {
    return midnight(this.record.start_date);
  }

  @Field(() => Time, { nullable: true, description: 'Due date of the milestone.' })
  get dueDate(): Date | null {
    return midnight(this.record.due_date);
  }

  @Field(() => String, { description: 'Web path of the milestone.' })
  get webPath(): string {
    return new URL(presentField(milestoneSerializer, 'web_url', this.record, this.request.ctx) as string).pathname;
  }

  @Field(() => Boolean, { description: 'Indicates the milestone belongs to a project.' })
  get projectMilestone(): boolean {
    return this.record.project_id !== null;
  }

  @Field(() => Boolean, { description: 'Indicates the milestone belongs to a group.' })
  get groupMilestone(): boolean {
    return this.record.project_id === null;
  }
}

const MilestoneConnection = connectionType(MilestoneType, 'Milestone', { count: true });

@ArgsType()
class ProjectMilestonesArgs extends PageArgs {
  @Field(() => [ID], { nullable: true, description: 'Internal or global IDs of the milestones.' })
  ids?: string[] | null;

  @Field(() => MilestoneStateEnum, { nullable: true, description: 'Filter by state.' })
  state?: string | null;

  @Field(() => String, { nullable: true, description: 'Exact title of the milestones.' })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'Search term: part of the title.' })
  searchTitle?: string | null;

  @Field(() => CalendarDate, { nullable: true, description: 'Date that the time frame of the milestones contains.' })
  containingDate?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'If `true`, also includes milestones of the ancestor groups.' })
  includeAncestors?: boolean | null;
}

@ArgsType()
class GroupMilestonesArgs extends ProjectMilestonesArgs {
  @Field(() => Boolean, {
    nullable: true,
    description: 'If `true`, also includes milestones of the descendant groups and projects.',
  })
  includeDescendants?: boolean | null;
}

const getParams = (args: ProjectMilestonesArgs) => ({
  ids: args.ids?.map((id) => readPlainId(id, 'Milestone')),
  state: args.state,
  title: args.title ?? undefined,
  search_title: args.searchTitle,
  containing_date: args.containingDate,
  include_ancestors: args.includeAncestors,
});

/** The milestones of a project. */
@Resolver(() => ProjectType)
export class MilestonesOfProjectResolver {
  @FieldResolver(() => MilestoneConnection, {
    nullable: true,
    complexity: paged,
    description:
      'Milestones of the project, sorted by due date in ascending order; null for users who may not see them.',
  })
  async milestones(
    @Root() { record }: ProjectType,
    @Args(() => ProjectMilestonesArgs) args: ProjectMilestonesArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { list } = milestoneOperations.project;
    const found = await invoke(request.ctx, list, getParams(args), () => Promise.resolve(containerOfProject(record)));
    return connectionOf(request, found, args, (one) => new MilestoneType(one, request));
  }
}

/** The milestones of a group. */
@Resolver(() => GroupType)
export class MilestonesOfGroupResolver {
  @FieldResolver(() => MilestoneConnection, {
    nullable: true,
    complexity: paged,
    description: 'Milestones of the group, sorted by due date in ascending order.',
  })
  async milestones(
    @Root() { record }: GroupType,
    @Args(() => GroupMilestonesArgs) args: GroupMilestonesArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { list } = milestoneOperations.group;
    const params = { ...getParams(args), include_descendants: args.includeDescendants };
    const found = await invoke(request.ctx, list, params, () => Promise.resolve(containerOfGroup(record)));
    return connectionOf(request, found, args, (one) => new MilestoneType(one, request));
  }
}

@Resolver()
export class MilestoneResolver {
  @Query(() => MilestoneType, {
    nullable: true,
    complexity: lookup,
    description: 'Milestone with the specified global ID; null for users who may not see the milestone.',
  })
  async milestone(
    @Arg('id', () => MilestoneID, { description: 'Global ID of the milestone.' }) { id }: GlobalId,
    @Ctx() request: GraphqlRequest,
  ): Promise<MilestoneType> {
    const found = await invoke(request.ctx, getMilestone, { milestone_id: id }, () => instance.find(request.ctx, {}));
    return new MilestoneType(found, request);
  }
}
