import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { mayReadIssuables } from '../../planning/issuables/assignable-users.js';
import { projectTables } from '../../tenancy/projects/project.finder.js';
import {
  attribute,
  elementsOf,
  elementTime,
  nextId,
  r,
  copiedRows,
  rowsOfRelation,
  tables,
  userOf,
} from '../archive-imports/restoring.js';
import type { RestoringProject } from '../archive-imports/restoring.js';
import { makeNamedLabels, nearestOf } from '../archive-imports/restore-labels.js';
import { milestoneNamed } from '../archive-imports/restore-milestones.js';
import { lockNumbers, numbersFor } from '../archive-imports/numbers.js';

/** What issues and merge requests have alike lies in tables whose names begin with theirs. */
export interface RestoredIssuables {
  readonly relation: 'issues' | 'merge_requests';
  readonly name: 'issue' | 'merge_request';
  /** States that its events tell of. */
  readonly states: readonly string[];
}

/** Adds to the problem of rows of the step, as `r`, that of what was made of them something is missing. */
export async function nameMissing(
  restoring: RestoringProject,
  relation: string,
  { what, when }: { what: Fragment; when: Fragment },
): Promise<void> {
  await restoring.ctx.query(sql`
    update archive_import_rows r set problem = concat_ws('; ', r.problem, 'is made without ' || ${what})
     where ${rowsOfRelation(restoring, relation)} and r.made_id is not null and ${when}`);
}

/** Names milestones of issues or merge requests that were of a group and that no group here has. */
export const nameMissingMilestones = (restoring: RestoringProject, { relation, name }: RestoredIssuables) =>
  nameMissing(restoring, relation, {
    what: sql`concat('its milestone ', r.data -> 'milestone' ->> 'title')`,
    when: sql`r.data -> 'milestone' ->> 'title' is not null and exists (
      select 1 from ${raw(`${name}s`)} i where i.id = r.made_id and i.milestone_id is null)`,
  });

/**
 * Gives all rows that have no problem their numbers and ids, before any is restored: what is made meanwhile by others
 * gets later ones.
 */
export async function numberRows(restoring: RestoringProject, { relation, name }: RestoredIssuables): Promise<void> {
  const last = await lockNumbers(restoring, name);
  const rows = tables(restoring)
    .selectFrom('archive_import_rows as r')
    .select(['r.line', r.cast<number | null>(attribute('iid'), 'integer').as('iid')])
    .where(copiedRows(restoring, relation))
    .where('r.problem', 'is', null);
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .from(numbersFor(restoring, rows, relation, last).as('n'))
    .set((eb) => ({
      number: eb.ref('n.number'),
      made_id: nextId(relation),
    }))
    .where(copiedRows(restoring, relation))
    .whereRef('r.line', '=', 'n.line')
    .execute();
  await tables(restoring)
    .updateTable('project_counters as c')
    .set((eb) => ({
      last_value: eb.fn<number>('greatest', [
        'c.last_value',
        eb
          .selectFrom('archive_import_rows as r')
          .select(({ fn }) => fn.max('r.number').as('last'))
          .where(copiedRows(restoring, relation))
          .$asScalar(),
      ]),
    }))
    .where('c.project_id', '=', restoring.container.id)
    .where('c.kind', '=', name)
    .execute();
}

/** Of users here those who may read them work on them; without Premium the first one alone. */
async function restoreAssignees(restoring: RestoringProject, { relation, name }: RestoredIssuables): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  const level = name === 'issue' ? project.issues_access_level : project.merge_requests_access_level;
  await ctx.query(sql`
    insert into ${raw(`${name}_assignees`)} (project_id, ${raw(`${name}_id`)}, user_id)
    select ${project.id}::bigint, x.made_id, u.id
      from (select r.made_id, ${userOf(restoring, sql`(e.data ->> 'user_id')::bigint`)} as user_id, e.at
              from ${elementsOf(restoring, relation, `${name}_assignees`)}) x
      join users u on u.id = x.user_id and u.state in ('active', 'deactivated')
     where (x.at = 1 or ${ctx.hasPlan('premium')}::boolean)
       and exists (select 1 from ${projectTables} where p.id = ${project.id} and ${mayReadIssuables(ctx, level)})
    on conflict do nothing`);
}

/** Labels, emoji, work, and who works on it. */
export async function restorePeopleAndLabels(restoring: RestoringProject, kind: RestoredIssuables): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  const { relation, name } = kind;
  const user = userOf(restoring, sql`(e.data ->> 'user_id')::bigint`);
  const label = nearestOf(restoring, 'labels', sql`e.data -> 'label' ->> 'title'`);
  const time = elementTime(restoring);
  const owner = raw(`${name}_id`);
  await makeNamedLabels(
    restoring,
    sql`select r.line, e.data -> 'label' as label from ${elementsOf(restoring, relation, 'label_links')}`,
  );
  await ctx.query(sql`
    insert into ${raw(`${name}_labels`)} (project_id, ${owner}, label_id)
    select ${project.id}::bigint, x.made_id, x.label_id
      from (select r.made_id, ${label} as label_id from ${elementsOf(restoring, relation, 'label_links')}) x
     where x.label_id is not null
    on conflict do nothing`);
  await restoreAssignees(restoring, kind);
  await ctx.query(sql`
    insert into ${raw(`${name}_award_emojis`)} (project_id, ${owner}, user_id, name, created_at, updated_at)
    select distinct on (x.made_id, x.user_id, x.name) ${project.id}::bigint, x.made_id, x.user_id, x.name, x.time, x.time
      from (select r.made_id, ${user} as user_id, e.data ->> 'name' as name, ${time} as time
              from ${elementsOf(restoring, relation, 'award_emoji')}) x
     where x.user_id is not null order by x.made_id, x.user_id, x.name`);
  await ctx.query(sql`
    insert into ${raw(`${name}_timelogs`)} (project_id, ${owner}, user_id, time_spent, summary, spent_at, created_at)
    select ${project.id}::bigint, r.made_id, ${user}, (e.data ->> 'time_spent')::integer, e.data ->> 'summary',
           ${elementTime(restoring, 'spent_at')}, ${time}
      from ${elementsOf(restoring, relation, 'timelogs')} order by r.line, e.at`);
}

/** What was told of changes of state, labels and milestones, and what users here did. */
export async function restoreEvents(restoring: RestoringProject, kind: RestoredIssuables): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  const { relation, name, states } = kind;
  const user = userOf(restoring, sql`(e.data ->> 'user_id')::bigint`);
  const time = elementTime(restoring);
  const owner = raw(`${name}_id`);
  await ctx.query(sql`
    insert into ${raw(`${name}_state_events`)} (project_id, ${owner}, user_id, state, created_at)
    select ${project.id}::bigint, r.made_id, ${user}, e.data ->> 'state', ${time}
      from ${elementsOf(restoring, relation, 'resource_state_events')} and e.data ->> 'state' = any(${[...states]}::text[])
     order by r.line, e.at`);
  await ctx.query(sql`
    insert into ${raw(`${name}_label_events`)} (project_id, ${owner}, user_id, label_id, action, created_at)
    select ${project.id}::bigint, r.made_id, ${user},
           ${nearestOf(restoring, 'labels', sql`e.data -> 'label' ->> 'title'`)}, e.data ->> 'action', ${time}
      from ${elementsOf(restoring, relation, 'resource_label_events')} and e.data ->> 'action' is not null
     order by r.line, e.at`);
  await ctx.query(sql`
    insert into ${raw(`${name}_milestone_events`)} (project_id, ${owner}, user_id, milestone_id, action, state, created_at)
    select ${project.id}::bigint, r.made_id, ${user},
           ${milestoneNamed(restoring, sql`e.data -> 'milestone'`)}, e.data ->> 'action',
           case when e.data ->> 'state' in ('closed', 'merged') then e.data ->> 'state' else 'opened' end, ${time}
      from ${elementsOf(restoring, relation, 'resource_milestone_events')} and e.data ->> 'action' is not null
     order by r.line, e.at`);
  // What somebody did who is nobody here was not done by the importer.
  await ctx.query(sql`
    insert into events (project_id, author_id, action, ${owner}, created_at)
    select ${project.id}::bigint, x.author_id, x.action, x.made_id, x.time
      from (select r.line, r.made_id, e.at, e.data ->> 'action' as action, ${time} as time,
                   ${userOf(restoring, sql`(e.data ->> 'author_id')::bigint`)} as author_id
              from ${elementsOf(restoring, relation, 'events')} and e.data ->> 'action' is not null) x
     where x.author_id is not null order by x.line, x.at`);
}

/** Seconds that were spent on a row's record. */
export const spentOf = sql`greatest(-2147483648, least(2147483647,
  (select coalesce(sum((t ->> 'time_spent')::bigint), 0) from jsonb_array_elements(r.data -> 'timelogs') t)))::integer`;
