import type { Context } from '../../core/context/context.js';
import { unnestedColumns } from '../../core/database/expressions.js';
import { list, object, optional, text } from '../../core/operations/fields.js';
import { Invalid } from '../../core/values/errors.js';
import type { CiDatabase } from '../ci.entities.js';
import type { JobRecord } from '../jobs/job.finder.js';
import { jobVariableBinding } from '../processing/manual-job-variables.js';

const MAX_VARIABLES = 100;
const MAX_VALUE = 10_000;
const KEY = /^\w{1,255}$/;

interface ManualVariable {
  key: string;
  value: string;
}

/** Parameters for starting a manual job. */
export const playParams = {
  job_variables_attributes: optional(
    list(
      object({
        key: text().describe('Name of the variable.'),
        value: text().describe('Value of the variable.'),
      }),
    ),
  ).describe('Variables of the job, which win over all others.'),
};

/** @throws Invalid for names that are invalid in a shell, and for too much */
export function checkJobVariables(variables: readonly ManualVariable[]): void {
  const problems: string[] = [];
  if (variables.some(({ key }) => !KEY.test(key))) problems.push("can contain only letters, digits and '_'.");
  if (variables.some(({ value }) => value.length > MAX_VALUE))
    problems.push(`is too long (maximum is ${MAX_VALUE} characters)`);
  if (variables.length > MAX_VARIABLES) problems.push(`exceeds the limit of ${MAX_VARIABLES}.`);
  if (problems.length > 0) throw new Invalid({ job_variables: problems });
}

/** Stores the variables that a user starts a manual job with; of several with one name the last. */
export async function saveJobVariables(
  ctx: Context,
  job: Pick<JobRecord, 'id' | 'project_id'>,
  variables: readonly ManualVariable[],
): Promise<void> {
  const db = ctx.em.getKysely<CiDatabase>();
  await db.deleteFrom('job_variables').where('job_id', '=', job.id).execute();
  const values = [...new Map(variables.map(({ key, value }) => [key, value]))];
  if (values.length === 0) return;
  const rows = unnestedColumns({
    key: [values.map(([key]) => key), 'text'],
    value: [values.map(([key, value]) => ctx.services.keys.encrypt(value, jobVariableBinding(job.id, key))), 'bytea'],
  });
  await db
    .insertInto('job_variables')
    .columns(['project_id', 'job_id', 'key', 'value'])
    .expression((eb) =>
      eb
        .selectFrom(rows.as('u'))
        .select([eb.val(job.project_id).as('project_id'), eb.val(job.id).as('job_id'), 'u.key', 'u.value']),
    )
    .execute();
}
