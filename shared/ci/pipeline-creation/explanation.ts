import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import type { ExcludedJob } from '../configuration/compile.types.js';
import type { IncludedFile } from '../configuration-files/include.types.js';
import type { Problem } from '../configuration-model/configuration.types.js';
import type { RuleExplanation } from '../rules/rules.types.js';
import type { PlannedConfiguration } from './plan-pipeline.js';
import type { VariableLevel } from './preset-variables.js';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Of an explanation as it is stored. */
const MAX_BYTES = 1024 * 1024;
const RETENTION_DAYS = 30;
const BATCH = 500;
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

/** Why a pipeline has its jobs and not others. No value of a secret variable is in it. */
export interface StoredExplanation {
  configuration: { path: string; blob_id: string | null };
  includes: Pick<IncludedFile, 'type' | 'location' | 'blob'>[];
  variables: { key: string; from: VariableLevel }[];
  workflow: RuleExplanation[];
  jobs: { name: string; explanation: RuleExplanation[] }[];
  excluded: ExcludedJob[];
  errors: Problem[];
  warnings: Problem[];
  /** Whether conditions were left out, since all of them would be too long. */
  shortened: boolean;
}

/** The same with the pipeline that it is of. */
export interface PipelineReasons extends StoredExplanation {
  pipeline_id: number;
}

/** Why a pipeline has one of its jobs. */
export interface JobReasons {
  job_id: number;
  pipeline_id: number;
  name: string;
  explanation: RuleExplanation[];
  shortened: boolean;
}

function describe({ path, blob_id, compilation, variables }: PlannedConfiguration): StoredExplanation {
  return {
    configuration: { path: path === '' ? '.gitlab-ci.yml' : path, blob_id },
    includes: compilation.includes.map(({ type, location, blob }) => ({ type, location, blob })),
    variables: Object.entries(variables).map(([key, { level }]) => ({ key, from: level })),
    workflow: compilation.workflow_explanation,
    jobs: compilation.jobs.map(({ name, explanation }) => ({ name, explanation })),
    excluded: compilation.excluded.map(({ name, why, explanation }) => ({ name, why, explanation })),
    errors: compilation.errors,
    warnings: compilation.warnings,
    shortened: false,
  };
}

/** The same without the rules of jobs. */
const shorten = (explanation: StoredExplanation): StoredExplanation => ({
  ...explanation,
  jobs: explanation.jobs.map(({ name }) => ({ name, explanation: [] })),
  excluded: explanation.excluded.map(({ name, why }) => ({ name, why, explanation: [] })),
  shortened: true,
});

/** Why a pipeline has its jobs, as it is stored; null for what is too long to be kept. */
export async function packExplanation(configuration: PlannedConfiguration): Promise<Buffer | null> {
  const explanation = describe(configuration);
  for (const content of [explanation, shorten(explanation)]) {
    const packed = await pack(JSON.stringify(content), { level: 1 });
    if (packed.length <= MAX_BYTES) return packed;
  }
  return null;
}

/** Stores what {@link packExplanation} made. */
export async function storeExplanation(
  ctx: Context,
  projectId: number,
  pipelineId: number,
  packed: Buffer,
): Promise<void> {
  await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('pipeline_explanations')
    .values({ project_id: projectId, pipeline_id: pipelineId, packed, created_at: ctx.clock.now() })
    .execute();
}

/** What was stored for a pipeline; null where there is nothing, or no longer. */
export async function loadExplanation(ctx: Context, pipelineId: number): Promise<StoredExplanation | null> {
  const row = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipeline_explanations')
    .select('packed')
    .where('pipeline_id', '=', pipelineId)
    .executeTakeFirst();
  if (!row) return null;
  const text = await unpack(row.packed, { maxOutputLength: MAX_UNPACKED_BYTES });
  return JSON.parse(text.toString('utf8')) as StoredExplanation;
}

/** Removes explanations older than 30 days. Answers how many. */
export async function pruneExplanations(ctx: Context): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - RETENTION_DAYS * 86_400_000);
  let removed = 0;
  await inSteps(ctx, async () => {
    const rows = await ctx.em
      .getKysely<CiDatabase>()
      .deleteFrom('pipeline_explanations')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('pipeline_explanations as o')
          .select('o.id')
          .where('o.created_at', '<', before)
          .limit(constant(BATCH)),
      )
      .returning('id')
      .execute();
    removed += rows.length;
    return rows.length === BATCH;
  });
  return removed;
}
