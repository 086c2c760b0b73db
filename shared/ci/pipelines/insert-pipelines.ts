import type { Context } from '../../core/context.js';
import { toldToPages } from '../../core/page-changes/page-changes.js';
import { sql } from '../../core/sql.js';
import { cancelOutdatedPipelines } from './cancel-outdated-pipelines.js';
import { isTagRef, shortRef } from '../../repositories/repositories/repository-ref.finder.js';

export interface PlainVariable {
  key: string;
  value: string;
  variable_type: string;
  raw: boolean;
}

export interface NewPipeline {
  project_id: number;
  /** Full: `refs/heads/main`. */
  ref: string;
  sha: string;
  source: string;
  user_id: number;
  pipeline_schedule_id: number | null;
  variables: readonly PlainVariable[];
  inputs: Record<string, unknown> | null;
}

const NO_COMMIT = '0'.repeat(40);

/** What an encrypted variable of a pipeline is bound to. */
export const variableBinding = (pipelineId: number, key: string) => `pipeline_variables:${pipelineId}:${key}`;
/** Inputs are sealed before the pipeline has an id, so its project and number stand for it. */
export const inputsBinding = (projectId: number, iid: number) => `pipelines.inputs:${projectId}:${iid}`;

/** Runs of schedules stand beside what people start, and what was only reported from outside starts nothing. */
const cancelsOlder = ({ source }: NewPipeline): boolean => source !== 'schedule' && source !== 'external';

/** Reserves `count` numbers for each project and answers the last of each. Rows are locked in id order. */
async function reserveNumbers(ctx: Context, counts: Map<number, number>): Promise<Map<number, number>> {
  const ids = [...counts.keys()].sort((a, b) => a - b);
  const rows = await ctx.query<{ project_id: number; last_value: number }>(sql`
    insert into project_counters (project_id, kind, last_value)
    select u.project_id, 'pipeline', u.count from unnest(${ids}::bigint[], ${ids.map((id) => counts.get(id))}::bigint[])
        as u (project_id, count) order by u.project_id
    on conflict (project_id, kind) do update set last_value = project_counters.last_value + excluded.last_value
    returning project_id, last_value`);
  return new Map(rows.map((row) => [row.project_id, row.last_value]));
}

/**
 * Makes many pipelines with a constant number of statements, in the caller's transaction; one is a batch of one.
 * Rights are the caller's business. Answers the ids in the order given.
 */
export async function insertPipelines(ctx: Context, pipelines: readonly NewPipeline[]): Promise<number[]> {
  if (pipelines.length === 0) return [];
  const counts = new Map<number, number>();
  for (const { project_id } of pipelines) counts.set(project_id, (counts.get(project_id) ?? 0) + 1);
  const last = await reserveNumbers(ctx, counts);
  const next = new Map([...last].map(([id, value]) => [id, value - (counts.get(id) ?? 0) + 1]));
  const iids = pipelines.map(({ project_id }) => {
    const iid = next.get(project_id) as number;
    next.set(project_id, iid + 1);
    return iid;
  });
  const now = ctx.clock.now();
  const column = <V>(read: (pipeline: NewPipeline, index: number) => V) => pipelines.map(read);
  const sealedInputs = column(({ project_id, inputs }, index) =>
    inputs && Object.keys(inputs).length > 0
      ? ctx.services.keys.encrypt(JSON.stringify(inputs), inputsBinding(project_id, iids[index] as number))
      : null,
  );
  const rows = await ctx.query<{ id: number; project_id: number; iid: number }>(sql`
    with made as (
      insert into pipelines (project_id, iid, ref, tag, sha, before_sha, status, source, user_id,
                             pipeline_schedule_id, inputs, created_at, updated_at)
      select u.project_id, u.iid, u.ref, u.tag, u.sha, ${NO_COMMIT}, 'pending', u.source, u.user_id,
             u.schedule_id, u.inputs, ${now}, ${now}
        from unnest(${column((one) => one.project_id)}::bigint[], ${iids}::int[],
                    ${column((one) => shortRef(one.ref))}::text[], ${column((one) => isTagRef(one.ref))}::bool[],
                    ${column((one) => one.sha)}::text[], ${column((one) => one.source)}::text[],
                    ${column((one) => one.user_id)}::bigint[], ${column((one) => one.pipeline_schedule_id)}::bigint[],
                    ${sealedInputs}::bytea[])
          as u (project_id, iid, ref, tag, sha, source, user_id, schedule_id, inputs)
      returning id, project_id, iid), told as materialized (select ${toldToPages('pipelines', counts.keys())})
    select made.id, made.project_id, made.iid from made cross join told`);
  const idOf = new Map(rows.map((row) => [`${row.project_id}:${row.iid}`, row.id]));
  const ids = column(({ project_id }, index) => idOf.get(`${project_id}:${iids[index]}`) as number);
  await insertVariables(ctx, pipelines, ids);
  await cancelOutdatedPipelines(
    ctx,
    ids.filter((_, index) => cancelsOlder(pipelines[index] as NewPipeline)),
  );
  return ids;
}

async function insertVariables(ctx: Context, pipelines: readonly NewPipeline[], ids: readonly number[]) {
  const rows = pipelines.flatMap((pipeline, index) =>
    pipeline.variables.map((variable) => ({
      ...variable,
      project_id: pipeline.project_id,
      pipeline_id: ids[index] as number,
    })),
  );
  if (rows.length === 0) return;
  const sealed = rows.map((row) => ctx.services.keys.encrypt(row.value, variableBinding(row.pipeline_id, row.key)));
  await ctx.query(sql`
    insert into pipeline_variables (project_id, pipeline_id, key, value, variable_type, raw)
    select * from unnest(${rows.map((row) => row.project_id)}::bigint[], ${rows.map((row) => row.pipeline_id)}::bigint[],
      ${rows.map((row) => row.key)}::text[], ${sealed}::bytea[],
      ${rows.map((row) => row.variable_type)}::text[], ${rows.map((row) => row.raw)}::bool[])`);
}
