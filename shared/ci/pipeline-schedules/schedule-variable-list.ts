import type { Context } from '../../core/context/context.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { columns } from '../../core/database/columns.js';
import { anyOf, constant, unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import type { PlainVariable } from '../pipelines/insert-pipelines.js';
import type { ScheduleRecord } from './pipeline-schedule.entity.js';
import { PipelineScheduleVariable } from './pipeline-schedule.entity.js';
import { pipelineSchedulePolicy } from './pipeline-schedule.policy.js';
import { assertNoProblems } from './schedule-rules.js';
import { plainVariable, scheduleVariableBinding, variableRows } from './schedule-values.js';

export const VARIABLE_TYPES = ['env_var', 'file'] as const;
const MAX_KEY = 255;

/** Rules about the key of a variable, blanks around it cut off (pipeline-schedules.md section 4). */
export function keyProblems(key: string): string[] {
  const problems: string[] = [];
  if (key === '') problems.push("can't be blank");
  if (key.length > MAX_KEY) problems.push(`is too long (maximum is ${MAX_KEY} characters)`);
  if (!/^[A-Za-z0-9_]+$/.test(key)) problems.push("can contain only letters, digits and '_'.");
  return problems;
}

/** A variable with its id, which callers of GraphQL name it by. */
export interface ListedVariable extends PlainVariable {
  id: number;
}

/** One wish about a schedule's variables: with `id` edit or, with `destroy`, remove that one; without add one. */
interface VariableChange {
  id?: number | undefined;
  key: string;
  value: string;
  variable_type: string;
  destroy?: boolean | undefined;
}

/** The variables of many schedules, decrypted, oldest first, by schedule. */
export async function listVariables(ctx: Context, ids: readonly number[]): Promise<Map<number, ListedVariable[]>> {
  const rows = await variableRows(ctx, ids);
  const lists = new Map<number, ListedVariable[]>(ids.map((id) => [id, []]));
  for (const row of rows) lists.get(row.pipeline_schedule_id)?.push({ id: row.id, ...plainVariable(ctx, row) });
  return lists;
}

/** Not 403: the rest of the request would be allowed, so the error identifies the part that is not. @throws Invalid */
function requireRights(ctx: Context, schedule: ScheduleRecord, changes: readonly VariableChange[]): void {
  const needed = changes.some((change) => change.destroy)
    ? (['set_pipeline_schedule_variables', 'destroy_pipeline_schedule_variables'] as const)
    : (['set_pipeline_schedule_variables'] as const);
  if (!needed.every((ability) => pipelineSchedulePolicy[ability](ctx.caller, schedule)))
    throw new Invalid({ base: ['The current user is not authorized to set pipeline schedule variables'] });
}

function getProblems(keys: readonly string[], otherKeys: readonly string[]): Record<string, string[]> {
  const texts = keys.flatMap(keyProblems);
  const all = [...keys, ...otherKeys];
  if (new Set(all).size < all.length) texts.push('has already been taken');
  return texts.length > 0 ? { 'variables.key': [...new Set(texts)] } : {};
}

/**
 * Edits, removes and adds variables of a schedule, all or none, in the caller's transaction.
 * @throws Invalid for unauthorized changes and for bad keys, NotFound for an id of another schedule
 */
export async function changeVariables(
  ctx: Context,
  schedule: ScheduleRecord,
  changes: readonly VariableChange[],
): Promise<void> {
  if (changes.length === 0) return;
  requireRights(ctx, schedule, changes);
  const existing = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipeline_schedule_variables as v')
    .select(columns(PipelineScheduleVariable, 'v'))
    .where('v.project_id', '=', schedule.project_id)
    .where('v.pipeline_schedule_id', '=', schedule.id)
    .forUpdate()
    .execute();
  const byId = new Map(existing.map((row) => [row.id, row]));
  const ids = changes.flatMap(({ id }) => (id === undefined ? [] : [id]));
  if (ids.some((id) => !byId.has(id)) || new Set(ids).size < ids.length)
    throw new NotFound('Pipeline Schedule Variable');
  const written = changes.filter((change) => !change.destroy).map((change) => ({ ...change, key: change.key.trim() }));
  const untouched = existing.filter((row) => !ids.includes(row.id)).map((row) => row.key);
  assertNoProblems(
    getProblems(
      written.map((change) => change.key),
      untouched,
    ),
  );
  // Edited variables are deleted and inserted again with the same id: two may swap their keys, which are always unique.
  if (ids.length > 0)
    await ctx.em
      .getKysely<CiDatabase>()
      .deleteFrom('pipeline_schedule_variables')
      .where('id', '=', anyOf(ids, 'bigint'))
      .execute();
  const edited = written.filter((change) => change.id !== undefined);
  await insert(
    ctx,
    schedule,
    edited,
    edited.map((change) => byId.get(change.id as number) ?? null),
  );
  await insert(
    ctx,
    schedule,
    written.filter((change) => change.id === undefined),
    [],
  );
  recordChanges(ctx, schedule, byId, changes);
}

/** One wish about a variable that its key names: set it, new or not, or with `destroy` remove it. */
interface VariableChangeByKey {
  key: string;
  value?: string | undefined;
  variable_type?: string | undefined;
  destroy?: boolean | undefined;
}

/**
 * Maps changes by key to changes by stored id. Omitted attributes of a stored variable stay unchanged; removing a
 * missing variable is not an error.
 */
export async function byStoredIds(
  ctx: Context,
  schedule: { id: number },
  changes: readonly VariableChangeByKey[],
): Promise<VariableChange[]> {
  if (changes.length === 0) return [];
  const byKey = new Map((await variableRows(ctx, [schedule.id])).map((row) => [row.key, row]));
  return changes.flatMap(({ key: sent, value, variable_type: kind, destroy }) => {
    const key = sent.trim();
    const variable = byKey.get(key);
    if (destroy && !variable) return [];
    return [
      {
        ...(variable ? { id: variable.id } : {}),
        key,
        // A value that can no longer be decrypted can still be overwritten.
        value: value ?? (variable ? plainVariable(ctx, variable).value : ''),
        variable_type: kind ?? variable?.variable_type ?? 'env_var',
        destroy,
      },
    ];
  });
}

/** Whether a stored variable has this value; one that cannot be decrypted has none. */
function holds(ctx: Context, row: PipelineScheduleVariable, value: string): boolean {
  try {
    return plainVariable(ctx, row).value === value;
  } catch {
    return false;
  }
}

/** Records the changes: unchanged values are not recorded; a changed key is recorded as a deletion and a creation. */
function recordChanges(
  ctx: Context,
  schedule: ScheduleRecord,
  before: ReadonlyMap<number, PipelineScheduleVariable>,
  changes: readonly VariableChange[],
): void {
  const recordChange = (what: 'created' | 'updated' | 'deleted', key: string) =>
    ctx.record({ type: `pipeline_schedule_variable.${what}`, schedule, key });
  for (const { id, key: sent, value, variable_type: kind, destroy } of changes) {
    const key = sent.trim();
    const row = id === undefined ? undefined : before.get(id);
    if (!row) {
      if (!destroy) recordChange('created', key);
      continue;
    }
    if (destroy || row.key !== key) recordChange('deleted', row.key);
    if (destroy) continue;
    if (row.key !== key) recordChange('created', key);
    else if (row.variable_type !== kind || !holds(ctx, row, value)) recordChange('updated', key);
  }
}

/** @param before the rows that are replaced, by change; none for new variables */
async function insert(
  ctx: Context,
  schedule: ScheduleRecord,
  changes: readonly VariableChange[],
  before: readonly (PipelineScheduleVariable | null)[],
): Promise<void> {
  if (changes.length === 0) return;
  const now = ctx.clock.now();
  const sealed = changes.map(({ key, value }) =>
    ctx.services.keys.encrypt(value, scheduleVariableBinding(schedule.id, key)),
  );
  const written = unnestedColumns({
    id: [changes.map((_, index) => before[index]?.id ?? null), 'bigint'],
    key: [changes.map(({ key }) => key), 'text'],
    value: [sealed, 'bytea'],
    variable_type: [changes.map((change) => change.variable_type), 'text'],
    raw: [changes.map((_, index) => before[index]?.raw ?? false), 'boolean'],
    created_at: [changes.map((_, index) => before[index]?.created_at ?? now), 'timestamptz'],
  });
  const anew = before.length > 0;
  await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('pipeline_schedule_variables')
    .columns([
      'id',
      'project_id',
      'pipeline_schedule_id',
      'key',
      'value',
      'variable_type',
      'raw',
      'created_at',
      'updated_at',
    ])
    .expression((eb) => {
      const sequence = eb.fn('pg_get_serial_sequence', [constant('pipeline_schedule_variables'), constant('id')]);
      return eb
        .selectFrom(written.as('u'))
        .select([
          anew ? 'u.id' : eb.fn<number>('nextval', [sequence]).as('id'),
          eb.val(schedule.project_id).as('project_id'),
          eb.val(schedule.id).as('pipeline_schedule_id'),
          'u.key',
          'u.value',
          'u.variable_type',
          'u.raw',
          'u.created_at',
          eb.val(now).as('updated_at'),
        ]);
    })
    .execute();
}
