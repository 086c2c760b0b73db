import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import { columns } from '../../core/database/columns.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { out, serializer, visibleIf } from '../../core/operations/serializer.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import { groupsById } from '../../tenancy/groups/group.finder.js';
import { queryForCaller } from '../../tenancy/namespaces/for-caller.js';
import { isVisibleProject } from '../../tenancy/projects/project.finder.js';
import type { CiDatabase } from '../ci.entities.js';
import type { FoundRunner } from './found-runner.js';
import { RunnerManager } from './runner.entity.js';
import type { RunnerType } from './runner.entity.js';
import { RUNNER_ACCESS_LEVELS, runnerFields } from './runner.serializer.js';

/** A runner shows at most so many projects, the first that it was assigned to. */
const MAX_PROJECTS = 1000;

interface Id {
  id: number;
}

interface ProjectOfRunner {
  id: number;
  name: string;
  path: string;
  full_path: string;
  full_name: string;
}

const findProjects = queryForCaller<CiDatabase, Id, ProjectOfRunner>((db, viewer, { id }) =>
  db
    .selectFrom('runner_projects as rp')
    .innerJoin('projects as p', 'p.id', 'rp.project_id')
    .innerJoin('routes as r', 'r.project_id', 'p.id')
    .select(['p.id', 'p.name', 'p.path', 'r.path as full_path', 'r.name as full_name'])
    .where('rp.runner_id', '=', id)
    .where(isVisibleProject(viewer))
    .orderBy('rp.id')
    .limit(constant(MAX_PROJECTS)),
);

const getId = ({ id }: Readonly<FoundRunner>) => id;

/** The projects that a runner is assigned to, those that the caller may see. */
const projectsOfRunner = load(getId, async (ctx, runners): Promise<Map<number, ProjectOfRunner[]>> => {
  const found = new Map<number, ProjectOfRunner[]>();
  for (const { id, runner_type: type } of runners)
    found.set(id, type === 'project_type' ? await findProjects(ctx, { id }) : []);
  return found;
});

/** The group of each group runner: whoever may read such a runner may read its group. */
const groupsOfRunners = load(
  ({ namespace_id: groupId }: Readonly<FoundRunner>) => groupId ?? 0,
  (ctx, runners): Promise<Map<number, GroupRecord>> => {
    const ids = runners.flatMap(({ namespace_id: groupId }) => (groupId ? [groupId] : []));
    return ids.length === 0 ? Promise.resolve(new Map<number, GroupRecord>()) : groupsById(ctx, ids);
  },
);

const findLastManagers = prepareQuery<CiDatabase, { ids: readonly number[] }, RunnerManager>((db, { ids }) =>
  db
    .selectFrom('runner_managers as m')
    .distinctOn('m.runner_id')
    .select(columns(RunnerManager, 'm'))
    .where('m.runner_id', '=', anyOf(ids, 'bigint'))
    .orderBy('m.runner_id')
    .orderBy('m.contacted_at', (order) => order.desc().nullsLast())
    .orderBy('m.id', 'desc'),
);

/** The program that made contact last, of each runner. */
const lastManagers = load(getId, async (ctx, runners): Promise<Map<number, RunnerManager>> => {
  const managers = await findLastManagers(ctx, { ids: runners.map(getId) });
  return new Map(managers.map((manager) => [manager.runner_id, manager]));
});

const projectOfRunner = serializer<ProjectOfRunner>('ProjectOfRunner', {
  id: out.integer((project) => project.id),
  name: out.text((project) => project.name),
  name_with_namespace: out.text((project) => project.full_name),
  path: out.text((project) => project.path),
  path_with_namespace: out.text((project) => project.full_path),
});

const groupOfRunner = serializer<GroupRecord>('GroupOfRunner', {
  id: out.integer((group) => group.id),
  web_url: out.text((group, ctx) => `${ctx.config.externalUrl}/groups/${group.full_path}`),
  name: out.text((group) => group.name),
});

const getGroups = (runner: FoundRunner, ctx: Context): GroupRecord[] => {
  const group = groupsOfRunners.of(runner, ctx);
  return group ? [group] : [];
};

const isOfType = (type: RunnerType) => (runner: FoundRunner) => runner.runner_type === type;

const ofLastManager = (name: 'architecture' | 'platform' | 'revision' | 'version') =>
  out.nullableText((runner: FoundRunner, ctx) => lastManagers.of(runner, ctx)?.[name] ?? null, {
    description: 'Of the program that made contact last.',
  });

/** A runner by itself (ci-execution.md section 9). */
export const runnerDetails = serializer<FoundRunner>(
  'RunnerDetails',
  {
    ...runnerFields,
    tag_list: out.texts((runner) => runner.tag_list),
    run_untagged: out.boolean((runner) => runner.run_untagged, {
      description: 'If `true`, the runner also gets jobs without tags.',
    }),
    locked: out.boolean((runner) => runner.locked, {
      description: 'If `true`, the runner is assigned to no further project.',
    }),
    maximum_timeout: out.nullableInteger((runner) => runner.maximum_timeout ?? null, {
      description: 'Seconds that a job may run there; null is no limit.',
    }),
    access_level: out.text((runner) => runner.access_level, { enum: RUNNER_ACCESS_LEVELS }),
    version: ofLastManager('version'),
    revision: ofLastManager('revision'),
    platform: ofLastManager('platform'),
    architecture: ofLastManager('architecture'),
    contacted_at: out.nullableInstant((runner) => runner.contacted_at ?? null),
    maintenance_note: out.nullableText((runner) => runner.maintenance_note ?? null),
    ...visibleIf(isOfType('project_type'), {
      projects: out.records(projectOfRunner, (runner: FoundRunner, ctx) => projectsOfRunner.of(runner, ctx) ?? []),
    }),
    ...visibleIf(isOfType('group_type'), { groups: out.records(groupOfRunner, getGroups) }),
  },
  { loads: [projectsOfRunner, groupsOfRunners, lastManagers] },
);
