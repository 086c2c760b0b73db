import { Args, Extensions, Field, Int, ObjectType } from 'type-graphql';
import { approvalsOf } from '../../../shared/merge-requests/approvals/approval.finder.js';
import type { Approvals } from '../../../shared/merge-requests/approvals/approval.finder.js';
import { mergeDetails } from '../../../shared/merge-requests/merge-requests/merge-details.js';
import { mergeSettingsOf } from '../../../shared/merge-requests/merge-requests/merge-request.loads.js';
import type { ListedMergeRequest } from '../../../shared/merge-requests/merge-requests/merge-request.entity.js';
import { PageArgs } from '../../core/graphql/connections.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { Time } from '../../core/graphql/scalars.js';
import { RecordField } from '../../core/graphql/records.js';
import { UserCoreConnection } from '../../tenancy/users/user-queries.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { DetailedMergeStatus, MergeStatus } from './merge-request-enums.graphql.js';
import { ProjectIssuableFields } from '../../planning/issuables/project-issuable-fields.graphql.js';

/** The merge state of a merge request: its approvals, what blocks it, and the result. */
@ObjectType()
export abstract class MergingFields extends ProjectIssuableFields<ListedMergeRequest> {
  async #approvals(): Promise<Approvals> {
    return (await loadField(this.request, approvalsOf, this.record)) ?? { required: 0, approvers: [] };
  }

  @Field(() => UserCoreConnection, { nullable: true, description: 'Users who approved the merge request.' })
  @Extensions(SHORT)
  async approvedBy(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const { approvers } = await this.#approvals();
    return this.people(
      approvers.map(({ user }) => user),
      args,
    );
  }

  @Field(() => Boolean, { description: 'Indicates the merge request has all required approvals, and at least one.' })
  async approved(): Promise<boolean> {
    const { required, approvers } = await this.#approvals();
    return approvers.length > 0 && approvers.length >= required;
  }

  @Field(() => Int, { nullable: true, description: 'Number of required approvals. Premium.' })
  async approvalsRequired(): Promise<number | null> {
    const { required } = await this.#approvals();
    return this.request.ctx.hasPlan('premium') ? required : null;
  }

  @Field(() => Int, { nullable: true, description: 'Number of approvals that are still required. Premium.' })
  async approvalsLeft(): Promise<number | null> {
    const { required, approvers } = await this.#approvals();
    return this.request.ctx.hasPlan('premium') ? Math.max(0, required - approvers.length) : null;
  }

  @Field(() => UserCoreType, {
    nullable: true,
    description: 'User who merged the merge request, or requested to merge it later.',
  })
  get mergeUser(): UserCoreType | null {
    const { state, auto_merge_enabled: later, merge_user: user } = this.record;
    return state === 'merged' || later ? UserCoreType.of(user, this.request) : null;
  }

  @RecordField(() => Time, { nullable: true, description: 'Timestamp of when the merge request was merged.' })
  declare readonly mergedAt: Date | null;

  @RecordField(() => String, { nullable: true, description: 'SHA of the commit that merged the merge request.' })
  declare readonly mergeCommitSha: string | null;

  @RecordField(() => String, {
    nullable: true,
    description: 'SHA of the commit into which the commits of the merge request were squashed.',
  })
  declare readonly squashCommitSha: string | null;

  @Field(() => MergeStatus, {
    nullable: true,
    description: 'Merge status of the merge request, based on conflicts between its branches.',
  })
  get mergeStatusEnum(): unknown {
    return this.presentField('merge_status');
  }

  @Field(() => DetailedMergeStatus, {
    nullable: true,
    description: 'Detailed merge status: mergeable, or the reason the merge request cannot be merged now.',
  })
  async detailedMergeStatus(): Promise<unknown> {
    await loadField(this.request, mergeDetails, this.record);
    return this.presentField('detailed_merge_status');
  }

  @Field(() => Boolean, { description: 'Indicates nothing prevents the merge of the merge request.' })
  async mergeable(): Promise<boolean> {
    return (await this.detailedMergeStatus()) === 'mergeable';
  }

  @Field(() => Boolean, {
    nullable: true,
    description: 'Indicates no open thread prevents the merge of the merge request.',
  })
  async mergeableDiscussionsState(): Promise<unknown> {
    await loadField(this.request, mergeDetails, this.record);
    return this.presentField('blocking_discussions_resolved');
  }

  @RecordField(() => String, { nullable: true, description: 'Error of the last attempt to merge the merge request.' })
  declare readonly mergeError: string | null;

  @Field(() => Boolean, {
    description: 'Indicates the branches of the merge request cannot be merged without a conflict.',
  })
  get conflicts(): unknown {
    return this.presentField('has_conflicts');
  }

  @RecordField(() => Boolean, { description: 'Indicates the merge request is merged once its pipeline succeeds.' })
  declare readonly autoMergeEnabled: boolean;

  @RecordField(() => Boolean, {
    nullable: true,
    description: 'Indicates the merge request is merged once its pipeline succeeds.',
    column: 'auto_merge_enabled',
  })
  declare readonly mergeWhenPipelineSucceeds: boolean;

  @Field(() => Boolean, { description: 'Indicates the merge request is being rebased.' })
  get rebaseInProgress(): boolean {
    return Boolean(this.record.rebase_started_at);
  }

  @RecordField(() => Boolean, {
    description: 'Indicates the author of the merge request wants the commits to be squashed.',
  })
  declare readonly squash: boolean;

  @Field(() => Boolean, {
    description: 'Indicates the commits will be squashed on merge; the project may decide this for all merge requests.',
  })
  async squashOnMerge(): Promise<unknown> {
    await loadField(this.request, mergeSettingsOf, this.record);
    return this.presentField('squash_on_merge');
  }

  @RecordField(() => Boolean, {
    nullable: true,
    description: 'Indicates the user who merges the merge request wants the source branch to be deleted.',
  })
  declare readonly shouldRemoveSourceBranch: boolean | null;

  @RecordField(() => Boolean, {
    nullable: true,
    description: 'Indicates the author of the merge request wants the source branch to be deleted.',
  })
  declare readonly forceRemoveSourceBranch: boolean | null;

  @RecordField(() => Boolean, {
    nullable: true,
    description: 'Indicates users who may merge the merge request may push to its source branch.',
  })
  declare readonly allowCollaboration: boolean;
}
