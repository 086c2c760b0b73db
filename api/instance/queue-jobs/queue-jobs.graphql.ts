import { Field, InputType, Int, ObjectType, Resolver } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { deleteJobsByContext } from '../../../shared/instance/sidekiq/delete-by-context.js';
import { MutationInput, mutationsOf } from '../../core/graphql/mutations.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { withoutNulls } from '../../core/graphql/params.js';

@ObjectType('DeleteJobsResponse', {
  description: 'Result of deleting jobs of a queue.',
  simpleResolvers: true,
})
class DeleteJobsResponse {
  @Field(() => Boolean, {
    nullable: true,
    description: 'Indicates all matching jobs are deleted; if `false`, repeat the mutation.',
  })
  completed!: boolean;

  @Field(() => Int, { nullable: true, description: 'Number of deleted jobs.' })
  deletedJobs!: number;

  @Field(() => Int, { nullable: true, description: 'Number of jobs still waiting in the queue.' })
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
  description: 'Filters of the waiting jobs to delete from a queue; jobs must match all filters.',
})
class DeleteJobsInput extends MutationInput {
  @Field(() => String, { description: 'Name of the queue.' })
  queueName!: string;

  @Field(() => String, { nullable: true, description: 'Filter by username of the user who requested the jobs.' })
  user?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by full path of the project that the jobs are about.' })
  project?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by top-level namespace of the project.' })
  rootNamespace?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by subscription plan, which no job has.' })
  subscriptionPlan?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by operation or job that enqueued the jobs.' })
  callerId?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by feature category of the jobs.' })
  featureCategory?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by worker class of the jobs: the name of the queue.' })
  workerClass?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by ID of a single job.' })
  jobId?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by user ID, which no job has.' })
  userId?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by pipeline ID, which no job has.' })
  pipelineId?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by client ID, which no job has.' })
  clientId?: string | null;

  @Field(() => String, { nullable: true, description: 'Filter by remote IP, which no job has.' })
  remoteIp?: string | null;
}

/** The input under the names of the operation's parameters; null counts as absent. */
function getParams(input: DeleteJobsInput): Record<string, unknown> {
  const filters = Object.entries(FILTERS).map(([name, param]) => [param, input[name as keyof typeof FILTERS]] as const);
  return withoutNulls({ queue_name: input.queueName, ...Object.fromEntries(filters) });
}

const queueMutation = mutationsOf({
  description: 'Payload of the mutation that deletes jobs of a queue.',
  fields: { result: { type: () => DeleteJobsResponse, description: 'Number of jobs that were deleted.' } },
  present: (result: DeleteJobsResponse) => ({ result }),
});

@Resolver()
export class QueueJobMutations {
  @queueMutation(DeleteJobsInput, { description: 'Deletes waiting jobs of a queue that match the specified context.' })
  async adminSidekiqQueuesDeleteJobs(input: DeleteJobsInput, { ctx }: GraphqlRequest): Promise<DeleteJobsResponse> {
    const deleted = await invoke(ctx, deleteJobsByContext, getParams(input));
    return { completed: deleted.completed, deletedJobs: deleted.deleted_jobs, queueSize: deleted.queue_size };
  }
}
