import { Arg, Args, Extensions, Field, ID, Int, ObjectType } from 'type-graphql';
import { approvalsOf } from '../../../shared/merge-requests/approvals/approval.finder.js';
import type { Approvals } from '../../../shared/merge-requests/approvals/approval.finder.js';
import { participantsOfMergeRequest } from '../../../shared/merge-requests/merge-request-tracking/merge-request-tracking.operations.js';
import { mergeFacts } from '../../../shared/merge-requests/merge-requests/merge-facts.js';
import { mergeRequestHtml } from '../../../shared/merge-requests/merge-requests/merge-request-html.js';
import {
  assigneesOfMergeRequests,
  labelsOfMergeRequests,
  mergeRequestSubscriptions,
  mergeSettingsOf,
  reviewersOfMergeRequests,
} from '../../../shared/merge-requests/merge-requests/merge-request.loads.js';
import { mergeRequestPolicy } from '../../../shared/merge-requests/merge-requests/merge-request.policy.js';
import type {
  ListedMergeRequest,
  MergeRequestRecord,
} from '../../../shared/merge-requests/merge-requests/merge-request.record.js';
import { mergeRequestShape } from '../../../shared/merge-requests/merge-requests/merge-request.shape.js';
import { milestonesOfIssuables } from '../../../shared/planning/issuables/issuable-loads.js';
import { projectsOfIssuables } from '../../../shared/planning/issuables/issuable-projects.js';
import { usersById } from '../../../shared/tenancy/users/user.finder.js';
import type { UserSummary } from '../../../shared/tenancy/users/user.record.js';
import { connectionOf, connectionOfRecords, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import { globalId, globalIdScalar } from '../../core/graphql/global-ids.js';
import { loadedOf } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Time } from '../../core/graphql/scalars.js';
import { shown } from '../../core/graphql/shown.js';
import { TaskCompletionStatusType } from '../../planning/issues/issues.graphql.js';
import { LabelConnection, LabelType } from '../../planning/labels/labels.graphql.js';
import { MilestoneType } from '../../planning/milestones/milestones.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreConnection } from '../../tenancy/users/user-queries.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { DetailedMergeStatus, MergeRequestState, MergeStatus } from './merge-request-enums.graphql.js';

@ObjectType('DiffRefs', { description: 'The commits that a diff lies between.', simpleResolvers: true })
class DiffRefsType {
  @Field(() => String, { description: 'Head of the source branch.' })
  headSha!: string;

  @Field(() => String, { nullable: true, description: 'Where the branches parted.' })
  baseSha!: string | null;

  @Field(() => String, { description: 'Head of the target branch when it was compared.' })
  startSha!: string;
}

const MergeRequestPermissions = permissionsType('MergeRequestPermissions', mergeRequestPolicy, {
  readMergeRequest: 'read_merge_request',
  updateMergeRequest: 'update_merge_request',
  adminMergeRequest: 'admin_merge_request',
  setMergeRequestMetadata: 'set_merge_request_metadata',
  destroyMergeRequest: 'destroy_merge_request',
});

export const MergeRequestID = globalIdScalar('MergeRequest');

/** A merge request as a caller who may read it sees it (graphql.md sections 5.3 and 5.5). */
@ObjectType('MergeRequest', { description: 'A proposal to bring the commits of a branch into another one.' })
export class MergeRequestObject {
  constructor(
    readonly record: ListedMergeRequest,
    readonly request: GraphqlRequest,
  ) {}

  /** With its project, for rules. */
  async full(): Promise<MergeRequestRecord> {
    const project = await this.request.load(projectsOfIssuables, this.record);
    if (!project) throw new GraphqlProblem('The merge request is gone.');
    return { ...this.record, project };
  }

  #shown(key: string): unknown {
    return shown(mergeRequestShape, key, this.record, this.request.ctx);
  }

  #people(users: readonly UserSummary[], args: PageArgs): unknown {
    return connectionOfRecords(
      this.request,
      users,
      args,
      ({ id }) => id,
      (user) => new UserCoreType(user, this.request),
    );
  }

  async #approvals(): Promise<Approvals> {
    return (await loadedOf(this.request, approvalsOf, this.record)) ?? { required: 0, approvers: [] };
  }

  @Field(() => ID, { description: 'Global id.' })
  get id(): string {
    return globalId('MergeRequest', this.record.id);
  }

  @Field(() => String, { description: 'Number within the project.' })
  get iid(): string {
    return String(this.record.iid);
  }

  @Field(() => String, { description: 'Its title.' })
  get title(): string {
    return this.record.title;
  }

  @Field(() => String, { nullable: true, description: 'Its title, as HTML.' })
  async titleHtml(): Promise<string> {
    return (await loadedOf(this.request, mergeRequestHtml, this.record))?.title ?? '';
  }

  @Field(() => String, { nullable: true, description: 'What it is about, as Markdown.' })
  get description(): string | null {
    return this.record.description ?? null;
  }

  @Field(() => String, { nullable: true, description: 'What it is about, as HTML.' })
  async descriptionHtml(): Promise<string> {
    return (await loadedOf(this.request, mergeRequestHtml, this.record))?.description ?? '';
  }

  @Field(() => MergeRequestState, { description: 'How far it is.' })
  get state(): string {
    return this.record.state;
  }

  @Field(() => Boolean, { description: 'Whether it is not ready to be merged, by its title.' })
  get draft(): boolean {
    return this.record.draft;
  }

  @Field(() => String, { description: 'How it is named elsewhere.' })
  reference(
    @Arg('full', () => Boolean, { defaultValue: false, description: 'With the path of its project.' }) full: boolean,
  ): string {
    return `${full ? this.record.full_path : ''}!${this.record.iid}`;
  }

  @Field(() => String, { nullable: true, description: 'Address of its page.' })
  get webUrl(): unknown {
    return this.#shown('web_url');
  }

  @Field(() => String, { description: 'Path of its page.' })
  get webPath(): string {
    return `/${this.record.full_path}/-/merge_requests/${this.record.iid}`;
  }

  @Field(() => ProjectType, { description: 'The project that it is to be merged in.' })
  async project(): Promise<ProjectType> {
    return new ProjectType((await this.full()).project, this.request);
  }

  @Field(() => Int, { description: 'Id of the project that it is to be merged in, as REST has it.' })
  get projectId(): number {
    return this.record.project_id;
  }

  @Field(() => Int, { description: 'The same.' })
  get targetProjectId(): number {
    return this.record.project_id;
  }

  @Field(() => Int, { nullable: true, description: 'Id of the project that it comes from; null once that is gone.' })
  get sourceProjectId(): number | null {
    return this.record.source_project_id ?? null;
  }

  @Field(() => String, { description: 'The branch that it comes from.' })
  get sourceBranch(): string {
    return this.record.source_branch;
  }

  @Field(() => String, { description: 'The branch that it is to be merged into.' })
  get targetBranch(): string {
    return this.record.target_branch;
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Who made it.' })
  get author(): UserCoreType | null {
    return UserCoreType.of(this.record.author, this.request);
  }

  @Field(() => UserCoreConnection, { nullable: true, description: 'Who is to work on it.' })
  @Extensions(SHORT)
  async assignees(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    return this.#people((await loadedOf(this.request, assigneesOfMergeRequests, this.record)) ?? [], args);
  }

  @Field(() => UserCoreConnection, { nullable: true, description: 'Who is to review it.' })
  @Extensions(SHORT)
  async reviewers(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const reviewers = (await loadedOf(this.request, reviewersOfMergeRequests, this.record)) ?? [];
    return this.#people(
      reviewers.map(({ user }) => user),
      args,
    );
  }

  @Field(() => UserCoreConnection, { nullable: true, description: 'Who approved it.' })
  @Extensions(SHORT)
  async approvedBy(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const { approvers } = await this.#approvals();
    return this.#people(
      approvers.map(({ user }) => user),
      args,
    );
  }

  @Field(() => Boolean, { description: 'Whether it has all approvals that it needs, and one at least.' })
  async approved(): Promise<boolean> {
    const { required, approvers } = await this.#approvals();
    return approvers.length > 0 && approvers.length >= required;
  }

  @Field(() => Int, { nullable: true, description: 'Approvals that it needs. Premium.' })
  async approvalsRequired(): Promise<number | null> {
    const { required } = await this.#approvals();
    return this.request.ctx.hasPlan('premium') ? required : null;
  }

  @Field(() => Int, { nullable: true, description: 'Approvals that it still needs. Premium.' })
  async approvalsLeft(): Promise<number | null> {
    const { required, approvers } = await this.#approvals();
    return this.request.ctx.hasPlan('premium') ? Math.max(0, required - approvers.length) : null;
  }

  @Field(() => LabelConnection, { nullable: true, description: 'Its labels, by title.' })
  @Extensions(SHORT)
  async labels(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const labels = (await loadedOf(this.request, labelsOfMergeRequests, this.record)) ?? [];
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

  @Field(() => UserCoreType, { nullable: true, description: 'Who merged it, or asked for it to be merged later.' })
  get mergeUser(): UserCoreType | null {
    const { state, auto_merge_enabled: later, merge_user: user } = this.record;
    return state === 'merged' || later ? UserCoreType.of(user, this.request) : null;
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Who closed it.' })
  get closedBy(): UserCoreType | null {
    return UserCoreType.of(this.record.closed_by, this.request);
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Who last changed it.' })
  async updatedBy(): Promise<UserCoreType | null> {
    const id = this.record.updated_by_id;
    return id ? UserCoreType.of(await this.request.load(usersById, id), this.request) : null;
  }

  @Field(() => Time, { description: 'When it was made.' })
  get createdAt(): Date {
    return this.record.created_at;
  }

  @Field(() => Time, { description: 'When it last changed.' })
  get updatedAt(): Date {
    return this.record.updated_at;
  }

  @Field(() => Time, { nullable: true, description: 'When its first version was made.' })
  get preparedAt(): Date | null {
    return this.record.prepared_at ?? null;
  }

  @Field(() => Time, { nullable: true, description: 'When it was merged.' })
  get mergedAt(): Date | null {
    return this.record.merged_at ?? null;
  }

  @Field(() => Time, { nullable: true, description: 'When it was closed.' })
  get closedAt(): Date | null {
    return this.record.closed_at ?? null;
  }

  @Field(() => String, { nullable: true, description: 'Head of the source branch.' })
  get diffHeadSha(): string | null {
    return this.record.head_sha ?? null;
  }

  @Field(() => DiffRefsType, { nullable: true, description: 'The commits that its newest version lies between.' })
  get diffRefs(): DiffRefsType | null {
    const { head_sha: headSha, base_sha: baseSha, start_sha: startSha } = this.record;
    return headSha && startSha ? { headSha, baseSha: baseSha ?? null, startSha } : null;
  }

  @Field(() => String, { nullable: true, description: 'The commit that merged it.' })
  get mergeCommitSha(): string | null {
    return this.record.merge_commit_sha ?? null;
  }

  @Field(() => String, { nullable: true, description: 'The commit that its commits were made one of.' })
  get squashCommitSha(): string | null {
    return this.record.squash_commit_sha ?? null;
  }

  @Field(() => MergeStatus, { nullable: true, description: 'Whether its branches can be merged without a conflict.' })
  get mergeStatusEnum(): unknown {
    return this.#shown('merge_status');
  }

  @Field(() => DetailedMergeStatus, { nullable: true, description: 'Why it cannot be merged now, or that it can.' })
  async detailedMergeStatus(): Promise<unknown> {
    await loadedOf(this.request, mergeFacts, this.record);
    return this.#shown('detailed_merge_status');
  }

  @Field(() => Boolean, { nullable: true, description: 'Whether no open thread stands in the way of a merge.' })
  async mergeableDiscussionsState(): Promise<unknown> {
    await loadedOf(this.request, mergeFacts, this.record);
    return this.#shown('blocking_discussions_resolved');
  }

  @Field(() => String, { nullable: true, description: 'What went wrong when it was last merged.' })
  get mergeError(): string | null {
    return this.record.merge_error ?? null;
  }

  @Field(() => Boolean, { description: 'Whether its branches cannot be merged without a conflict.' })
  get conflicts(): unknown {
    return this.#shown('has_conflicts');
  }

  @Field(() => Boolean, { description: 'Whether it is merged once its pipeline succeeds.' })
  get autoMergeEnabled(): boolean {
    return this.record.auto_merge_enabled;
  }

  @Field(() => Boolean, { nullable: true, description: 'The same.' })
  get mergeWhenPipelineSucceeds(): boolean {
    return this.record.auto_merge_enabled;
  }

  @Field(() => Boolean, { description: 'Whether it is being rebased.' })
  get rebaseInProgress(): boolean {
    return Boolean(this.record.rebase_started_at);
  }

  @Field(() => Boolean, { description: 'Whether its author wants its commits to be made one.' })
  get squash(): boolean {
    return this.record.squash;
  }

  @Field(() => Boolean, { description: 'Whether they will be: the project may say so for all.' })
  async squashOnMerge(): Promise<unknown> {
    await loadedOf(this.request, mergeSettingsOf, this.record);
    return this.#shown('squash_on_merge');
  }

  @Field(() => Boolean, { nullable: true, description: 'Whether whoever merges it wants the source branch to go.' })
  get shouldRemoveSourceBranch(): boolean | null {
    return this.record.should_remove_source_branch ?? null;
  }

  @Field(() => Boolean, { nullable: true, description: 'Whether its author wants the source branch to go.' })
  get forceRemoveSourceBranch(): boolean | null {
    return this.record.force_remove_source_branch ?? null;
  }

  @Field(() => Boolean, { nullable: true, description: 'Whether who may merge it may push to its source branch.' })
  get allowCollaboration(): boolean {
    return this.record.allow_collaboration;
  }

  @Field(() => Boolean, { description: 'Whether only members may comment.' })
  get discussionLocked(): boolean {
    return this.record.discussion_locked ?? false;
  }

  @Field(() => Int, { nullable: true, description: 'Comments of people.' })
  get userNotesCount(): number {
    return this.record.user_notes_count;
  }

  @Field(() => Int, { description: 'Thumbs up that it got.' })
  get upvotes(): number {
    return this.record.upvotes;
  }

  @Field(() => Int, { description: 'Thumbs down that it got.' })
  get downvotes(): number {
    return this.record.downvotes;
  }

  @Field(() => Int, { description: 'How long it is thought to take, in seconds.' })
  get timeEstimate(): number {
    return this.record.time_estimate;
  }

  @Field(() => Int, { description: 'How long it took so far, in seconds.' })
  get totalTimeSpent(): number {
    return this.record.total_time_spent;
  }

  @Field(() => TaskCompletionStatusType, { description: 'How far the tasks of its description are.' })
  get taskCompletionStatus(): TaskCompletionStatusType {
    return { count: this.record.task_count, completedCount: this.record.completed_task_count };
  }

  @Field(() => Boolean, { complexity: 5, description: 'Whether the caller is told of what happens to it.' })
  async subscribed(): Promise<boolean> {
    return (await loadedOf(this.request, mergeRequestSubscriptions, this.record)) ?? false;
  }

  @Field(() => UserCoreConnection, {
    nullable: true,
    complexity: ({ childComplexity }) => childComplexity + 5,
    description: 'Who took part in it.',
  })
  @Extensions(SHORT)
  async participants(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const list = participantsOfMergeRequest(this.request.ctx, await this.full());
    return connectionOf(this.request, list, args, (user) => new UserCoreType(user, this.request));
  }

  @Field(() => MergeRequestPermissions, { description: 'What the caller may do with the merge request.' })
  async userPermissions(): Promise<unknown> {
    return new MergeRequestPermissions(this.request.ctx.caller, await this.full());
  }
}

export const MergeRequestConnection = connectionType(MergeRequestObject, 'MergeRequest', { count: true });
