import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import type { PipelineRecord } from '../../../shared/ci/pipelines/pipeline.finder.js';
import { choosePipelines, countPipelines, findPipelineByName } from '../../../shared/ci/pipelines/choose-pipelines.js';
import { isActive, isCancelable, isComplete, isUnsuccessful } from '../../../shared/ci/job-states/status-predicates.js';
import { summarizeJobs } from '../../../shared/ci/pipelines/job-summaries.js';
import { detailedStatus } from '../../../shared/ci/pipelines/detailed-status.js';
import { pipelinePath } from '../../../shared/ci/pipelines/pipeline.serializer.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { connectionOf, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { paged } from '../../core/graphql/costs.js';
import { globalIdScalar, readPlainId } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Duration, Time } from '../../core/graphql/scalars.js';
import { RecordField, recordType } from '../../core/graphql/records.js';
import { withoutNulls } from '../../core/graphql/params.js';
import { DetailedStatusType } from './detailed-status.graphql.js';
import { PipelineScopeEnum, PipelineStatusEnum } from './pipeline-enums.graphql.js';

const CiPipelineID = globalIdScalar('Ci::Pipeline');

/**
 * A pipeline; its `source` is the stored value, so a scheduled pipeline has `schedule` where REST returns `scheduled`.
 */
@ObjectType('Pipeline', { description: 'Pipeline that runs for a commit.' })
export class PipelineType extends recordType<PipelineRecord>('pipeline', 'Ci::Pipeline') {
  @RecordField(() => String, { description: 'Internal ID of the pipeline within the project.' })
  declare readonly iid: number;

  @RecordField(() => String, { nullable: true, description: 'Name of the pipeline.' })
  declare readonly name: string | null;

  @Field(() => DetailedStatusType, { description: 'Detailed status of the pipeline.' })
  get detailedStatus(): DetailedStatusType {
    return new DetailedStatusType(this.record.id, detailedStatus(this.record.status, this.path));
  }

  @RecordField(() => PipelineStatusEnum, { description: 'Status of the pipeline.' })
  declare readonly status: string;

  @RecordField(() => String, { nullable: true, description: 'Source that started the pipeline.' })
  declare readonly source: string;

  @RecordField(() => String, { nullable: true, description: 'Short name of the branch or tag.' })
  declare readonly ref: string;

  @Field(() => String, { nullable: true, description: 'Full name of the branch or tag.' })
  get refPath(): string {
    return `refs/${this.record.tag ? 'tags' : 'heads'}/${this.record.ref}`;
  }

  @RecordField(() => String, { nullable: true, description: 'SHA of the commit.' })
  declare readonly sha: string;

  @Field(() => String, { nullable: true, description: 'Path of the page of the pipeline.' })
  get path(): string {
    return pipelinePath(this.record);
  }

  @Field(() => UserCoreType, { nullable: true, description: 'User for whom the pipeline was created.' })
  get user(): UserCoreType | null {
    return UserCoreType.of(this.record.user, this.request);
  }

  @Field(() => ProjectType, { nullable: true, description: 'Project of the pipeline.' })
  get project(): ProjectType {
    return new ProjectType(this.record.project, this.request);
  }

  @RecordField(() => Time, { nullable: true, description: 'Timestamp of when the pipeline started.' })
  declare readonly startedAt: Date | null;

  @RecordField(() => Time, { nullable: true, description: 'Timestamp of when the pipeline finished.' })
  declare readonly finishedAt: Date | null;

  @RecordField(() => Int, { nullable: true, description: 'Duration of the pipeline in seconds.' })
  declare readonly duration: number | null;

  @RecordField(() => Duration, {
    nullable: true,
    description: 'Time the pipeline was queued before it started, in seconds.',
  })
  declare readonly queuedDuration: number | null;

  @Field(() => Boolean, { description: 'Indicates the pipeline is active: running, or about to run.' })
  get active(): boolean {
    return isActive(this.record.status);
  }

  @Field(() => Boolean, { description: 'Indicates the pipeline is complete.' })
  get complete(): boolean {
    return isComplete(this.record.status);
  }

  @Field(() => Boolean, { description: 'Indicates the pipeline can be canceled.' })
  get cancelable(): boolean {
    return isCancelable(this.record.status);
  }

  @Field(() => Boolean, { description: 'Indicates part of the pipeline can be retried.' })
  async retryable(): Promise<boolean> {
    return (await this.request.load(summarizeJobs, this.record.id))?.retryable ?? isUnsuccessful(this.record.status);
  }

  @Field(() => Boolean, { description: 'Indicates a job that is allowed to fail has failed.' })
  async warnings(): Promise<boolean> {
    return (await this.request.load(summarizeJobs, this.record.id))?.warnings ?? false;
  }

  @Field(() => Boolean, { description: 'Indicates the configuration of the pipeline could not be read.' })
  get yamlErrors(): boolean {
    return Boolean(this.record.yaml_errors);
  }

  @RecordField(() => String, {
    nullable: true,
    description: 'Errors in the configuration of the pipeline.',
    column: 'yaml_errors',
  })
  declare readonly yamlErrorMessages: string | null;
}

const PipelineConnection = connectionType(PipelineType, 'Pipeline', { count: true });

@ArgsType()
class PipelinesArgs extends PageArgs {
  @Field(() => PipelineStatusEnum, { nullable: true, description: 'Filter by status of the pipelines.' })
  status?: string | null;

  @Field(() => PipelineScopeEnum, { nullable: true, description: 'Filter by scope of the pipelines.' })
  scope?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by branch or tag.' })
  ref?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by SHA of the commit.' })
  sha?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by source of the pipelines.' })
  source?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Filter by username of the user for whom the pipelines were created.',
  })
  username?: string | null;

  @Field(() => Time, { nullable: true, description: 'Pipelines last updated before the specified time.' })
  updatedBefore?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Pipelines last updated after the specified time.' })
  updatedAfter?: Date | null;

  @Field(() => [ID], { nullable: true, description: 'Filter by IDs of the pipelines, as numbers or global IDs.' })
  ids?: string[] | null;
}

@ArgsType()
class PipelineArgs {
  @Field(() => ID, { nullable: true, description: 'Internal ID of the pipeline within the project.' })
  iid?: string | null;

  @Field(() => CiPipelineID, { nullable: true, description: 'Global ID of the pipeline.' })
  id?: GlobalId | null;

  @Field(() => String, { nullable: true, description: 'SHA of the commit; returns its newest pipeline.' })
  sha?: string | null;
}

@ObjectType('PipelineCounts', { description: 'Number of pipelines of a project.', simpleResolvers: true })
class PipelineCountsType {
  @Field(() => Int, { description: 'Total number of pipelines.' })
  all!: number;

  @Field(() => Int, { description: 'Number of finished pipelines.' })
  finished!: number;

  @Field(() => Int, { description: 'Number of pending pipelines.' })
  pending!: number;

  @Field(() => Int, { description: 'Number of running pipelines.' })
  running!: number;
}

@Resolver(() => ProjectType)
export class PipelinesOfProjectResolver {
  @FieldResolver(() => PipelineConnection, {
    nullable: true,
    complexity: paged,
    description: 'Pipelines of the project, newest first; null for those who may not see them.',
  })
  async pipelines(
    @Root() project: ProjectType,
    @Args(() => PipelinesArgs) args: PipelinesArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { updatedBefore: updated_before, updatedAfter: updated_after, ids: globalIds, ...rest } = args;
    const ids = globalIds?.map((id) => readPlainId(id, 'Ci::Pipeline'));
    const list = await invoke(request.ctx, choosePipelines, { ...rest, updated_before, updated_after, ids }, () =>
      Promise.resolve(project.record),
    );
    return connectionOf(request, list, args, (record) => new PipelineType(record, request));
  }

  @FieldResolver(() => PipelineType, {
    nullable: true,
    description: 'Pipeline identified by exactly one of the arguments; null for those who may not see it.',
  })
  async pipeline(
    @Root() project: ProjectType,
    @Args(() => PipelineArgs) { iid, id, sha }: PipelineArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<PipelineType | null> {
    const identifiers = withoutNulls({ iid, id: id?.id, sha });
    const record = await invoke(request.ctx, findPipelineByName, identifiers, () => Promise.resolve(project.record));
    return record && new PipelineType(record, request);
  }

  @FieldResolver(() => PipelineCountsType, {
    nullable: true,
    description: 'Number of pipelines of the project; null for those who may not see them.',
  })
  pipelineCounts(
    @Root() project: ProjectType,
    @Arg('ref', () => String, { nullable: true, description: 'Filter by branch or tag.' }) ref: string | null,
    @Arg('sha', () => String, { nullable: true, description: 'Filter by SHA of the commit.' }) sha: string | null,
    @Arg('source', () => String, { nullable: true, description: 'Filter by source of the pipelines.' })
    source: string | null,
    @Ctx() request: GraphqlRequest,
  ): Promise<PipelineCountsType> {
    return invoke(request.ctx, countPipelines, { ref, sha, source }, () => Promise.resolve(project.record));
  }
}
