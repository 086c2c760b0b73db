import { Args, Extensions, Field, Int, ObjectType } from 'type-graphql';
import { approvalsOf } from '../../../shared/merge-requests/approvals/approval.finder.js';
import type { Approvals } from '../../../shared/merge-requests/approvals/approval.finder.js';
import { mergeDetails } from '../../../shared/merge-requests/merge-requests/merge-details.js';
import { mergeSettingsOf } from '../../../shared/merge-requests/merge-requests/merge-request.loads.js';
import type { ListedMergeRequest } from '../../../shared/merge-requests/merge-requests/merge-request.entity.js';
import { PageArgs } from '../../core/graphql/connections.js';
import { loadedOf } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { Time } from '../../core/graphql/scalars.js';
import { UserCoreConnection } from '../../tenancy/users/user-queries.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { DetailedMergeStatus, MergeStatus } from './merge-request-enums.graphql.js';
import { ProjectIssuableFields } from '../../planning/issuables/project-issuable-fields.graphql.js';

/** What is known of the merge of a merge request: who approved it, what stands in its way, what became of it. */
@ObjectType()
export abstract class MergingFields extends ProjectIssuableFields<ListedMergeRequest> {
  async #approvals(): Promise<Approvals> {
    return (await loadedOf(this.request, approvalsOf, this.record)) ?? { required: 0, approvers: [] };
  }

  @Field(() => UserCoreConnection, { nullable: true, description: 'Who approved it.' })
  @Extensions(SHORT)
  async approvedBy(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const { approvers } = await this.#approvals();
    return this.people(
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

  @Field(() => UserCoreType, { nullable: true, description: 'Who merged it, or asked for it to be merged later.' })
  get mergeUser(): UserCoreType | null {
    const { state, auto_merge_enabled: later, merge_user: user } = this.record;
    return state === 'merged' || later ? UserCoreType.of(user, this.request) : null;
  }

  @Field(() => Time, { nullable: true, description: 'When it was merged.' })
  get mergedAt(): Date | null {
    return this.record.merged_at ?? null;
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
    return this.presentField('merge_status');
  }

  @Field(() => DetailedMergeStatus, { nullable: true, description: 'Why it cannot be merged now, or that it can.' })
  async detailedMergeStatus(): Promise<unknown> {
    await loadedOf(this.request, mergeDetails, this.record);
    return this.presentField('detailed_merge_status');
  }

  @Field(() => Boolean, { description: 'Whether nothing stands in the way of a merge.' })
  async mergeable(): Promise<boolean> {
    return (await this.detailedMergeStatus()) === 'mergeable';
  }

  @Field(() => Boolean, { nullable: true, description: 'Whether no open thread stands in the way of a merge.' })
  async mergeableDiscussionsState(): Promise<unknown> {
    await loadedOf(this.request, mergeDetails, this.record);
    return this.presentField('blocking_discussions_resolved');
  }

  @Field(() => String, { nullable: true, description: 'What went wrong when it was last merged.' })
  get mergeError(): string | null {
    return this.record.merge_error ?? null;
  }

  @Field(() => Boolean, { description: 'Whether its branches cannot be merged without a conflict.' })
  get conflicts(): unknown {
    return this.presentField('has_conflicts');
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
    return this.presentField('squash_on_merge');
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
}
