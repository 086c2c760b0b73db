import { containerColumn } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { whenTaken } from '../../core/database/database-errors.js';
import { Invalid } from '../../core/errors.js';
import type { Problems } from '../../core/errors.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { Container } from '../../tenancy/containers/container.js';

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

// Validation looked before, but somebody was quicker.
for (const index of ['milestones_project_title', 'milestones_namespace_title'])
  whenTaken(index, () => milestoneFailure('create', { title: [USED] }));

/** What is to be stored. */
export interface MilestoneValues {
  title: string;
  description: string | null;
  start_date: string | null;
  due_date: string | null;
}

const isTooLong = (value: string, most: number) => value.length > most && [...value].length > most;
const tooLong = (most: number) => `is too long (maximum is ${most} characters)`;

/** Other milestones that share the names of a container's: a project's with its group's, and the other way round. */
function sharing(container: Container): Fragment {
  const own = sql`m.${containerColumn(container.kind)} = ${container.id}`;
  if (container.kind === 'project') return sql`(${own} or m.namespace_id = ${container.record.namespace_id})`;
  return sql`(${own} or m.project_id = any(array(select p.id from projects p where p.namespace_id = ${container.id})))`;
}

/** Whether a title is in use where it would be taken for another milestone's. */
async function isTitleUsed(ctx: Context, container: Container, title: string, except: number): Promise<boolean> {
  const row = await ctx.queryOne(sql`
    select 1 as found from milestones m where m.title = ${title} and m.id <> ${except} and ${sharing(container)} limit 1`);
  return row !== null;
}

/**
 * What is wrong with a milestone's values (core-resources.md section 8).
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
