import type { Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { anyOf } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import type { PlainVariable } from '../pipelines/insert-pipelines.js';
import { PipelineScheduleInput, PipelineScheduleVariable, PipelineSchedule } from './pipeline-schedule.entity.js';

/** The binding of an encrypted variable: its schedule and key. */
export const scheduleVariableBinding = (scheduleId: number, key: string) =>
  `pipeline_schedule_variables:${scheduleId}:${key}`;
/** The binding of an encrypted input: its schedule and name. */
export const scheduleInputBinding = (scheduleId: number, name: string) =>
  `pipeline_schedule_inputs:${scheduleId}:${name}`;

interface PlainInput {
  name: string;
  value: unknown;
}

/** Called for a schedule of which something cannot be decrypted. Without one the error is thrown. */
type OnUnreadable = (scheduleId: number) => void;

function grouped<R extends { pipeline_schedule_id: number }, V>(
  rows: R[],
  read: (row: R) => V,
  onUnreadable?: OnUnreadable,
): Map<number, V[]> {
  const groups = new Map<number, V[]>();
  for (const row of rows) {
    const group = groups.get(row.pipeline_schedule_id) ?? [];
    try {
      group.push(read(row));
    } catch (error) {
      if (!onUnreadable) throw error;
      onUnreadable(row.pipeline_schedule_id);
    }
    groups.set(row.pipeline_schedule_id, group);
  }
  return groups;
}

/** A stored variable as a caller knows it. */
export function plainVariable(ctx: Context, row: PipelineScheduleVariable): PlainVariable {
  const binding = scheduleVariableBinding(row.pipeline_schedule_id, row.key);
  return {
    key: row.key,
    variable_type: row.variable_type,
    value: ctx.services.keys.decrypt(Buffer.from(row.value), binding),
    raw: row.raw,
  };
}

const findVariables = prepareQuery((db: Kysely<CiDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('pipeline_schedule_variables as v')
    .select(columns(PipelineScheduleVariable, 'v'))
    .where('v.pipeline_schedule_id', '=', anyOf(ids, 'bigint'))
    .orderBy('v.id'),
);

/** The variables of many schedules as stored, oldest first. */
export function variableRows(ctx: Context, scheduleIds: readonly number[]): Promise<PipelineScheduleVariable[]> {
  return findVariables(ctx, { ids: scheduleIds });
}

const findInputs = prepareQuery((db: Kysely<CiDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('pipeline_schedule_inputs as i')
    .select(columns(PipelineScheduleInput, 'i'))
    .where('i.pipeline_schedule_id', '=', anyOf(ids, 'bigint'))
    .orderBy('i.id'),
);

/** The inputs of many schedules as stored, oldest first. */
export function inputRows(ctx: Context, scheduleIds: readonly number[]): Promise<PipelineScheduleInput[]> {
  return findInputs(ctx, { ids: scheduleIds });
}

/** Stored variables decrypted, by schedule. */
export function readVariables(
  ctx: Context,
  rows: PipelineScheduleVariable[],
  onUnreadable?: OnUnreadable,
): Map<number, PlainVariable[]> {
  return grouped(rows, (row) => plainVariable(ctx, row), onUnreadable);
}

/** Stored inputs with their JSON types, by schedule. */
export function readInputs(
  ctx: Context,
  rows: PipelineScheduleInput[],
  onUnreadable?: OnUnreadable,
): Map<number, PlainInput[]> {
  const read = (row: PipelineScheduleInput) => {
    const binding = scheduleInputBinding(row.pipeline_schedule_id, row.name);
    return { name: row.name, value: JSON.parse(ctx.services.keys.decrypt(Buffer.from(row.value), binding)) as unknown };
  };
  return grouped(rows, read, onUnreadable);
}

/** The variables of many schedules, decrypted, oldest first. */
export async function loadVariables(
  ctx: Context,
  scheduleIds: readonly number[],
  onUnreadable?: OnUnreadable,
): Promise<Map<number, PlainVariable[]>> {
  return readVariables(ctx, await variableRows(ctx, scheduleIds), onUnreadable);
}

/** The inputs of many schedules with their JSON types, oldest first. */
export async function loadInputs(
  ctx: Context,
  scheduleIds: readonly number[],
  onUnreadable?: OnUnreadable,
): Promise<Map<number, PlainInput[]>> {
  return readInputs(ctx, await inputRows(ctx, scheduleIds), onUnreadable);
}

/**
 * The time of an edit: later than every earlier edit, so that `unchanged_since` identifies the version that a caller
 * saw.
 */
export const editTime = (before: Date, now: Date): Date => (now > before ? now : new Date(before.getTime() + 1));

/**
 * Marks a schedule as edited because its variables or inputs changed, so that concurrent edits are rejected as outdated
 * (decision 80).
 */
export async function noteEdit(ctx: Context, { id, updated_at }: { id: number; updated_at: Date }): Promise<void> {
  await ctx.em.nativeUpdate(PipelineSchedule, { id }, { updated_at: editTime(updated_at, ctx.clock.now()) });
}
