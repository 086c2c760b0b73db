import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { anyOf } from '../../core/database/expressions.js';
import { BadParams, Invalid } from '../../core/values/errors.js';
import { object, list, optional, oneOf, text, withDefault } from '../../core/operations/fields.js';
import type { CiDatabase } from '../ci.entities.js';
import { inputsBinding, variableBinding } from './insert-pipelines.js';
import type { PlainVariable } from './insert-pipelines.js';
import { PipelineVariable } from './pipeline.entity.js';

const MAX_NAME = 255;
/** Of an input's value as JSON, for schedules too. */
export const MAX_VALUE_BYTES = 1024 * 1024;
const MAX_INPUTS = 20;

/** Parameters for starting a pipeline. */
export const startParams = {
  variables: optional(
    list(
      object({
        key: text().describe('Name of the variable.'),
        value: text().describe('Value of the variable.'),
        variable_type: withDefault(oneOf(['env_var', 'file']), 'env_var').describe('Type of the variable.'),
      }),
    ),
  ).describe('Variables of the pipeline.'),
  inputs: optional(z.record(z.string(), z.unknown())).describe('Inputs of the pipeline, by name.'),
};

type VariableAttributes = Omit<PlainVariable, 'raw'>;

/** @throws Invalid for names that are invalid in a shell, and for duplicate names */
export function checkVariables(variables: readonly VariableAttributes[]): void {
  const keys = variables.map(({ key }) => key);
  const repeated = keys.filter((key, index) => keys.indexOf(key) !== index);
  if (repeated.length > 0)
    throw new Invalid({
      base: [`Duplicate variable ${repeated.length > 1 ? 'names' : 'name'}: ${[...new Set(repeated)].join(', ')}`],
    });
  const problems: string[] = [];
  if (keys.some((key) => !/^\w*$/.test(key))) problems.push("can contain only letters, digits and '_'.");
  if (keys.some((key) => key === '')) problems.unshift("can't be blank");
  if (keys.some((key) => key.length > MAX_NAME)) problems.push(`is too long (maximum is ${MAX_NAME} characters)`);
  if (problems.length > 0) throw new Invalid({ 'variables.key': problems });
}

function isInputValue(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value);
}

/** @throws BadParams, Invalid */
export function checkInputs(inputs: Record<string, unknown>): void {
  const bad = Object.keys(inputs).filter((name) => !isInputValue(inputs[name]));
  if (bad.length > 0) throw new BadParams(bad.map((name) => `inputs[${name}] is invalid`));
  const names = Object.keys(inputs);
  if (names.length > MAX_INPUTS) throw new Invalid({ inputs: [`exceeds the limit of ${MAX_INPUTS}.`] });
  if (names.some((name) => name.length > MAX_NAME))
    throw new Invalid({ 'inputs.name': [`is too long (maximum is ${MAX_NAME} characters)`] });
  if (Object.values(inputs).some((value) => Buffer.byteLength(JSON.stringify(value)) > MAX_VALUE_BYTES))
    throw new Invalid({ 'inputs.value': [`is too long (maximum is ${MAX_VALUE_BYTES} characters)`] });
}

const findVariables = prepareQuery((db: Kysely<CiDatabase>, { pipeline_id }: Placeholders<{ pipeline_id: number }>) =>
  db
    .selectFrom('pipeline_variables as v')
    .select(columns(PipelineVariable, 'v'))
    .where('v.pipeline_id', '=', pipeline_id)
    .orderBy('v.id'),
);

/** The variables that a pipeline was started with, decrypted, in input order. */
export async function loadPipelineVariables(ctx: Context, pipelineId: number): Promise<PlainVariable[]> {
  const rows = await findVariables(ctx, { pipeline_id: pipelineId });
  return rows.map(({ key, variable_type, raw, value }) => ({
    key,
    value: ctx.services.keys.decrypt(Buffer.from(value), variableBinding(pipelineId, key)),
    variable_type,
    raw,
  }));
}

/** An input that a pipeline was started with; its value has its JSON type. */
export interface PipelineInput {
  name: string;
  value: unknown;
}

const findInputs = prepareQuery((db: Kysely<CiDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('pipelines as pl')
    .select(['pl.id', 'pl.project_id', 'pl.iid', 'pl.inputs'])
    .where('pl.id', '=', anyOf(ids, 'bigint'))
    .where('pl.inputs', 'is not', null)
    .$narrowType<{ inputs: Uint8Array }>(),
);

/** The inputs that many pipelines were started with, decrypted, in input order, by pipeline. */
export async function loadPipelineInputs(
  ctx: Context,
  pipelineIds: readonly number[],
): Promise<Map<number, PipelineInput[]>> {
  const rows = await findInputs(ctx, { ids: pipelineIds });
  const plain = rows.map(({ id, project_id, iid, inputs }) => {
    const decrypted = ctx.services.keys.decrypt(Buffer.from(inputs), inputsBinding(project_id, iid));
    const values = Object.entries(JSON.parse(decrypted) as Record<string, unknown>);
    return [id, values.map(([name, value]) => ({ name, value }))] as const;
  });
  return new Map(plain);
}
