import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import type { PipelineRecord } from '../../../shared/ci/pipelines/pipeline.finder.js';
import { choosePipelines, countPipelines, findPipelineByName } from '../../../shared/ci/pipelines/choose-pipelines.js';
import {
  isActive,
  isCancelable,
  isComplete,
  isRetryableAlone,
  summarizeJobs,
} from '../../../shared/ci/pipelines/pipeline-status.js';
import { detailedStatus } from '../../../shared/ci/pipelines/detailed-status.js';
import { pipelinePath } from '../../../shared/ci/pipelines/pipeline.serializer.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { connectionOf, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { paged } from '../../core/graphql/costs.js';
import { globalId, globalIdScalar, readPlainId } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Duration, Time } from '../../core/graphql/scalars.js';
import { DetailedStatusType } from './detailed-status.graphql.js';
import { PipelineScopeEnum, PipelineStatusEnum } from './pipeline-enums.graphql.js';

const CiPipelineID = globalIdScalar('Ci::Pipeline');

/** A pipeline; its `source` is as stored, so a scheduled one says `schedule` where REST says `scheduled`. */
@ObjectType('Pipeline', { description: 'One run of the work on a commit.' })
export class PipelineType {
  constructor(
    readonly record: PipelineRecord,
    readonly request: GraphqlRequest,
  ) {}

  @Field(() => ID, { description: 'Global id.' })
  get id(): string {
    return globalId('Ci::Pipeline', this.record.id);
  }

  @Field(() => String, { description: 'Number within the project.' })
  get iid(): string {
    return String(this.record.iid);
  }

  @Field(() => String, { nullable: true, description: 'Name of the pipeline.' })
  get name(): string | null {
    return this.record.name ?? null;
  }

  @Field(() => DetailedStatusType, { description: 'How the status of the pipeline is displayed.' })
  get detailedStatus(): DetailedStatusType {
    return new DetailedStatusType(this.record.id, detailedStatus(this.record.status, this.path));
  }

  @Field(() => PipelineStatusEnum, { description: 'How far it is.' })
  get status(): string {
    return this.record.status;
  }

  @Field(() => String, { nullable: true, description: 'What started it.' })
  get source(): string {
    return this.record.source;
  }

  @Field(() => String, { nullable: true, description: 'Short name of the branch or tag.' })
  get ref(): string {
    return this.record.ref;
  }

  @Field(() => String, { nullable: true, description: 'Full name of the branch or tag.' })
  get refPath(): string {
    return `refs/${this.record.tag ? 'tags' : 'heads'}/${this.record.ref}`;
  }

  @Field(() => String, { nullable: true, description: 'Id of the commit.' })
  get sha(): string {
    return this.record.sha;
  }

  @Field(() => String, { nullable: true, description: 'Path of its page.' })
  get path(): string {
    return pipelinePath(this.record);
  }

  @Field(() => UserCoreType, { nullable: true, description: 'For whom it was made.' })
  get user(): UserCoreType | null {
    return UserCoreType.of(this.record.user, this.request);
  }

  @Field(() => ProjectType, { nullable: true, description: 'Its project.' })
  get project(): ProjectType {
    return new ProjectType(this.record.project, this.request);
  }

  @Field(() => Time, { description: 'When it was made.' })
  get createdAt(): Date {
    return this.record.created_at;
  }

  @Field(() => Time, { description: 'When it last changed.' })
  get updatedAt(): Date {
    return this.record.updated_at;
  }

  @Field(() => Time, { nullable: true, description: 'When its work began.' })
  get startedAt(): Date | null {
    return this.record.started_at ?? null;
  }

  @Field(() => Time, { nullable: true, description: 'When its work ended.' })
  get finishedAt(): Date | null {
    return this.record.finished_at ?? null;
  }

  @Field(() => Int, { nullable: true, description: 'Seconds that its work took.' })
  get duration(): number | null {
    return this.record.duration ?? null;
  }

  @Field(() => Duration, { nullable: true, description: 'Seconds that it waited before.' })
  get queuedDuration(): number | null {
    return this.record.queued_duration ?? null;
  }

  @Field(() => Boolean, { description: 'Whether somebody works on it, or will soon.' })
  get active(): boolean {
    return isActive(this.record.status);
  }

  @Field(() => Boolean, { description: 'Whether its work is over.' })
  get complete(): boolean {
    return isComplete(this.record.status);
  }

  @Field(() => Boolean, { description: 'Whether it can be stopped.' })
  get cancelable(): boolean {
    return isCancelable(this.record.status);
  }

  @Field(() => Boolean, { description: 'Whether some of it can be tried again.' })
  async retryable(): Promise<boolean> {
    return (await this.request.load(summarizeJobs, this.record.id))?.retryable ?? isRetryableAlone(this.record.status);
  }

  @Field(() => Boolean, { description: 'Whether something failed that may fail.' })
  async warnings(): Promise<boolean> {
    return (await this.request.load(summarizeJobs, this.record.id))?.warnings ?? false;
  }

  @Field(() => Boolean, { description: 'Whether its configuration could not be read.' })
  get yamlErrors(): boolean {
    return Boolean(this.record.yaml_errors);
  }

  @Field(() => String, { nullable: true, description: 'What is wrong with its configuration.' })
  get yamlErrorMessages(): string | null {
    return this.record.yaml_errors ?? null;
  }
}

const PipelineConnection = connectionType(PipelineType, 'Pipeline', { count: true });

@ArgsType()
class PipelinesArgs extends PageArgs {
  @Field(() => PipelineStatusEnum, { nullable: true, description: 'Only those in this state.' })
  status?: string | null;

  @Field(() => PipelineScopeEnum, { nullable: true, description: 'Only this choice.' })
  scope?: string | null;

  @Field(() => String, { nullable: true, description: 'Only those of this branch or tag.' })
  ref?: string | null;

  @Field(() => String, { nullable: true, description: 'Only those of this commit.' })
  sha?: string | null;

  @Field(() => String, { nullable: true, description: 'Only those started this way.' })
  source?: string | null;

  @Field(() => String, { nullable: true, description: 'Only those made for this user.' })
  username?: string | null;

  @Field(() => Time, { nullable: true, description: 'Only those that last changed before.' })
  updatedBefore?: Date | null;

  @Field(() => Time, { nullable: true, description: 'Only those that last changed after.' })
  updatedAfter?: Date | null;

  @Field(() => [ID], { nullable: true, description: 'Only these, by number or global id.' })
  ids?: string[] | null;
}

@ArgsType()
class PipelineArgs {
  @Field(() => ID, { nullable: true, description: 'Number within the project.' })
  iid?: string | null;

  @Field(() => CiPipelineID, { nullable: true, description: 'Global id.' })
  id?: GlobalId | null;

  @Field(() => String, { nullable: true, description: 'Commit: its newest pipeline.' })
  sha?: string | null;
}

@ObjectType('PipelineCounts', { description: 'How many pipelines a project has.', simpleResolvers: true })
class PipelineCountsType {
  @Field(() => Int, { description: 'All of them.' })
  all!: number;

  @Field(() => Int, { description: 'Those whose work is over.' })
  finished!: number;

  @Field(() => Int, { description: 'Those that wait for somebody to work on them.' })
  pending!: number;

  @Field(() => Int, { description: 'Those that somebody works on.' })
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
    description: 'One pipeline, by exactly one of its names; null for those who may not see it.',
  })
  async pipeline(
    @Root() project: ProjectType,
    @Args(() => PipelineArgs) { iid, id, sha }: PipelineArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<PipelineType | null> {
    const identifiers = Object.entries({ iid, id: id?.id, sha }).filter(
      ([, value]) => value !== null && value !== undefined,
    );
    const record = await invoke(request.ctx, findPipelineByName, Object.fromEntries(identifiers), () =>
      Promise.resolve(project.record),
    );
    return record && new PipelineType(record, request);
  }

  @FieldResolver(() => PipelineCountsType, {
    nullable: true,
    description: 'How many pipelines the project has; null for those who may not see them.',
  })
  pipelineCounts(
    @Root() project: ProjectType,
    @Arg('ref', () => String, { nullable: true, description: 'Only those of this branch or tag.' }) ref: string | null,
    @Arg('sha', () => String, { nullable: true, description: 'Only those of this commit.' }) sha: string | null,
    @Arg('source', () => String, { nullable: true, description: 'Only those started this way.' })
    source: string | null,
    @Ctx() request: GraphqlRequest,
  ): Promise<PipelineCountsType> {
    return invoke(request.ctx, countPipelines, { ref, sha, source }, () => Promise.resolve(project.record));
  }
}
