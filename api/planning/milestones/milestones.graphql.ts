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
import { globalId, globalIdScalar, readPlainId } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { CalendarDate, Time } from '../../core/graphql/scalars.js';
import { presentField } from '../../core/graphql/present-field.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';

export const MilestoneID = globalIdScalar('Milestone');

const MilestoneStateEnum = { active: 'active', closed: 'closed' } as const;
registerEnumType(MilestoneStateEnum, {
  name: 'MilestoneStateEnum',
  description: 'Whether a milestone is still worked for.',
  valuesConfig: {
    active: { description: 'It is.' },
    closed: { description: 'It is over.' },
  },
});

/** Midnight, UTC, of a day. */
const midnight = (day: string | null | undefined): Date | null => (day ? new Date(`${day}T00:00:00Z`) : null);

/** A milestone as a caller who may see it sees it. */
@ObjectType('Milestone', { description: 'A span of time that work is planned for.' })
export class MilestoneType {
  constructor(
    readonly record: MilestoneRecord,
    readonly request: GraphqlRequest,
  ) {}

  @Field(() => ID, { description: 'Global id.' })
  get id(): string {
    return globalId('Milestone', this.record.id);
  }

  @Field(() => ID, { description: 'Number within the project or group.' })
  get iid(): string {
    return String(this.record.iid);
  }

  @Field(() => String, { description: 'Its title.' })
  get title(): string {
    return this.record.title;
  }

  @Field(() => String, { nullable: true, description: 'What it is about, as Markdown.' })
  get description(): string | null {
    return this.record.description ?? null;
  }

  @Field(() => MilestoneStateEnum, { description: 'Whether it is still worked for.' })
  get state(): string {
    return this.record.state;
  }

  @Field(() => Boolean, { description: 'Whether its last day has passed.' })
  get expired(): unknown {
    return presentField(milestoneSerializer, 'expired', this.record, this.request.ctx);
  }

  @Field(() => Boolean, { description: 'Whether its first day has not come yet.' })
  get upcoming(): boolean {
    const start = midnight(this.record.start_date);
    return start !== null && start > this.request.ctx.clock.now();
  }

  @Field(() => Time, { nullable: true, description: 'Its first day.' })
  get startDate(): Date | null {
    return midnight(this.record.start_date);
  }

  @Field(() => Time, { nullable: true, description: 'Its last day.' })
  get dueDate(): Date | null {
    return midnight(this.record.due_date);
  }

  @Field(() => String, { description: 'Path of its page.' })
  get webPath(): string {
    return new URL(this.#webUrl()).pathname;
  }

  #webUrl(): string {
    return presentField(milestoneSerializer, 'web_url', this.record, this.request.ctx) as string;
  }

  @Field(() => Boolean, { description: 'Whether it belongs to a project.' })
  get projectMilestone(): boolean {
    return this.record.project_id !== null;
  }

  @Field(() => Boolean, { description: 'Whether it belongs to a group.' })
  get groupMilestone(): boolean {
    return this.record.project_id === null;
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

const MilestoneConnection = connectionType(MilestoneType, 'Milestone', { count: true });

@ArgsType()
class ProjectMilestonesArgs extends PageArgs {
  @Field(() => [ID], { nullable: true, description: 'Only these, by number or global id.' })
  ids?: string[] | null;

  @Field(() => MilestoneStateEnum, { nullable: true, description: 'Only those in this state.' })
  state?: string | null;

  @Field(() => String, { nullable: true, description: 'Only those of exactly this title.' })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'Part of the title.' })
  searchTitle?: string | null;

  @Field(() => CalendarDate, { nullable: true, description: 'Only those whose time this day lies in.' })
  containingDate?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Also milestones of the groups above it.' })
  includeAncestors?: boolean | null;
}

@ArgsType()
class GroupMilestonesArgs extends ProjectMilestonesArgs {
  @Field(() => Boolean, { nullable: true, description: 'Also milestones of the groups and projects below it.' })
  includeDescendants?: boolean | null;
}

const paramsOf = (args: ProjectMilestonesArgs) => ({
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
    description: 'Milestones, those that end first come first; null for those who may not see them.',
  })
  async milestones(
    @Root() { record }: ProjectType,
    @Args(() => ProjectMilestonesArgs) args: ProjectMilestonesArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { list } = milestoneOperations.project;
    const found = await invoke(request.ctx, list, paramsOf(args), () => Promise.resolve(containerOfProject(record)));
    return connectionOf(request, found, args, (one) => new MilestoneType(one, request));
  }
}

/** The milestones of a group. */
@Resolver(() => GroupType)
export class MilestonesOfGroupResolver {
  @FieldResolver(() => MilestoneConnection, {
    nullable: true,
    complexity: paged,
    description: 'Milestones, those that end first come first.',
  })
  async milestones(
    @Root() { record }: GroupType,
    @Args(() => GroupMilestonesArgs) args: GroupMilestonesArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { list } = milestoneOperations.group;
    const params = { ...paramsOf(args), include_descendants: args.includeDescendants };
    const found = await invoke(request.ctx, list, params, () => Promise.resolve(containerOfGroup(record)));
    return connectionOf(request, found, args, (one) => new MilestoneType(one, request));
  }
}

@Resolver()
export class MilestoneResolver {
  @Query(() => MilestoneType, {
    nullable: true,
    complexity: lookup,
    description: 'The milestone of a global id; null for those who may not see it.',
  })
  async milestone(
    @Arg('id', () => MilestoneID, { description: 'Global id.' }) { id }: GlobalId,
    @Ctx() request: GraphqlRequest,
  ): Promise<MilestoneType> {
    const found = await invoke(request.ctx, getMilestone, { milestone_id: id }, () => instance.find(request.ctx, {}));
    return new MilestoneType(found, request);
  }
}
