import { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { anything, boolean, object, list, optional, text } from '../../core/operations/fields.js';
import { anyOf, unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { MAX_VALUE_BYTES } from '../pipelines/start-values.js';
import { scheduleInputBinding } from './schedule-values.js';

const MAX_INPUTS = 20;
const MAX_NAME = 255;

export interface InputChange {
  name: string;
  value?: unknown;
  destroy?: boolean | undefined;
  _destroy?: boolean | undefined;
}

const isHash = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const removes = (input: InputChange) => input.destroy === true || input._destroy === true;

/** Adds a dummy value to a removal, which needs none, because values are required later. */
function withoutNeed(item: unknown): unknown {
  if (!isHash(item)) return item;
  const destroys = boolean().safeParse(item.destroy).data === true || boolean().safeParse(item._destroy).data === true;
  return destroys ? { ...item, value: true } : item;
}

const inputValue = () =>
  anything().refine(
    (value) => value === undefined || ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value),
    'is invalid',
  );

const input = object({
  name: text().describe('Name of the input.'),
  value: inputValue().describe('Value of the input: a string, array, number or boolean.'),
  destroy: optional(boolean()).describe('If `true`, removes the input with this name.'),
  _destroy: optional(boolean()).describe('Alias of `destroy`: if `true`, removes the input with this name.'),
});

/** `inputs`, each `{name, value}`, or `{name, destroy: true}`; the interface document shows `_destroy` as well, and one hash alone. */
export const inputParams = {
  inputs: optional(
    z.preprocess(
      (value) => (isHash(value) && 'name' in value ? [value] : value),
      list(z.preprocess(withoutNeed, input).meta(input.meta() ?? {})),
    ),
  ).describe('Inputs of the pipelines.'),
};

/** Rules about inputs (pipeline-schedules.md section 4); `names` are those that the schedule has already. */
export function inputProblems(inputs: readonly InputChange[], names: readonly string[] = []): Record<string, string[]> {
  const problems: Record<string, string[]> = {};
  const sent = inputs.map((input) => input.name);
  if (new Set(sent).size < sent.length) problems.inputs = ['have duplicate values (name)'];
  const after = new Set(names);
  for (const input of inputs) {
    if (removes(input)) after.delete(input.name);
    else after.add(input.name);
  }
  if (after.size > MAX_INPUTS) problems.inputs = [...(problems.inputs ?? []), `exceeds the limit of ${MAX_INPUTS}.`];
  const writtenInputs = inputs.filter((input) => !removes(input));
  if (writtenInputs.some((input) => input.name.trim() === '')) problems['inputs.name'] = ["can't be blank"];
  if (writtenInputs.some((input) => input.name.length > MAX_NAME))
    problems['inputs.name'] = [`is too long (maximum is ${MAX_NAME} characters)`];
  if (writtenInputs.some((input) => Buffer.byteLength(JSON.stringify(input.value)) > MAX_VALUE_BYTES))
    problems['inputs.value'] = [`is too long (maximum is ${MAX_VALUE_BYTES} characters)`];
  return problems;
}

/** Which inputs changes write, and which they remove. */
export const changedInputs = (inputs: readonly InputChange[]): { set: string[]; removed: string[] } => ({
  set: inputs.filter((input) => !removes(input)).map(({ name }) => name),
  removed: inputs.filter(removes).map(({ name }) => name),
});

/** Upserts by name; the unnamed stay; removing an unknown name has no effect (section 5). */
export async function saveInputs(
  ctx: Context,
  schedule: { id: number; project_id: number },
  inputs: readonly InputChange[],
): Promise<void> {
  const db = ctx.em.getKysely<CiDatabase>();
  const removed = inputs.filter(removes).map((input) => input.name);
  if (removed.length > 0)
    await db
      .deleteFrom('pipeline_schedule_inputs')
      .where('pipeline_schedule_id', '=', schedule.id)
      .where('name', '=', anyOf(removed, 'text'))
      .execute();
  const writtenInputs = inputs.filter((input) => !removes(input));
  if (writtenInputs.length === 0) return;
  const sealed = writtenInputs.map((input) =>
    ctx.services.keys.encrypt(JSON.stringify(input.value), scheduleInputBinding(schedule.id, input.name)),
  );
  const now = ctx.clock.now();
  const values = unnestedColumns({
    name: [writtenInputs.map((input) => input.name), 'text'],
    value: [sealed, 'bytea'],
  });
  await db
    .insertInto('pipeline_schedule_inputs')
    .columns(['project_id', 'pipeline_schedule_id', 'name', 'value', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom(values.as('u'))
        .select([
          eb.val(schedule.project_id).as('project_id'),
          eb.val(schedule.id).as('pipeline_schedule_id'),
          'u.name',
          'u.value',
          eb.val(now).as('created_at'),
          eb.val(now).as('updated_at'),
        ]),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'pipeline_schedule_id', 'name'])
        .doUpdateSet((eb) => ({ value: eb.ref('excluded.value'), updated_at: now })),
    )
    .execute();
}
