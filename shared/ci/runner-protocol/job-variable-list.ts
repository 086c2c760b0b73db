import type { Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import type { Variables } from '../configuration-model/configuration.types.js';
import { variableBinding } from '../pipelines/insert-pipelines.js';
import { ManualJobVariable } from '../pipelines/job.entity.js';
import { PipelineVariable } from '../pipelines/pipeline.entity.js';
import { jobVariableBinding } from '../processing/manual-job-variables.js';
import { loadStoredVariables } from '../variables/stored-variables.js';
import type { HandedVariable } from './job-payload.types.js';
import type { HandedJob } from './load-handed-job.js';
import { getEnvironmentVariables, getPredefinedJobVariables } from './predefined-job-variables.js';

const findOwn = prepareQuery((db: Kysely<CiDatabase>, values: Placeholders<{ pipelineId: number }>) =>
  db
    .selectFrom('pipeline_variables as v')
    .select(columns(PipelineVariable, 'v'))
    .where('v.pipeline_id', '=', values.pipelineId)
    .orderBy('v.id'),
);

const findManual = prepareQuery((db: Kysely<CiDatabase>, values: Placeholders<{ jobId: number }>) =>
  db
    .selectFrom('job_variables as v')
    .select(columns(ManualJobVariable, 'v'))
    .where('v.job_id', '=', values.jobId)
    .orderBy('v.id'),
);

const OPEN = { public: true, file: false, masked: false } as const;

/** Values that are final. */
const fromTexts = (values: Readonly<Record<string, string>>): HandedVariable[] =>
  Object.entries(values).map(([key, value]) => ({ key, value, ...OPEN, raw: true }));

/** Variables of a configuration, which everybody who reads the code knows. */
export const fromConfiguration = (variables: Variables): HandedVariable[] =>
  Object.entries(variables).map(([key, { value, expand }]) => ({ key, value, ...OPEN, raw: !expand }));

/** Secret variables of the project, the groups above it and the instance, as far as this job may have them. */
async function loadSecrets(ctx: Context, handed: HandedJob): Promise<HandedVariable[]> {
  const { project, pipeline, definition } = handed;
  const stored = await loadStoredVariables(ctx, project, {
    ref: `refs/${pipeline.tag ? 'tags' : 'heads'}/${pipeline.ref}`,
    isProtected: handed.protected,
    environment: definition.environment?.name ?? null,
  });
  return Object.entries(stored).map(([key, { value, masked, expand, variable_type }]) => ({
    key,
    value,
    public: false,
    file: variable_type === 'file',
    masked,
    raw: !expand,
  }));
}

/** Those that the pipeline was started with. */
async function loadOwn(ctx: Context, pipelineId: number): Promise<HandedVariable[]> {
  const rows = await findOwn(ctx, { pipelineId });
  return rows.map(({ key, value, variable_type, raw }) => ({
    key,
    value: ctx.services.keys.decrypt(Buffer.from(value), variableBinding(pipelineId, key)),
    public: false,
    file: variable_type === 'file',
    masked: false,
    raw,
  }));
}

/** Those that a manual job was started with. */
async function loadManual(ctx: Context, jobId: number): Promise<HandedVariable[]> {
  const rows = await findManual(ctx, { jobId });
  return rows.map(({ key, value }) => ({
    key,
    value: ctx.services.keys.decrypt(Buffer.from(value), jobVariableBinding(jobId, key)),
    public: false,
    file: false,
    masked: false,
    raw: false,
  }));
}

/** Each name once, with the value that counts, where that stands. */
function dropOverridden(variables: readonly HandedVariable[]): HandedVariable[] {
  const last = new Map<string, HandedVariable>();
  for (const variable of variables) {
    last.delete(variable.key);
    last.set(variable.key, variable);
  }
  return [...last.values()];
}

/** What the token of a job is sent as. */
interface JobCredential {
  token: string;
  cloneUrl: string;
}

/**
 * The variables of a job from the lowest precedence to the highest (ci-execution.md section 7).
 * @param timeout seconds that the job may run
 * @throws Error if a value cannot be decrypted
 */
export async function loadJobVariableList(
  ctx: Context,
  handed: HandedJob,
  { token, cloneUrl }: JobCredential,
  timeout: number,
): Promise<HandedVariable[]> {
  const { definition } = handed;
  const { environment } = definition;
  const [secrets, own, manual] = await Promise.all([
    loadSecrets(ctx, handed),
    loadOwn(ctx, handed.pipeline_id),
    loadManual(ctx, handed.id),
  ]);
  return dropOverridden([
    ...fromTexts(getPredefinedJobVariables(ctx, handed, timeout)),
    { key: 'CI_JOB_TOKEN', value: token, public: false, file: false, masked: true, raw: true },
    { key: 'CI_REPOSITORY_URL', value: cloneUrl, public: false, file: false, masked: false, raw: true },
    ...(environment ? fromTexts(getEnvironmentVariables(environment)) : []),
    ...(environment?.url === undefined
      ? []
      : [{ key: 'CI_ENVIRONMENT_URL', value: environment.url, ...OPEN, raw: false }]),
    ...fromConfiguration(definition.global_variables),
    ...fromConfiguration(definition.variables),
    ...secrets,
    ...own,
    ...manual,
  ]);
}
