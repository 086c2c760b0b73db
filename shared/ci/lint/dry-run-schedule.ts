import { BadParams, NotFound } from '../../core/values/errors.js';
import { optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { findRef, expandRef, shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { compileForProject } from '../configuration/compile-for-project.js';
import { createCompilation, FILTERED_TEXTS, rejectCompilation } from '../configuration/compile.types.js';
import type { Compilation } from '../configuration/compile.types.js';
import { readUsedConfiguration } from '../configuration/configuration-source.js';
import { pipelineSchedule } from '../pipeline-schedules/pipeline-schedule.finder.js';
import { pipelineSchedulePolicy } from '../pipeline-schedules/pipeline-schedule.policy.js';
import { loadInputs, loadVariables } from '../pipeline-schedules/schedule-values.js';
import { requireRunOnRef } from '../pipelines/pipeline-rights.js';
import { describeProblems } from './describe-problems.js';
import type { LintProblem } from './describe-problems.js';
import { lintExclusion, lintJob, lintProblem } from './lint.serializer.js';
import { isProtectedRef, loadPresetVariables } from '../pipeline-creation/preset-variables.js';
import type { VariableLevel } from '../pipeline-creation/preset-variables.js';

interface RehearsedPipeline {
  name: string | null;
  ref: string;
  sha: string;
  user: UserSummary;
}

interface ScheduleDryRun {
  valid: boolean;
  problems: LintProblem[];
  pipeline: RehearsedPipeline;
  variables: { key: string; from: VariableLevel }[];
  compilation: Compilation;
}

const USER_FIELDS = ['id', 'username', 'name', 'public_email', 'state', 'avatar'] as const;

const rehearsedPipeline = serializer<RehearsedPipeline>('RehearsedPipeline', {
  name: out.nullableText(({ name }) => name),
  source: out.text(() => 'scheduled'),
  ref: out.text(({ ref }) => ref),
  sha: out.text(({ sha }) => sha),
  user: out.record(userSummary, ({ user }) => user),
});

const rehearsedVariable = serializer<ScheduleDryRun['variables'][number]>('RehearsedVariable', {
  key: out.text(({ key }) => key),
  from: out.text(({ from }) => from, { enum: ['pipeline', 'project', 'group', 'instance'] }),
});

const messages = (problems: readonly LintProblem[], severity: LintProblem['severity']) =>
  problems.filter((problem) => problem.severity === severity).map(({ message }) => message);

/** What a run of a schedule would make. */
export const scheduleDryRun = serializer<ScheduleDryRun>('ScheduleDryRun', {
  valid: out.boolean(({ valid }) => valid, { description: 'If `true`, the run makes a pipeline.' }),
  errors: out.texts(({ problems }) => messages(problems, 'error')),
  warnings: out.texts(({ problems }) => messages(problems, 'warning')),
  problems: out.records(lintProblem, ({ problems }) => problems),
  pipeline: out.record(rehearsedPipeline, ({ pipeline }) => pipeline),
  variables: out.records(rehearsedVariable, ({ variables }) => variables, {
    description: 'Variables of the pipeline without their values.',
  }),
  jobs: out.records(lintJob, ({ compilation }) => compilation.jobs),
  excluded: out.records(lintExclusion, ({ compilation }) => compilation.excluded),
});

/**
 * Show what a run of a schedule by the caller would make of the project's configuration: its jobs, and why others would
 * be left out. Nothing is written. A project without a file gets a pipeline without jobs, as its runs do.
 */
export const dryRunPipelineSchedule = operation({
  name: 'dryRunPipelineSchedule',
  summary: 'Simulate a run of a pipeline schedule',
  resource: pipelineSchedule,
  can: can(pipelineSchedulePolicy, 'play_pipeline_schedule'),
  kind: 'read',
  scopes: ['api'],
  limit: 'pipeline_schedule_dry_run',
  statements: 16,
  params: {
    as_of_ref: optional(text()).describe('Another branch or tag to simulate the run on.'),
  },
  async run(ctx, schedule, { as_of_ref }) {
    const { project } = schedule;
    const expansion =
      as_of_ref === undefined ? { fullName: schedule.ref } : await expandRef(ctx, project.id, as_of_ref);
    if (expansion === 'ambiguous') throw new BadParams(['as_of_ref is not a branch or tag']);
    const ref = expansion.fullName;
    const head = await findRef(ctx, project.id, ref);
    if (!head) throw new NotFound('Reference');
    await requireRunOnRef(ctx, project, ref);
    const plain = (await loadVariables(ctx, [schedule.id])).get(schedule.id) ?? [];
    const hides = !pipelineSchedulePolicy.read_pipeline_schedule_variables(ctx.caller, schedule);
    const isProtected = await isProtectedRef(ctx, project, ref);
    const variables = await loadPresetVariables(ctx, project, { ref, isProtected }, plain, {
      masked: hides,
      secret: hides,
    });
    const inputs = (await loadInputs(ctx, [schedule.id])).get(schedule.id) ?? [];
    const { text: content, blob_id, error, configPath } = await readUsedConfiguration(ctx, project, head.target_sha);
    const draft = {
      project,
      ref,
      sha: head.target_sha,
      source: 'schedule',
      blob_id,
      configPath,
      inputs: Object.fromEntries(inputs.map(({ name, value }) => [name, value])),
      variables,
      isProtected,
    };
    const mode = { evaluatesRules: true, merged: false };
    const withoutFile = () => (error === null ? createCompilation() : rejectCompilation(error));
    const compilation =
      content === null ? withoutFile() : await compileForProject(ctx, { ...draft, text: content }, mode);
    const { errors, filtered, workflow } = compilation;
    const user = await ctx.em.findOneOrFail(User, { id: ctx.caller.id }, { fields: USER_FIELDS });
    const all = filtered ? [...errors, { message: FILTERED_TEXTS[filtered] }] : errors;
    return {
      valid: all.length === 0,
      problems: describeProblems(all, compilation.warnings),
      pipeline: { name: workflow?.name ?? null, ref: shortRef(ref), sha: head.target_sha, user },
      variables: Object.entries(variables).map(([key, { level }]) => ({ key, from: level })),
      compilation,
    };
  },
});
