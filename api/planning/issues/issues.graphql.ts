import { Arg, Args, Extensions, Field, ID, Int, ObjectType } from 'type-graphql';
import { linkedIssuesOf } from '../../../shared/planning/issue-links/linked-issues.loads.js';
import type { LinkedIssue, LinkType } from '../../../shared/planning/issue-links/issue-link.record.js';
import { participantsOf } from '../../../shared/planning/issue-tracking/participants.js';
import { milestonesOfIssuables } from '../../../shared/planning/issuables/issuable-loads.js';
import { issueHtml } from '../../../shared/planning/issues/issue-html.js';
import { projectsOfIssuables } from '../../../shared/planning/issuables/issuable-projects.js';
import {
  assigneesOfIssues,
  blockingCounts,
  labelsOfIssues,
  subscriptions,
} from '../../../shared/planning/issues/issue.loads.js';
import { issuePolicy } from '../../../shared/planning/issues/issue.policy.js';
import type { IssueRecord, ListedIssue } from '../../../shared/planning/issues/issue.record.js';
import { issueDetails } from '../../../shared/planning/issues/issue.shape.js';
import { issuesById } from '../../../shared/planning/issues/issues-by-id.js';
import type { List } from '../../../shared/core/list.js';
import { totalWeight } from '../../../shared/planning/issue-lists/issue-statistics.js';
import { usersById } from '../../../shared/tenancy/users/user.finder.js';
import { connectionOf, connectionOfRecords, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import { globalId, globalIdScalar } from '../../core/graphql/global-ids.js';
import { loadedOf } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Time } from '../../core/graphql/scalars.js';
import { shown } from '../../core/graphql/shown.js';
import { UserCoreConnection } from '../../tenancy/users/user-queries.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { LabelConnection, LabelType } from '../labels/labels.graphql.js';
import { MilestoneType } from '../milestones/milestones.graphql.js';
import { IssuableSeverity, IssueState, IssueType } from './issue-enums.graphql.js';

@ObjectType('TaskCompletionStatus', { description: 'How far the tasks of a description are.', simpleResolvers: true })
export class TaskCompletionStatusType {
  @Field(() => Int, { description: 'Tasks.' })
  count!: number;

  @Field(() => Int, { description: 'Those that are done.' })
  completedCount!: number;
}

const IssuePermissions = permissionsType('IssuePermissions', issuePolicy, {
  readIssue: 'read_issue',
  updateIssue: 'update_issue',
  adminIssue: 'admin_issue',
  setIssueMetadata: 'set_issue_metadata',
  moveIssue: 'move_issue',
  destroyIssue: 'destroy_issue',
});

export const IssueID = globalIdScalar('Issue');

/** Midnight, UTC, of a day. */
const midnight = (day: string | null | undefined): Date | null => (day ? new Date(`${day}T00:00:00Z`) : null);

/** An issue as a caller who may read it sees it (graphql.md section 5.4). */
@ObjectType('Issue', { description: 'Something to do, or that went wrong.' })
export class IssueObject {
  constructor(
    readonly record: ListedIssue,
    readonly request: GraphqlRequest,
  ) {}

  static of(record: ListedIssue | null, request: GraphqlRequest): IssueObject | null {
    return record ? new IssueObject(record, request) : null;
  }

  /** With its project and whether it concerns the caller, for rules. */
  async full(): Promise<IssueRecord> {
    const [project, assignees] = await Promise.all([
      this.request.load(projectsOfIssuables, this.record),
      this.#assignees(),
    ]);
    if (!project) throw new GraphqlProblem('The issue is gone.');
    const { caller } = this.request.ctx;
    const own = assignees.find(({ id }) => !caller.anonymous && id === caller.id);
    return { ...this.record, project, assigned_id: own?.id ?? null };
  }

  async #assignees() {
    return (await loadedOf(this.request, assigneesOfIssues, this.record)) ?? [];
  }

  #shown(key: string): unknown {
    return shown(issueDetails, key, this.record, this.request.ctx);
  }

  @Field(() => ID, { description: 'Global id.' })
  get id(): string {
    return globalId('Issue', this.record.id);
  }

  @Field(() => ID, { description: 'Number within the project.' })
  get iid(): string {
    return String(this.record.iid);
  }

  @Field(() => String, { description: 'Its title.' })
  get title(): string {
    return this.record.title;
  }

  @Field(() => String, { nullable: true, description: 'Its title, as HTML.' })
  async titleHtml(): Promise<string> {
    return (await loadedOf(this.request, issueHtml, this.record))?.title ?? '';
  }

  @Field(() => String, { nullable: true, description: 'What it is about, as Markdown.' })
  get description(): string | null {
    return this.record.description ?? null;
  }

  @Field(() => String, { nullable: true, description: 'What it is about, as HTML.' })
  async descriptionHtml(): Promise<string> {
    return (await loadedOf(this.request, issueHtml, this.record))?.description ?? '';
  }

  @Field(() => IssueState, { description: 'Whether it is open.' })
  get state(): string {
    return this.record.state;
  }

  @Field(() => IssueType, { nullable: true, description: 'What kind of issue it is.' })
  get type(): string {
    return this.record.issue_type;
  }

  @Field(() => String, { description: 'How it is named elsewhere.' })
  reference(
    @Arg('full', () => Boolean, { defaultValue: false, description: 'With the path of its project.' }) full: boolean,
  ): string {
    return `${full ? this.record.full_path : ''}#${this.record.iid}`;
  }

  @Field(() => String, { description: 'Address of its page.' })
  get webUrl(): unknown {
    return this.#shown('web_url');
  }

  @Field(() => String, { description: 'Path of its page.' })
  get webPath(): string {
    return `/${this.record.full_path}/-/issues/${this.record.iid}`;
  }

  @Field(() => Int, { nullable: true, description: 'Id of its project, as REST has it.' })
  get projectId(): number {
    return this.record.project_id;
  }

  @Field(() => Boolean, { description: 'Whether only Planners and above, its author and assignees see it.' })
  get confidential(): boolean {
    return this.record.confidential;
  }

  @Field(() => Boolean, { description: 'Whether only members may comment.' })
  get discussionLocked(): boolean {
    return this.record.discussion_locked ?? false;
  }

  @Field(() => Boolean, { nullable: true, description: 'Whether it is hidden because its author was banned: none is.' })
  get hidden(): boolean {
    return false;
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Who made it.' })
  get author(): UserCoreType | null {
    return UserCoreType.of(this.record.author, this.request);
  }

  @Field(() => UserCoreConnection, { nullable: true, description: 'Who is to work on it.' })
  @Extensions(SHORT)
  async assignees(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const users = await this.#assignees();
    return connectionOfRecords(
      this.request,
      users,
      args,
      ({ id }) => id,
      (user) => new UserCoreType(user, this.request),
    );
  }

  @Field(() => LabelConnection, { nullable: true, description: 'Its labels, by title.' })
  @Extensions(SHORT)
  async labels(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const labels = (await loadedOf(this.request, labelsOfIssues, this.record)) ?? [];
    return connectionOfRecords(
      this.request,
      labels,
      args,
      ({ id }) => id,
      (label) => new LabelType(label, this.request),
    );
  }

  @Field(() => MilestoneType, { nullable: true, description: 'What it is planned for.' })
  async milestone(): Promise<MilestoneType | null> {
    if (!this.record.milestone_id) return null;
    const found = await loadedOf(this.request, milestonesOfIssuables, this.record);
    return found && new MilestoneType(found, this.request);
  }

  @Field(() => Int, { nullable: true, description: 'How much work it is. Premium.' })
  get weight(): unknown {
    return this.#shown('weight');
  }

  @Field(() => Time, { nullable: true, description: 'The day on which it is to be done.' })
  get dueDate(): Date | null {
    return midnight(this.record.due_date);
  }

  @Field(() => Time, { nullable: true, description: 'The day on which work on it begins.' })
  get startDate(): Date | null {
    return midnight(this.record.start_date);
  }

  @Field(() => Time, { nullable: true, description: 'When it was closed.' })
  get closedAt(): Date | null {
    return this.record.closed_at ?? null;
  }

  @Field(() => Time, { description: 'When it was made.' })
  get createdAt(): Date {
    return this.record.created_at;
  }

  @Field(() => Time, { description: 'When it last changed.' })
  get updatedAt(): Date {
    return this.record.updated_at;
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Who last changed it.' })
  async updatedBy(): Promise<UserCoreType | null> {
    const id = this.record.updated_by_id;
    return id ? UserCoreType.of(await this.request.load(usersById, id), this.request) : null;
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Who closed it.' })
  get closedBy(): UserCoreType | null {
    return UserCoreType.of(this.record.closed_by, this.request);
  }

  @Field(() => Int, { description: 'Thumbs up that it got.' })
  get upvotes(): number {
    return this.record.upvotes;
  }

  @Field(() => Int, { description: 'Thumbs down that it got.' })
  get downvotes(): number {
    return this.record.downvotes;
  }

  @Field(() => Int, { description: 'Comments of people.' })
  get userNotesCount(): number {
    return this.record.user_notes_count;
  }

  @Field(() => Int, { description: 'Merge requests that close it.' })
  get mergeRequestsCount(): number {
    return this.record.merge_requests_count;
  }

  @Field(() => Boolean, { complexity: 5, description: 'Whether the caller is told of what happens to it.' })
  async subscribed(): Promise<boolean> {
    return (await loadedOf(this.request, subscriptions, this.record)) ?? false;
  }

  @Field(() => UserCoreConnection, {
    nullable: true,
    complexity: ({ childComplexity }) => childComplexity + 5,
    description: 'Who took part in it.',
  })
  @Extensions(SHORT)
  async participants(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const list = participantsOf(this.request.ctx, await this.full());
    return connectionOf(this.request, list, args, (user) => new UserCoreType(user, this.request));
  }

  @Field(() => Boolean, { nullable: true, description: 'Whether it was moved to another project.' })
  get moved(): boolean {
    return Boolean(this.record.moved_to_id);
  }

  @Field(() => IssueObject, { nullable: true, description: 'What it was moved to.' })
  async movedTo(): Promise<IssueObject | null> {
    const id = this.record.moved_to_id;
    return id ? IssueObject.of(await this.request.load(issuesById, id), this.request) : null;
  }

  @Field(() => IssueObject, { nullable: true, description: 'What it repeats.' })
  async closedAsDuplicateOf(): Promise<IssueObject | null> {
    const id = this.record.duplicated_to_id;
    return id ? IssueObject.of(await this.request.load(issuesById, id), this.request) : null;
  }

  @Field(() => TaskCompletionStatusType, { description: 'How far the tasks of its description are.' })
  get taskCompletionStatus(): TaskCompletionStatusType {
    return { count: this.record.task_count, completedCount: this.record.completed_task_count };
  }

  @Field(() => IssuableSeverity, { nullable: true, description: 'How bad an incident is.' })
  get severity(): string {
    return this.record.severity;
  }

  @Field(() => Int, { nullable: true, description: 'Its place in lists that people order.' })
  get relativePosition(): number | null {
    return this.record.relative_position ?? null;
  }

  @Field(() => Int, { description: 'How long it is thought to take, in seconds.' })
  get timeEstimate(): number {
    return this.record.time_estimate;
  }

  @Field(() => Int, { description: 'How long it took so far, in seconds.' })
  get totalTimeSpent(): number {
    return this.record.total_time_spent;
  }

  /** Linked issues, seen from this one. */
  async linked(type?: LinkType): Promise<LinkedIssue[]> {
    const all = (await this.request.load(linkedIssuesOf, this.record)) ?? [];
    return type === undefined ? all : all.filter(({ link }) => link.type === type);
  }

  async #openBlockers(): Promise<LinkedIssue[]> {
    return (await this.linked('is_blocked_by')).filter(({ state }) => state === 'opened');
  }

  @Field(() => Boolean, { description: 'Whether an open issue blocks it, of those that the caller sees.' })
  async blocked(): Promise<boolean> {
    return (await this.#openBlockers()).length > 0;
  }

  @Field(() => Int, { nullable: true, description: 'Open issues that block it, of those that the caller sees.' })
  async blockedByCount(): Promise<number> {
    return (await this.#openBlockers()).length;
  }

  @Field(() => IssueConnection, { nullable: true, description: 'Open issues that block it.' })
  @Extensions(SHORT)
  async blockedByIssues(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const blockers = await this.#openBlockers();
    const page = connectionOfRecords(
      this.request,
      blockers,
      args,
      ({ id }) => id,
      (issue) => new IssueObject(issue, this.request),
    );
    return Object.assign(page, { weight: () => blockers.reduce((sum, { weight }) => sum + (weight ?? 0), 0) });
  }

  @Field(() => Int, { description: 'Open issues that it blocks.' })
  async blockingCount(): Promise<number> {
    return (await loadedOf(this.request, blockingCounts, this.record)) ?? 0;
  }

  @Field(() => IssuePermissions, { description: 'What the caller may do with the issue.' })
  async userPermissions(): Promise<unknown> {
    return new IssuePermissions(this.request.ctx.caller, await this.full());
  }
}

export const IssueConnection = connectionType(IssueObject, 'Issue', { count: true });
Field(() => Int, { description: 'The weights of all issues on all pages together.' })(
  IssueConnection.prototype,
  'weight',
);

/** A page of issues, with the weight of all of them. */
export function issuesPage(request: GraphqlRequest, list: List<ListedIssue>, args: PageArgs): unknown {
  const page = connectionOf(request, list, args, (issue) => new IssueObject(issue, request));
  return Object.assign(page, { weight: () => totalWeight(request.ctx, list) });
}
