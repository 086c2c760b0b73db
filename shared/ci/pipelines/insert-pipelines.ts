import type { Context } from '../../core/context/context.js';
import { pageNotification } from '../../core/page-changes/page-changes.js';
import { constant, unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
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

/** What stands for the commit before the first one. */
export const NO_BEFORE_SHA = '0'.repeat(40);

/** The binding of an encrypted pipeline variable. */
export const variableBinding = (pipelineId: number, key: string) => `pipeline_variables:${pipelineId}:${key}`;
/** Inputs are encrypted before the pipeline has an id, so the binding uses its project and number instead. */
export const inputsBinding = (projectId: number, iid: number) => `pipelines.inputs:${projectId}:${iid}`;

/** Inputs as they are stored; null for none. */
export const sealInputs = (
  ctx: Context,
  projectId: number,
  iid: number,
  inputs: NewPipeline['inputs'],
): Buffer<ArrayBuffer> | null =>
  inputs && Object.keys(inputs).length > 0
    ? ctx.services.keys.encrypt(JSON.stringify(inputs), inputsBinding(projectId, iid))
    : null;

/** Scheduled runs are independent of pipelines started by users, and externally reported pipelines start nothing. */
export const cancelsOlder = ({ source }: Pick<NewPipeline, 'source'>): boolean =>
  source !== 'schedule' && source !== 'external';

/** Reserves `count` numbers for each project and answers the last of each. Rows are locked in id order. */
export async function reserveNumbers(ctx: Context, counts: Map<number, number>): Promise<Map<number, number>> {
  const ids = [...counts.keys()].sort((a, b) => a - b);
  const rows = await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('project_counters')
    .columns(['project_id', 'kind', 'last_value'])
    .expression((eb) =>
      eb
        .selectFrom(
          unnestedColumns({
            project_id: [ids, 'bigint'],
            count: [ids.map((id) => counts.get(id) as number), 'bigint'],
          }).as('u'),
        )
        .select(['u.project_id', constant('pipeline').as('kind'), 'u.count'])
        .orderBy('u.project_id'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'kind'])
        .doUpdateSet((eb) => ({ last_value: eb('project_counters.last_value', '+', eb.ref('excluded.last_value')) })),
    )
    .returning(['project_id', 'last_value'])
    .execute();
  return new Map(rows.map((row) => [row.project_id, row.last_value]));
}

/**
 * Creates many pipelines with a constant number of statements, in the caller's transaction; a single pipeline is a
 * batch of one. The caller must check permissions. Returns the ids in input order.
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
    sealInputs(ctx, project_id, iids[index] as number, inputs),
  );
  const values = unnestedColumns({
    project_id: [column((one) => one.project_id), 'bigint'],
    iid: [iids, 'int'],
    ref: [column((one) => shortRef(one.ref)), 'text'],
    tag: [column((one) => isTagRef(one.ref)), 'boolean'],
    sha: [column((one) => one.sha), 'text'],
    source: [column((one) => one.source), 'text'],
    user_id: [column((one) => one.user_id), 'bigint'],
    schedule_id: [column((one) => one.pipeline_schedule_id), 'bigint'],
    inputs: [sealedInputs, 'bytea'],
  });
  const rows = await ctx.em
    .getKysely<CiDatabase>()
    .with('inserted', (db) =>
      db
        .insertInto('pipelines')
        .columns([
          'project_id',
          'iid',
          'ref',
          'tag',
          'sha',
          'before_sha',
          'status',
          'source',
          'user_id',
          'pipeline_schedule_id',
          'inputs',
          'created_at',
          'updated_at',
        ])
        .expression((eb) =>
          eb
            .selectFrom(values.as('u'))
            .select([
              'u.project_id',
              'u.iid',
              'u.ref',
              'u.tag',
              'u.sha',
              constant(NO_BEFORE_SHA).as('before_sha'),
              constant('pending').as('status'),
              'u.source',
              'u.user_id',
              'u.schedule_id',
              'u.inputs',
              eb.val(now).as('created_at'),
              eb.val(now).as('updated_at'),
            ]),
        )
        .returning(['id', 'project_id', 'iid']),
    )
    .with(
      (cte) => cte('notified').materialized(),
      (db) => db.selectNoFrom(pageNotification('pipelines', counts.keys()).as('notified')),
    )
    .selectFrom('inserted')
    .crossJoin('notified')
    .select(['inserted.id', 'inserted.project_id', 'inserted.iid'])
    .execute();
  const idOf = new Map(rows.map((row) => [`${row.project_id}:${row.iid}`, row.id]));
  const ids = column(({ project_id }, index) => idOf.get(`${project_id}:${iids[index]}`) as number);
  await insertVariables(ctx, pipelines, ids);
  await cancelOutdatedPipelines(
    ctx,
    ids.filter((_, index) => cancelsOlder(pipelines[index] as NewPipeline)),
  );
  return ids;
}

/** Stores the variables that pipelines were started with, encrypted, by one statement. */
export async function insertVariables(
  ctx: Context,
  pipelines: readonly Pick<NewPipeline, 'project_id' | 'variables'>[],
  ids: readonly number[],
): Promise<void> {
  const rows = pipelines.flatMap((pipeline, index) =>
    pipeline.variables.map((variable) => ({
      ...variable,
      project_id: pipeline.project_id,
      pipeline_id: ids[index] as number,
    })),
  );
  if (rows.length === 0) return;
  const stored = unnestedColumns({
    project_id: [rows.map((row) => row.project_id), 'bigint'],
    pipeline_id: [rows.map((row) => row.pipeline_id), 'bigint'],
    key: [rows.map((row) => row.key), 'text'],
    value: [
      rows.map((row) => ctx.services.keys.encrypt(row.value, variableBinding(row.pipeline_id, row.key))),
      'bytea',
    ],
    variable_type: [rows.map((row) => row.variable_type), 'text'],
    raw: [rows.map((row) => row.raw), 'boolean'],
  });
  await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('pipeline_variables')
    .columns(['project_id', 'pipeline_id', 'key', 'value', 'variable_type', 'raw'])
    .expression((eb) =>
      eb
        .selectFrom(stored.as('u'))
        .select(['u.project_id', 'u.pipeline_id', 'u.key', 'u.value', 'u.variable_type', 'u.raw']),
    )
    .execute();
}
