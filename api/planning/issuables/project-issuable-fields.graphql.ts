import { humanDuration } from '../../../shared/planning/issuables/duration.js';
import { Arg, Args, Extensions, Field, Int, ObjectType } from 'type-graphql';
import type { List } from '../../../shared/core/database/list.js';
import type { Load } from '../../../shared/core/context/loads.js';
import { milestonesOfIssuables } from '../../../shared/planning/issuables/issuable-loads.js';
import type { ListedIssue } from '../../../shared/planning/issues/issue.entity.js';
import { usersById } from '../../../shared/tenancy/users/user.finder.js';
import type { UserSummary } from '../../../shared/tenancy/users/user.entity.js';
import { connectionOf, PageArgs } from '../../core/graphql/connections.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { Time } from '../../core/graphql/scalars.js';
import { RecordField } from '../../core/graphql/records.js';
import { UserCoreConnection } from '../../tenancy/users/user-queries.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { MilestoneType } from '../milestones/milestones.graphql.js';
import { IssuableFields } from './issuable-fields.graphql.js';
import type { IssuableKind } from './issuable-fields.graphql.js';

@ObjectType('TaskCompletionStatus', {
  description: 'Completion status of the tasks of a description.',
  simpleResolvers: true,
})
class TaskCompletionStatusType {
  @Field(() => Int, { description: 'Total number of tasks.' })
  count!: number;

  @Field(() => Int, { description: 'Number of completed tasks.' })
  completedCount!: number;
}

/** The fields that issues and merge requests share. */
type ProjectIssuableDetails = Pick<
  ListedIssue,
  | 'author'
  | 'closed_at'
  | 'closed_by'
  | 'completed_task_count'
  | 'created_at'
  | 'description'
  | 'discussion_locked'
  | 'downvotes'
  | 'full_path'
  | 'id'
  | 'iid'
  | 'milestone_id'
  | 'task_count'
  | 'time_estimate'
  | 'title'
  | 'total_time_spent'
  | 'updated_at'
  | 'updated_by_id'
  | 'upvotes'
>;

/** Where issues and merge requests have what both have. */
export interface ProjectIssuableKind<R extends object> extends IssuableKind<R> {
  /** The prefix of its number in references. */
  readonly sign: '#' | '!';
  readonly assignees: Load<R, UserSummary[]>;
}

/** What issues and merge requests have in common. */
@ObjectType()
export abstract class ProjectIssuableFields<R extends ProjectIssuableDetails> extends IssuableFields<R> {
  protected abstract override get kind(): ProjectIssuableKind<R>;

  /** Who took part in it. */
  protected abstract participantList(): Promise<List<UserSummary>>;

  protected async assigned(): Promise<UserSummary[]> {
    return (await loadField(this.request, this.kind.assignees, this.record)) ?? [];
  }

  @RecordField(() => String, { description: 'Title of the issue or merge request.' })
  declare readonly title: string;

  @Field(() => String, { description: 'Reference of the issue or merge request, for use elsewhere.' })
  reference(
    @Arg('full', () => Boolean, { defaultValue: false, description: 'If `true`, includes the path of the project.' })
    full: boolean,
  ): string {
    return `${full ? this.record.full_path : ''}${this.kind.sign}${this.record.iid}`;
  }

  @Field(() => UserCoreConnection, { nullable: true, description: 'Users assigned to the issue or merge request.' })
  @Extensions(SHORT)
  async assignees(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    return this.people(await this.assigned(), args);
  }

  @Field(() => MilestoneType, { nullable: true, description: 'Milestone of the issue or merge request.' })
  async milestone(): Promise<MilestoneType | null> {
    if (!this.record.milestone_id) return null;
    const found = await loadField(this.request, milestonesOfIssuables, this.record);
    return found && new MilestoneType(found, this.request);
  }

  @RecordField(() => Time, { description: 'Timestamp of when the issue or merge request was created.' })
  declare readonly createdAt: Date;

  @RecordField(() => Time, { description: 'Timestamp of when the issue or merge request was last updated.' })
  declare readonly updatedAt: Date;

  @Field(() => UserCoreType, { nullable: true, description: 'User who last updated the issue or merge request.' })
  async updatedBy(): Promise<UserCoreType | null> {
    const id = this.record.updated_by_id;
    return id ? UserCoreType.of(await this.request.load(usersById, id), this.request) : null;
  }

  @Field(() => UserCoreType, { nullable: true, description: 'User who closed the issue or merge request.' })
  get closedBy(): UserCoreType | null {
    return UserCoreType.of(this.record.closed_by, this.request);
  }

  @Field(() => Boolean, { description: 'Indicates only members may comment.' })
  get discussionLocked(): boolean {
    return this.record.discussion_locked ?? false;
  }

  @Field(() => UserCoreConnection, {
    nullable: true,
    complexity: ({ childComplexity }) => childComplexity + 5,
    description: 'Users who participated in the issue or merge request.',
  })
  @Extensions(SHORT)
  async participants(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const list = await this.participantList();
    return connectionOf(this.request, list, args, (user) => new UserCoreType(user, this.request));
  }

  @Field(() => TaskCompletionStatusType, { description: 'Completion status of the tasks of the description.' })
  get taskCompletionStatus(): TaskCompletionStatusType {
    return { count: this.record.task_count, completedCount: this.record.completed_task_count };
  }

  @RecordField(() => Int, { description: 'Time estimate in seconds.' })
  declare readonly timeEstimate: number;

  @Field(() => String, { nullable: true, description: 'Human-readable time estimate, such as `1d 2h`.' })
  get humanTimeEstimate(): string | null {
    return humanDuration(this.record.time_estimate);
  }

  @Field(() => String, { nullable: true, description: 'Human-readable time spent, such as `1d 2h`.' })
  get humanTotalTimeSpent(): string | null {
    return humanDuration(this.record.total_time_spent);
  }

  @RecordField(() => Int, { description: 'Total time spent so far, in seconds.' })
  declare readonly totalTimeSpent: number;
}
