import type { ScheduleRecord } from '../../../shared/ci/pipeline-schedules/pipeline-schedule.entity.js';
import {
  Arg,
  Args,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  ObjectType,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { pipelineSchedulePolicy } from '../../../shared/ci/pipeline-schedules/pipeline-schedule.policy.js';
import { mayPlay } from '../../../shared/ci/pipeline-schedule-runs/play-schedule.js';
import { listVariables } from '../../../shared/ci/pipeline-schedules/schedule-variable-list.js';
import { loadInputs } from '../../../shared/ci/pipeline-schedules/schedule-values.js';
import { scheduleSettings } from '../../../shared/ci/pipeline-schedules/schedule-settings.js';
import { SCHEDULE_COLUMNS, sortPipelineSchedules } from '../../../shared/ci/pipeline-schedules/sort-schedules.js';
import { newestPipelinesOfSchedules } from '../../../shared/ci/pipelines/pipeline.finder.js';
import { projectPolicy } from '../../../shared/tenancy/projects/project.policy.js';
import { isTagRef, shortRef } from '../../../shared/repositories/repositories/repository-ref.finder.js';
import { connectionOf, connectionOfRecords, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { paged } from '../../core/graphql/costs.js';
import { readPlainId } from '../../core/graphql/global-ids.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Time } from '../../core/graphql/scalars.js';
import { pageOfRecords, RecordField, recordType } from '../../core/graphql/records.js';
import { CiInputType, InputConnection } from '../pipelines/pipeline-inputs.graphql.js';
import { PipelineType } from '../pipelines/pipelines.graphql.js';
import { declareSettingFields } from '../../tenancy/containers/setting-fields.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { ScheduleVariableType, VariableConnection } from './schedule-values.graphql.js';

const PipelineScheduleStatus = { ACTIVE: 'active', INACTIVE: 'inactive' } as const;
registerEnumType(PipelineScheduleStatus, {
  name: 'PipelineScheduleStatus',
  description: 'Status of a pipeline schedule.',
  valuesConfig: {
    ACTIVE: { description: 'Schedule runs when it is due.' },
    INACTIVE: { description: 'Schedule runs only when a user plays it.' },
  },
});

/** Ours: the public API fires what it missed late, or never. */
const MissedPolicy = { LAST: 'last', SKIP: 'skip', ALL: 'all' } as const;
registerEnumType(MissedPolicy, {
  name: 'PipelineScheduleMissedPolicy',
  description: 'Policy for runs that were missed while the service was down.',
  valuesConfig: {
    LAST: { description: 'Newest missed run is started.' },
    SKIP: { description: 'None of the missed runs is started.' },
    ALL: { description: 'All missed runs are started.' },
  },
});

/** The type of settings of schedules that are more than text, a number or a boolean. */
export const scheduleSettingType = (name: string) => (name === 'missed_policy' ? () => MissedPolicy : undefined);

const SORTS = SCHEDULE_COLUMNS.flatMap((column) => [`${column}_asc`, `${column}_desc`]);
const PipelineScheduleSort = Object.fromEntries(SORTS.map((sort) => [sort.toUpperCase(), sort]));
registerEnumType(PipelineScheduleSort, {
  name: 'PipelineScheduleSort',
  description: 'Sort orders of pipeline schedules.',
  valuesConfig: Object.fromEntries(
    SORTS.map((sort) => {
      const [, column, direction] = /^(\w+)_(asc|desc)$/.exec(sort) ?? [];
      return [sort.toUpperCase(), { description: `Sorts by ${column} in ${direction}ending order.` }];
    }),
  ),
});

const SchedulePermissions = permissionsType('PipelineSchedulePermissions', pipelineSchedulePolicy, {
  adminPipelineSchedule: 'admin_pipeline_schedule',
  playPipelineSchedule: 'play_pipeline_schedule',
  updatePipelineSchedule: 'update_pipeline_schedule',
  takeOwnershipPipelineSchedule: {
    ability: 'admin_pipeline_schedule',
    deprecated: 'Use `adminPipelineSchedule`. Deprecated in Service 15.9.',
  },
});

/** A pipeline schedule. Refs are short here, where REST answers full ones (graphql.md section 5.6). */
@ObjectType('PipelineSchedule', { description: 'Schedule that starts pipelines at set times.' })
export class PipelineScheduleType extends recordType<ScheduleRecord>('schedule', 'Ci::PipelineSchedule') {
  @RecordField(() => String, { nullable: true, description: 'Description of the schedule.' })
  declare readonly description: string;

  @RecordField(() => Boolean, { description: 'Indicates the schedule is active.' })
  declare readonly active: boolean;

  @RecordField(() => String, { description: 'Cron expression of five fields that sets when the schedule runs.' })
  declare readonly cron: string;

  @RecordField(() => String, { description: 'Time zone of the cron expression.' })
  declare readonly cronTimezone: string;

  @Field(() => String, { nullable: true, description: 'Short name of the branch or tag.' })
  get ref(): string {
    return shortRef(this.record.ref);
  }

  @Field(() => String, { nullable: true, description: 'Short name of the branch or tag.' })
  get refForDisplay(): string {
    return shortRef(this.record.ref);
  }

  @Field(() => String, { nullable: true, description: 'Path of the commits of the branch or tag.' })
  get refPath(): string {
    return `/${this.record.project.full_path}/-/commits/${shortRef(this.record.ref)}`;
  }

  @Field(() => Boolean, { description: 'Indicates the schedule runs on a tag.' })
  get forTag(): boolean {
    return isTagRef(this.record.ref);
  }

  @RecordField(() => Time, {
    nullable: true,
    description: 'Timestamp of the next run; retained while the schedule is inactive.',
  })
  declare readonly nextRunAt: Date | null;

  @RecordField(() => Time, {
    nullable: true,
    description: 'Timestamp of when the next pipeline actually starts; same as `nextRunAt`.',
    column: 'next_run_at',
  })
  declare readonly realNextRun: Date | null;

  @Field(() => UserCoreType, { nullable: true, description: 'Owner of the schedule, with whose rights it runs.' })
  get owner(): UserCoreType | null {
    return UserCoreType.of(this.record.owner, this.request);
  }

  @Field(() => PipelineType, { nullable: true, description: 'Newest pipeline that the schedule created.' })
  async lastPipeline(): Promise<PipelineType | null> {
    const { project } = this.record;
    if (!projectPolicy.read_pipeline(this.request.ctx.caller, project)) return null;
    const newest = await this.request.load(newestPipelinesOfSchedules, this.record.id);
    return newest && new PipelineType({ ...newest, project }, this.request);
  }

  @Field(() => ProjectType, { nullable: true, description: 'Project of the schedule.' })
  get project(): ProjectType {
    return new ProjectType(this.record.project, this.request);
  }

  @Field(() => String, {
    nullable: true,
    description: 'Path of the page to edit the schedule; null for those who may not edit it.',
  })
  get editPath(): string | null {
    if (!pipelineSchedulePolicy.update_pipeline_schedule(this.request.ctx.caller, this.record)) return null;
    return `/${this.record.project.full_path}/-/pipeline_schedules/${this.record.id}/edit`;
  }

  @Field(() => VariableConnection, {
    nullable: true,
    description: 'Variables of the schedule; null for those who may not see them.',
  })
  @Extensions(SHORT)
  async variables(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const { ctx } = this.request;
    if (!pipelineSchedulePolicy.read_pipeline_schedule_variables(ctx.caller, this.record)) return null;
    const variables = (await this.request.load(listVariables, this.record.id)) ?? [];
    return pageOfRecords(this.request, variables, args, ScheduleVariableType);
  }

  @Field(() => InputConnection, { nullable: true, description: 'Inputs of the pipelines of the schedule.' })
  @Extensions(SHORT)
  async inputs(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const inputs = (await this.request.load(loadInputs, this.record.id)) ?? [];
    return connectionOfRecords(
      this.request,
      inputs,
      args,
      ({ name }) => name,
      ({ name, value }) => new CiInputType(name, value),
    );
  }

  @Field(() => SchedulePermissions, { description: 'Permissions of the caller on the schedule.' })
  async userPermissions(): Promise<unknown> {
    const permissions = new SchedulePermissions(this.request.ctx.caller, this.record);
    // The protection of the ref comes on top of the role.
    return { ...permissions, playPipelineSchedule: (await this.request.load(mayPlay, this.record)) === true };
  }
}

declareSettingFields(
  PipelineScheduleType,
  scheduleSettings,
  ({ record }, name) => record[name as keyof ScheduleRecord],
  { special: scheduleSettingType, visibleToAll: true },
);

const PipelineScheduleConnection = connectionType(PipelineScheduleType, 'PipelineSchedule', { count: true });

@Resolver(() => ProjectType)
export class PipelineSchedulesOfProjectResolver {
  @FieldResolver(() => PipelineScheduleConnection, {
    nullable: true,
    complexity: paged,
    description: 'Pipeline schedules of the project; null for those who may not see them.',
  })
  async pipelineSchedules(
    @Root() project: ProjectType,
    @Arg('status', () => PipelineScheduleStatus, {
      nullable: true,
      description: 'Filter by status: active or inactive schedules.',
    })
    status: string | null,
    @Arg('ids', () => [ID], {
      nullable: true,
      description: 'Filter by IDs of the schedules, as numbers or global IDs.',
    })
    ids: string[] | null,
    @Arg('sort', () => PipelineScheduleSort, {
      nullable: true,
      defaultValue: 'id_desc',
      description: 'Sort order of the schedules.',
    })
    sort: string | null,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const scheduleIds = ids?.map((id) => readPlainId(id, 'Ci::PipelineSchedule'));
    const list = await invoke(request.ctx, sortPipelineSchedules, { scope: status, ids: scheduleIds, sort }, () =>
      Promise.resolve(project.record),
    );
    return connectionOf(request, list, page, (record) => new PipelineScheduleType(record, request));
  }
}
