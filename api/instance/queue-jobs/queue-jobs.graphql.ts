import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { deleteJobsByContext } from '../../../shared/instance/sidekiq/delete-by-context.js';
import { mutate, MutationInput, MutationPayload } from '../../core/graphql/mutations.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';

@ObjectType('DeleteJobsResponse', {
  description: 'What became of jobs that were to be deleted.',
  simpleResolvers: true,
})
class DeleteJobsResponse {
  @Field(() => Boolean, { nullable: true, description: 'Whether all are gone; else call again.' })
  completed!: boolean;

  @Field(() => Int, { nullable: true, description: 'Jobs that were deleted.' })
  deletedJobs!: number;

  @Field(() => Int, { nullable: true, description: 'Jobs that still wait in the queue.' })
  queueSize!: number;
}

const FILTERS = {
  user: 'user',
  project: 'project',
  rootNamespace: 'root_namespace',
  subscriptionPlan: 'subscription_plan',
  callerId: 'caller_id',
  featureCategory: 'feature_category',
  workerClass: 'worker_class',
  jobId: 'job_id',
  userId: 'user_id',
  pipelineId: 'pipeline_id',
  clientId: 'client_id',
  remoteIp: 'remote_ip',
} as const;

@InputType('AdminSidekiqQueuesDeleteJobsInput', {
  description: 'Which waiting jobs of a queue to delete: all filters hold.',
})
class DeleteJobsInput extends MutationInput {
  @Field(() => String, { description: 'Name of the queue.' })
  queueName!: string;

  @Field(() => String, { nullable: true, description: 'Who asked for them, by username.' })
  user?: string | null;

  @Field(() => String, { nullable: true, description: 'What project they are about, by its full path.' })
  project?: string | null;

  @Field(() => String, { nullable: true, description: 'In what top-level namespace that is.' })
  rootNamespace?: string | null;

  @Field(() => String, { nullable: true, description: 'No job carries it.' })
  subscriptionPlan?: string | null;

  @Field(() => String, { nullable: true, description: 'The operation or job that sent them.' })
  callerId?: string | null;

  @Field(() => String, { nullable: true, description: 'Their feature.' })
  featureCategory?: string | null;

  @Field(() => String, { nullable: true, description: 'Their kind: the name of the queue.' })
  workerClass?: string | null;

  @Field(() => String, { nullable: true, description: 'The id of one.' })
  jobId?: string | null;

  @Field(() => String, { nullable: true, description: 'No job carries it.' })
  userId?: string | null;

  @Field(() => String, { nullable: true, description: 'No job carries it.' })
  pipelineId?: string | null;

  @Field(() => String, { nullable: true, description: 'No job carries it.' })
  clientId?: string | null;

  @Field(() => String, { nullable: true, description: 'No job carries it.' })
  remoteIp?: string | null;
}

@ObjectType('AdminSidekiqQueuesDeleteJobsPayload', {
  description: 'What became of the jobs.',
  simpleResolvers: true,
})
class DeleteJobsPayload extends MutationPayload {
  @Field(() => DeleteJobsResponse, { nullable: true, description: 'How many were deleted.' })
  result?: DeleteJobsResponse | null;
}

/** The input by the names of the operation's parameters; null is as good as not given. */
function paramsOf(input: DeleteJobsInput): Record<string, unknown> {
  const entries = Object.entries(FILTERS).map(([name, param]) => [param, input[name as keyof typeof FILTERS]]);
  return {
    queue_name: input.queueName,
    ...Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined)),
  };
}

@Resolver()
export class QueueJobMutations {
  @Mutation(() => DeleteJobsPayload, {
    nullable: true,
    description: 'Deletes waiting jobs of a queue by their context.',
  })
  adminSidekiqQueuesDeleteJobs(
    @Arg('input', () => DeleteJobsInput, { description: 'Which jobs.' }) input: DeleteJobsInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () => {
      const {
        completed,
        deleted_jobs: deletedJobs,
        queue_size: queueSize,
      } = await invoke(request.ctx, deleteJobsByContext, paramsOf(input));
      return { result: { completed, deletedJobs, queueSize } };
    });
  }
}
