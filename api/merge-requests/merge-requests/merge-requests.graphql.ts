import type { List } from '../../../shared/core/database/list.js';
import type { ProjectIssuableKind } from '../../planning/issuables/project-issuable-fields.graphql.js';
import { NoteableInterface } from '../../planning/issuables/noteable-interface.graphql.js';
import { TodoableInterface } from '../../planning/issuables/todoable-interface.graphql.js';
import { MergingFields } from './merging-fields.graphql.js';
import { Args, Extensions, Field, Int, ObjectType } from 'type-graphql';
import { participantsOfMergeRequest } from '../../../shared/merge-requests/merge-requests/merge-request-tracking.operations.js';
import {
  mergeRequestHtml,
  assigneesOfMergeRequests,
  headPipelines,
  labelsOfMergeRequests,
  mergeRequestSubscriptions,
  reviewersOfMergeRequests,
} from '../../../shared/merge-requests/merge-requests/merge-request.loads.js';
import { mergeRequestPolicy } from '../../../shared/merge-requests/merge-requests/merge-request.policy.js';
import type {
  ListedMergeRequest,
  MergeRequestRecord,
} from '../../../shared/merge-requests/merge-requests/merge-request.entity.js';
import { mergeRequestSerializer } from '../../../shared/merge-requests/merge-requests/merge-request.serializer.js';
import { projectsOfIssuables } from '../../../shared/planning/issuables/issuable-loads.js';
import type { UserSummary } from '../../../shared/tenancy/users/user.entity.js';
import { connectionType, PageArgs } from '../../core/graphql/connections.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import { globalIdScalar } from '../../core/graphql/global-ids.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import { Time } from '../../core/graphql/scalars.js';
import { RecordField, SerializedField } from '../../core/graphql/records.js';
import { PipelineType } from '../../ci/pipelines/pipelines.graphql.js';
import { findVisibleProject } from '../../../shared/tenancy/projects/project.finder.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreConnection } from '../../tenancy/users/user-queries.graphql.js';
import { MergeRequestState } from './merge-request-enums.graphql.js';

@ObjectType('DiffRefs', { description: 'Commits that a diff compares.', simpleResolvers: true })
export class DiffRefsType {
  @Field(() => String, { description: 'SHA of the head of the source branch.' })
  headSha!: string;

  @Field(() => String, { nullable: true, description: 'SHA of the commit at which the branches diverged.' })
  baseSha!: string | null;

  @Field(() => String, { description: 'SHA of the head of the target branch at the time of the comparison.' })
  startSha!: string;
}

const MergeRequestPermissions = permissionsType('MergeRequestPermissions', mergeRequestPolicy, {
  readMergeRequest: 'read_merge_request',
  updateMergeRequest: 'update_merge_request',
  adminMergeRequest: 'admin_merge_request',
  setMergeRequestMetadata: 'set_merge_request_metadata',
  destroyMergeRequest: 'destroy_merge_request',
  createNote: 'create_note',
});

export const MergeRequestID = globalIdScalar('MergeRequest');

const KIND: ProjectIssuableKind<ListedMergeRequest> = {
  type: 'MergeRequest',
  sign: '!',
  serializer: mergeRequestSerializer,
  html: mergeRequestHtml,
  assignees: assigneesOfMergeRequests,
  labels: labelsOfMergeRequests,
  subscriptions: mergeRequestSubscriptions,
  path: ({ full_path, iid }) => `/${full_path}/-/merge_requests/${iid}`,
};

/** A merge request for callers with read access (graphql.md sections 5.3 and 5.5). */
@ObjectType('MergeRequest', {
  implements: [NoteableInterface, TodoableInterface],
  description: 'Merge request: a proposal to merge the commits of a branch into another branch.',
})
export class MergeRequestObject extends MergingFields {
  protected override get kind(): ProjectIssuableKind<ListedMergeRequest> {
    return KIND;
  }

  protected override async participantList(): Promise<List<UserSummary>> {
    return participantsOfMergeRequest(this.request.ctx, await this.full());
  }

  /** With its project, for rules. */
  async full(): Promise<MergeRequestRecord> {
    const project = await this.request.load(projectsOfIssuables, this.record);
    if (!project) throw new GraphqlProblem('The merge request is gone.');
    return { ...this.record, project };
  }

  @RecordField(() => String, { description: 'Internal ID of the merge request within the project.' })
  declare readonly iid: number;

  @RecordField(() => MergeRequestState, { description: 'State of the merge request.' })
  declare readonly state: string;

  @RecordField(() => Boolean, {
    description: 'Indicates the merge request is a draft, not ready to be merged, according to its title.',
  })
  declare readonly draft: boolean;

  @SerializedField(mergeRequestSerializer, () => String, { nullable: true, description: 'URL of the merge request.' })
  declare readonly webUrl: unknown;

  @Field(() => ProjectType, { description: 'Project into which the merge request is to be merged.' })
  async project(): Promise<ProjectType> {
    return new ProjectType((await this.full()).project, this.request);
  }

  @Field(() => ProjectType, { description: 'Target project of the merge request.' })
  targetProject(): Promise<ProjectType> {
    return this.project();
  }

  @Field(() => ProjectType, {
    nullable: true,
    description:
      'Source project of the merge request; null if the project was deleted, and for those who may not see it.',
  })
  async sourceProject(): Promise<ProjectType | null> {
    const { source_project_id: id, project_id: targetId } = this.record;
    if (id === targetId) return this.project();
    const found = id ? await findVisibleProject(this.request.ctx, id) : null;
    return found && new ProjectType(found, this.request);
  }

  @Field(() => PipelineType, {
    nullable: true,
    description: 'Newest pipeline of the head of the source branch; null for those who may not see pipelines.',
  })
  async headPipeline(): Promise<PipelineType | null> {
    const { ctx } = this.request;
    const record = await this.full();
    // One at a time: equal reads for the fields of many nodes are batched.
    await headPipelines.fill(ctx, [record]);
    const found = headPipelines.of(record, ctx);
    return found ? new PipelineType(found, this.request) : null;
  }

  @RecordField(() => Int, {
    description: 'ID of the project into which the merge request is to be merged, as in the REST API.',
  })
  declare readonly projectId: number;

  @RecordField(() => Int, { description: 'ID of the target project.', column: 'project_id' })
  declare readonly targetProjectId: number;

  @RecordField(() => Int, { nullable: true, description: 'ID of the source project; null if the project was deleted.' })
  declare readonly sourceProjectId: number | null;

  @RecordField(() => String, { description: 'Source branch of the merge request.' })
  declare readonly sourceBranch: string;

  @RecordField(() => String, { description: 'Target branch of the merge request.' })
  declare readonly targetBranch: string;

  @Field(() => UserCoreConnection, { nullable: true, description: 'Users requested to review the merge request.' })
  @Extensions(SHORT)
  async reviewers(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const reviewers = (await loadField(this.request, reviewersOfMergeRequests, this.record)) ?? [];
    return this.people(
      reviewers.map(({ user }) => user),
      args,
    );
  }

  @RecordField(() => Time, {
    nullable: true,
    description: 'Timestamp of when the first version of the merge request was created.',
  })
  declare readonly preparedAt: Date | null;

  @RecordField(() => String, {
    nullable: true,
    description: 'SHA of the head of the source branch.',
    column: 'head_sha',
  })
  declare readonly diffHeadSha: string | null;

  @Field(() => DiffRefsType, {
    nullable: true,
    description: 'Commits that the newest version of the merge request compares.',
  })
  get diffRefs(): DiffRefsType | null {
    const { head_sha: headSha, base_sha: baseSha, start_sha: startSha } = this.record;
    return headSha && startSha ? { headSha, baseSha: baseSha ?? null, startSha } : null;
  }

  @RecordField(() => Int, { nullable: true, description: 'Number of comments by users.' })
  declare readonly userNotesCount: number;

  @Field(() => MergeRequestPermissions, { description: 'Permissions of the caller on the merge request.' })
  async userPermissions(): Promise<unknown> {
    return new MergeRequestPermissions(this.request.ctx.caller, await this.full());
  }
}

export const MergeRequestConnection = connectionType(MergeRequestObject, 'MergeRequest', { count: true });
