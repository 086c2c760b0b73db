import type { Expression, SqlBool } from 'kysely';
import { containerColumn } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { anyIn, arrayFrom, constant } from '../../core/database/expressions.js';
import { onUniqueViolation } from '../../core/values/database-errors.js';
import { Invalid } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';
import type { Container } from '../../tenancy/containers/container.js';
import type { OfMilestones } from './milestone.finder.js';
import { onMilestones } from './milestone.finder.js';

const MAX_TITLE = 255;
const MAX_DESCRIPTION = 1_000_000;
const USED = 'already being used for another group or project milestone.';

/** Problems in the notation that clients of the public API match on: `{:title=>["can't be blank"]}`. */
export function milestoneFailure(doing: 'create' | 'update', problems: Problems): Invalid {
  const entries = Object.entries(problems).map(
    ([field, texts]) => `:${field}=>[${texts.map((text) => JSON.stringify(text)).join(', ')}]`,
  );
  return new Invalid(`Failed to ${doing} milestone {${entries.join(', ')}}`);
}

// Validation already checks this, but a concurrent request may have been faster.
for (const index of ['milestones_project_title', 'milestones_namespace_title'])
  onUniqueViolation(index, () => milestoneFailure('create', { title: [USED] }));

/** The values to store. */
export interface MilestoneValues {
  title: string;
  description: string | null;
  start_date: string | null;
  due_date: string | null;
}

const isTooLong = (value: string, most: number) => value.length > most && [...value].length > most;
const tooLong = (most: number) => `is too long (maximum is ${most} characters)`;

/** Other milestones that share the names of a container's: a project's with its group's, and the other way round. */
function isSharing({ kind, id, record }: Container): Expression<SqlBool> {
  const own = onMilestones(`m.${containerColumn(kind)}`, '=', id);
  if (kind === 'project') return onMilestones.or([own, onMilestones('m.namespace_id', '=', record.namespace_id)]);
  const projects = onMilestones.selectFrom('projects as p').select('p.id').where('p.namespace_id', '=', id);
  return onMilestones.or([own, onMilestones('m.project_id', '=', anyIn(arrayFrom(projects)))]);
}

/** Whether a title is already used by another milestone that it could be confused with. */
async function isTitleUsed(ctx: Context, container: Container, title: string, except: number): Promise<boolean> {
  const other = await ctx.em
    .getKysely<OfMilestones>()
    .selectFrom('milestones as m')
    .select('m.id')
    .where('m.title', '=', title)
    .where('m.id', '<>', except)
    .where(isSharing(container))
    .limit(constant(1))
    .executeTakeFirst();
  return other !== undefined;
}

/**
 * Validation errors of a milestone's values (core-resources.md section 8).
 * @param except id of the milestone itself; 0 for a new one
 */
export async function milestoneProblems(
  ctx: Context,
  container: Container,
  { title, description, start_date, due_date }: MilestoneValues,
  except: number,
): Promise<Problems> {
  const problems: Problems = {};
  const texts: string[] = [];
  if (title.trim() === '') texts.push("can't be blank");
  else if (await isTitleUsed(ctx, container, title, except)) texts.push(USED);
  if (isTooLong(title, MAX_TITLE)) texts.push(tooLong(MAX_TITLE));
  if (texts.length > 0) problems.title = texts;
  if (isTooLong(description ?? '', MAX_DESCRIPTION)) problems.description = [tooLong(MAX_DESCRIPTION)];
  if (start_date !== null && due_date !== null && due_date <= start_date)
    problems.due_date = ['must be greater than start date'];
  return problems;
}
