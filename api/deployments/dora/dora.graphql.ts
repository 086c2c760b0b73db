import type { GraphQLResolveInfo, SelectionSetNode } from 'graphql';
import {
  Args,
  ArgsType,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  Float,
  Info,
  ObjectType,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { Kind } from 'graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { doraOperations } from '../../../shared/deployments/dora/dora.operations.js';
import { projectsWithDora } from '../../../shared/deployments/dora/dora-points.js';
import type { DoraPoint } from '../../../shared/deployments/dora/dora-points.js';
import { doraRange } from '../../../shared/deployments/dora/dora-query.js';
import type { DoraMetricName } from '../../../shared/deployments/dora/dora-query.js';
import { doraPolicy } from '../../../shared/deployments/dora/dora.policy.js';
import { containerOfGroup, containerOfProject } from '../../../shared/tenancy/containers/container.js';
import type { Container } from '../../../shared/tenancy/containers/container.js';
import { connectionOf, PageArgs } from '../../core/graphql/connections.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { CalendarDate } from '../../core/graphql/scalars.js';
import { RecordField } from '../../core/graphql/records.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';
import { ProjectConnection } from '../../tenancy/projects/project-list.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { DeploymentTier } from '../environments/environment-enums.graphql.js';

/** Names of the fields that a query selects directly below a field, with fragments expanded; conditions are ignored. */
function selectedFields({ fieldNodes, fragments }: GraphQLResolveInfo): Set<string> {
  const names = new Set<string>();
  const visited = new Set<SelectionSetNode>();
  const visit = (set: SelectionSetNode | undefined): void => {
    if (!set || visited.has(set)) return;
    visited.add(set);
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) names.add(node.name.value);
      else if (node.kind === Kind.INLINE_FRAGMENT) visit(node.selectionSet);
      else visit(fragments[node.name.value]?.selectionSet);
    }
  };
  for (const node of fieldNodes) visit(node.selectionSet);
  return names;
}

const DoraMetricBucketingInterval = { ALL: 'all', MONTHLY: 'monthly', DAILY: 'daily' } as const;
registerEnumType(DoraMetricBucketingInterval, {
  name: 'DoraMetricBucketingInterval',
  description: 'Interval of the data points.',
  valuesConfig: {
    ALL: { description: 'Single data point for the whole range.' },
    MONTHLY: { description: 'Data point for each month.' },
    DAILY: { description: 'Data point for each day.' },
  },
});

/** Which metric each field shows. */
const METRICS: Readonly<Record<string, DoraMetricName>> = {
  deploymentFrequency: 'deployment_frequency',
  leadTimeForChanges: 'lead_time_for_changes',
  timeToRestoreService: 'time_to_restore_service',
  changeFailureRate: 'change_failure_rate',
};

@ObjectType('DoraMetric', { description: 'Values of the requested metrics for a day, a month or a range.' })
class DoraMetricType {
  constructor(readonly record: DoraPoint) {}

  @RecordField(() => String, {
    nullable: true,
    description: 'Day, or first day of the month; null for the whole range.',
  })
  declare readonly date: string | null;

  @RecordField(() => Float, { nullable: true, description: 'Number of successful deployments per day.' })
  declare readonly deploymentFrequency: number | null;

  @RecordField(() => Float, { nullable: true, description: 'Median time from merge to deployment, in seconds.' })
  declare readonly leadTimeForChanges: number | null;

  @RecordField(() => Float, { nullable: true, description: 'Median time that incidents were open, in seconds.' })
  declare readonly timeToRestoreService: number | null;

  @RecordField(() => Float, { nullable: true, description: 'Number of incidents divided by number of deployments.' })
  declare readonly changeFailureRate: number | null;
}

@ObjectType('Dora', { description: 'DORA metrics of a project, or of all projects of a group.' })
class DoraType {
  constructor(readonly container: Container) {}
}

@ArgsType()
class RangeArgs {
  @Field(() => CalendarDate, { nullable: true, description: 'First day of the range; defaults to three months ago.' })
  startDate?: string | null;

  @Field(() => CalendarDate, { nullable: true, description: 'Last day of the range; defaults to today.' })
  endDate?: string | null;
}

@ArgsType()
class DoraMetricsArgs extends RangeArgs {
  @Field(() => DoraMetricBucketingInterval, {
    nullable: true,
    defaultValue: DoraMetricBucketingInterval.DAILY,
    description: 'Interval of the data points.',
  })
  interval?: string | null;

  @Field(() => [DeploymentTier], {
    nullable: true,
    defaultValue: [DeploymentTier.PRODUCTION],
    description: 'Deployment tiers of the environments.',
  })
  environmentTiers?: string[] | null;
}

@Resolver(() => DoraType)
export class DoraResolver {
  @Extensions(SHORT)
  @FieldResolver(() => [DoraMetricType], {
    nullable: true,
    complexity: lookup,
    description:
      'DORA metrics, with a data point for every date if `date` is requested; null for roles below Reporter.',
  })
  async metrics(
    @Root() { container }: DoraType,
    @Args(() => DoraMetricsArgs) args: DoraMetricsArgs,
    @Info() info: GraphQLResolveInfo,
    @Ctx() { ctx }: GraphqlRequest,
  ): Promise<DoraMetricType[]> {
    const fields = selectedFields(info);
    const params = {
      metrics: [...fields].flatMap((field) => METRICS[field] ?? []),
      start_date: args.startDate,
      end_date: args.endDate,
      interval: args.interval,
      environment_tiers: args.environmentTiers,
      gaps: fields.has('date'),
    };
    const { series } = doraOperations[container.kind];
    const points = await invoke(ctx, series, params, () => Promise.resolve(container));
    return points.map((point) => new DoraMetricType(point));
  }

  @FieldResolver(() => ProjectConnection, {
    nullable: true,
    complexity: paged,
    description:
      'Projects of the group, or the project itself, that have data in a range; null for roles below Reporter.',
  })
  projects(
    @Root() { container }: DoraType,
    @Args(() => RangeArgs) { startDate, endDate }: RangeArgs,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): unknown {
    const { ctx } = request;
    const may = ctx.hasPlan('ultimate') && doraPolicy.read_dora_metrics(ctx.caller, container);
    if (!may) return null;
    const range = doraRange(ctx, { start_date: startDate ?? undefined, end_date: endDate ?? undefined });
    const list = projectsWithDora(ctx, container, range);
    return connectionOf(request, list, page, (record) => new ProjectType(record, request));
  }
}

@Resolver(() => ProjectType)
export class DoraOfProjectResolver {
  @FieldResolver(() => DoraType, { nullable: true, description: 'DORA metrics of the project.' })
  dora(@Root() { record }: ProjectType): DoraType {
    return new DoraType(containerOfProject(record));
  }
}

@Resolver(() => GroupType)
export class DoraOfGroupResolver {
  @FieldResolver(() => DoraType, { nullable: true, description: 'DORA metrics of all projects of the group together.' })
  dora(@Root() { record }: GroupType): DoraType {
    return new DoraType(containerOfGroup(record));
  }
}
