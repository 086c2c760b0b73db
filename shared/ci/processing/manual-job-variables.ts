import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';

/** The binding of an encrypted variable of a job. */
export const jobVariableBinding = (jobId: number, key: string) => `job_variables:${jobId}:${key}`;

/** Gives retries the variables that users started the earlier jobs with: each is encrypted again, for its new job. */
export async function copyJobVariables(
  ctx: Context<Caller>,
  copies: readonly { old_id: number; new_id: number }[],
): Promise<void> {
  const newIds = new Map(copies.map((copy) => [copy.old_id, copy.new_id]));
  const db = ctx.em.getKysely<CiDatabase>();
  const found = await db
    .selectFrom('job_variables as v')
    .select(['v.project_id', 'v.job_id', 'v.key', 'v.value'])
    .where('v.job_id', '=', anyOf([...newIds.keys()], 'bigint'))
    .orderBy('v.id')
    .execute();
  if (found.length === 0) return;
  const { keys } = ctx.services;
  const copied = found.map(({ project_id, job_id: oldId, key, value }) => {
    const job_id = newIds.get(oldId) as number;
    const plain = keys.decrypt(Buffer.from(value), jobVariableBinding(oldId, key));
    return { project_id, job_id, key, value: keys.encrypt(plain, jobVariableBinding(job_id, key)) };
  });
  const values = unnestedColumns({
    project_id: [copied.map((variable) => variable.project_id), 'bigint'],
    job_id: [copied.map((variable) => variable.job_id), 'bigint'],
    key: [copied.map(({ key }) => key), 'text'],
    value: [copied.map(({ value }) => value), 'bytea'],
  });
  await db
    .insertInto('job_variables')
    .columns(['project_id', 'job_id', 'key', 'value'])
    .expression((eb) => eb.selectFrom(values.as('u')).select(['u.project_id', 'u.job_id', 'u.key', 'u.value']))
    .execute();
}
