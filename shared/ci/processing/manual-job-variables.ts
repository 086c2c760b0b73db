import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';

/** The binding of an encrypted variable of a job. */
export const jobVariableBinding = (jobId: number, key: string) => `job_variables:${jobId}:${key}`;

/** A variable that a user started a job with. */
interface JobVariable {
  project_id: number;
  job_id: number;
  key: string;
  /** Null where it cannot be decrypted. */
  value: string | null;
}

/** Loads the variables that users started jobs with. */
export async function loadJobVariables(ctx: Context<Caller>, jobIds: readonly number[]): Promise<JobVariable[]> {
  const found = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('job_variables as v')
    .select(['v.project_id', 'v.job_id', 'v.key', 'v.value'])
    .where('v.job_id', '=', anyOf(jobIds, 'bigint'))
    .orderBy('v.id')
    .execute();
  const read = (sealed: Uint8Array, binding: string): string | null => {
    try {
      return ctx.services.keys.decrypt(Buffer.from(sealed), binding);
    } catch {
      return null;
    }
  };
  return found.map((row) => ({ ...row, value: read(row.value, jobVariableBinding(row.job_id, row.key)) }));
}

/** Gives retries the variables of the earlier jobs: each is encrypted again, for its new job. */
export async function copyJobVariables(
  ctx: Context<Caller>,
  variables: readonly JobVariable[],
  copies: readonly { old_id: number; new_id: number }[],
): Promise<void> {
  const newIds = new Map(copies.map((copy) => [copy.old_id, copy.new_id]));
  const copied = variables.flatMap(({ project_id, job_id: oldId, key, value }) => {
    const job_id = newIds.get(oldId);
    if (job_id === undefined || value === null) return [];
    return [{ project_id, job_id, key, value: ctx.services.keys.encrypt(value, jobVariableBinding(job_id, key)) }];
  });
  if (copied.length === 0) return;
  const values = unnestedColumns({
    project_id: [copied.map((variable) => variable.project_id), 'bigint'],
    job_id: [copied.map((variable) => variable.job_id), 'bigint'],
    key: [copied.map(({ key }) => key), 'text'],
    value: [copied.map(({ value }) => value), 'bytea'],
  });
  await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('job_variables')
    .columns(['project_id', 'job_id', 'key', 'value'])
    .expression((eb) => eb.selectFrom(values.as('u')).select(['u.project_id', 'u.job_id', 'u.key', 'u.value']))
    .execute();
}
