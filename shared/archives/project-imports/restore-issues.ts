import { sql } from '../../core/sql.js';
import { mayReadIssuables } from '../../planning/issuables/assignable-users.js';
import { COUNT_PART } from '../../planning/issues/open-issues-count.js';
import { projectTables } from '../../tenancy/projects/project.finder.js';
import { importedAuthor, rowsOfRelation, timeOf, userOf } from '../archive-imports/restoring.js';
import { restoreIssueNotes } from './restore-issue-notes.js';
import {
  elementsOf,
  elementTime,
  inForceFor,
  keepProjectNumbers,
  lockProjectNumbers,
  nearestOf,
  projectNumbersFor,
} from './restoring-project.js';
import type { ProjectRestorer, RestoringProject } from './restoring-project.js';

const RELATION = 'issues';

/** A label of an issue that is in force nowhere here was one of a group above, and is made anew as the project's. */
async function makeLabels(restoring: RestoringProject): Promise<void> {
  const { ctx, project } = restoring;
  const now = ctx.clock.now();
  await ctx.query(sql`
    insert into labels (project_id, title, color, description, archived, created_at, updated_at)
    select distinct on (e.data -> 'label' ->> 'title') ${project.id}::bigint, e.data -> 'label' ->> 'title',
           e.data -> 'label' ->> 'color', e.data -> 'label' ->> 'description', false, ${now}::timestamptz, ${now}::timestamptz
      from ${elementsOf(restoring, RELATION, 'label_links')}
       and not exists (select 1 from labels l where ${inForceFor(restoring, sql`l`)} and l.title = e.data -> 'label' ->> 'title')
     order by e.data -> 'label' ->> 'title', r.line
    on conflict do nothing`);
}

async function insertIssues(restoring: RestoringProject): Promise<void> {
  const { ctx, project } = restoring;
  const last = await lockProjectNumbers(restoring, 'issue');
  await ctx.query(sql`
    update archive_import_rows r set made_id = nextval(pg_get_serial_sequence('issues', 'id'))
     where ${rowsOfRelation(restoring, RELATION)}`);
  const rows = sql`
    (select f.line, (f.data ->> 'iid')::integer as iid from archive_import_rows f
      where ${rowsOfRelation(restoring, RELATION, sql`f`)})`;
  const closed = sql`r.data ->> 'state' = 'closed'`;
  const spent = sql`
    (select coalesce(sum((t ->> 'time_spent')::bigint), 0) from jsonb_array_elements(r.data -> 'timelogs') t)`;
  await ctx.query(sql`
    insert into issues (id, project_id, iid, issue_type, title, description, state, confidential, discussion_locked,
                        author_id, updated_by_id, closed_by_id, milestone_id, weight, severity, start_date, due_date,
                        relative_position, time_estimate, total_time_spent, task_count, completed_task_count, closed_at,
                        last_edited_at, created_at, updated_at)
    select r.made_id, ${project.id}::bigint, n.number, r.data ->> 'issue_type', r.data ->> 'title', r.data ->> 'description',
           r.data ->> 'state', coalesce((r.data ->> 'confidential')::boolean, false), (r.data ->> 'discussion_locked')::boolean,
           ${importedAuthor(restoring, sql`(r.data ->> 'author_id')::bigint`)},
           ${userOf(restoring, sql`(r.data ->> 'updated_by_id')::bigint`)},
           case when ${closed} then ${userOf(restoring, sql`(r.data ->> 'closed_by_id')::bigint`)} end,
           ${nearestOf(restoring, sql`milestones`, sql`r.data -> 'milestone' ->> 'title'`)},
           case when ${ctx.hasPlan('premium')}::boolean then (r.data ->> 'weight')::integer end, r.data ->> 'severity',
           (r.data ->> 'start_date')::date, (r.data ->> 'due_date')::date, (r.data ->> 'relative_position')::bigint,
           (r.data ->> 'time_estimate')::integer, greatest(-2147483648, least(2147483647, ${spent}))::integer,
           (r.data ->> 'task_count')::integer, (r.data ->> 'completed_task_count')::integer,
           case when ${closed} then coalesce((r.data ->> 'closed_at')::timestamptz, ${timeOf(restoring, 'updated_at')}) end,
           (r.data ->> 'last_edited_at')::timestamptz, ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
      from archive_import_rows r join ${projectNumbersFor(rows, sql`issues`, project.id, last)} n on n.line = r.line
     where ${rowsOfRelation(restoring, RELATION)} order by r.line`);
  await keepProjectNumbers(restoring, 'issue', sql`issues`);
}

/** Labels, emoji, work, and who works on it: of users here those who may read the project's issues. */
async function restorePeopleAndLabels(restoring: RestoringProject): Promise<void> {
  const { ctx, project } = restoring;
  const user = userOf(restoring, sql`(e.data ->> 'user_id')::bigint`);
  const label = nearestOf(restoring, sql`labels`, sql`e.data -> 'label' ->> 'title'`);
  const time = elementTime(restoring);
  await ctx.query(sql`
    insert into issue_labels (project_id, issue_id, label_id)
    select ${project.id}::bigint, x.made_id, x.label_id
      from (select r.made_id, ${label} as label_id from ${elementsOf(restoring, RELATION, 'label_links')}) x
     where x.label_id is not null
    on conflict do nothing`);
  await ctx.query(sql`
    insert into issue_assignees (project_id, issue_id, user_id)
    select ${project.id}::bigint, x.made_id, u.id
      from (select r.made_id, ${user} as user_id, e.at from ${elementsOf(restoring, RELATION, 'issue_assignees')}) x
      join users u on u.id = x.user_id and u.state in ('active', 'deactivated')
     where (x.at = 1 or ${ctx.hasPlan('premium')}::boolean)
       and exists (select 1 from ${projectTables}
                    where p.id = ${project.id} and ${mayReadIssuables(ctx, project.issues_access_level)})
    on conflict do nothing`);
  await ctx.query(sql`
    insert into issue_award_emojis (project_id, issue_id, user_id, name, created_at, updated_at)
    select distinct on (x.made_id, x.user_id, x.name) ${project.id}::bigint, x.made_id, x.user_id, x.name, x.time, x.time
      from (select r.made_id, ${user} as user_id, e.data ->> 'name' as name, ${time} as time
              from ${elementsOf(restoring, RELATION, 'award_emoji')}) x
     where x.user_id is not null order by x.made_id, x.user_id, x.name`);
  await ctx.query(sql`
    insert into issue_timelogs (project_id, issue_id, user_id, time_spent, summary, spent_at, created_at)
    select ${project.id}::bigint, r.made_id, ${user}, (e.data ->> 'time_spent')::integer, e.data ->> 'summary',
           ${elementTime(restoring, 'spent_at')}, ${time}
      from ${elementsOf(restoring, RELATION, 'timelogs')} order by r.line, e.at`);
}

/** What was told of changes of state, labels, milestones and weights. */
async function restoreEvents(restoring: RestoringProject): Promise<void> {
  const { ctx, project } = restoring;
  const user = userOf(restoring, sql`(e.data ->> 'user_id')::bigint`);
  const time = elementTime(restoring);
  await ctx.query(sql`
    insert into issue_state_events (project_id, issue_id, user_id, state, created_at)
    select ${project.id}::bigint, r.made_id, ${user}, e.data ->> 'state', ${time}
      from ${elementsOf(restoring, RELATION, 'resource_state_events')} and e.data ->> 'state' in ('closed', 'reopened')
     order by r.line, e.at`);
  await ctx.query(sql`
    insert into issue_label_events (project_id, issue_id, user_id, label_id, action, created_at)
    select ${project.id}::bigint, r.made_id, ${user},
           ${nearestOf(restoring, sql`labels`, sql`e.data -> 'label' ->> 'title'`)}, e.data ->> 'action', ${time}
      from ${elementsOf(restoring, RELATION, 'resource_label_events')} and e.data ->> 'action' is not null
     order by r.line, e.at`);
  await ctx.query(sql`
    insert into issue_milestone_events (project_id, issue_id, user_id, milestone_id, action, state, created_at)
    select ${project.id}::bigint, r.made_id, ${user},
           ${nearestOf(restoring, sql`milestones`, sql`e.data -> 'milestone' ->> 'title'`)}, e.data ->> 'action',
           case when e.data ->> 'state' = 'closed' then 'closed' else 'opened' end, ${time}
      from ${elementsOf(restoring, RELATION, 'resource_milestone_events')} and e.data ->> 'action' is not null
     order by r.line, e.at`);
  await ctx.query(sql`
    insert into issue_weight_events (project_id, issue_id, user_id, weight, created_at)
    select ${project.id}::bigint, r.made_id, ${user},
           case when (e.data ->> 'weight')::numeric between 0 and 2147483647 then (e.data ->> 'weight')::integer end, ${time}
      from ${elementsOf(restoring, RELATION, 'resource_weight_events')} order by r.line, e.at`);
}

/** Links of issues to each other, and to the epic of the same number and title in a group above. */
async function restoreLinks(restoring: RestoringProject): Promise<void> {
  const { ctx, project } = restoring;
  await ctx.query(sql`
    with sources as (
      select distinct on ((t.data ->> 'iid')::integer) (t.data ->> 'iid')::integer as iid, t.made_id
        from archive_import_rows t where ${rowsOfRelation(restoring, RELATION, sql`t`)} and t.made_id is not null
       order by (t.data ->> 'iid')::integer, t.line)
    insert into issue_links (project_id, source_id, target_id, link_type, created_at, updated_at)
    select ${project.id}::bigint, r.made_id, s.made_id, e.data ->> 'link_type', ${elementTime(restoring)},
           ${elementTime(restoring, 'updated_at')}
      from (select x.* from archive_import_rows x where ${rowsOfRelation(restoring, RELATION, sql`x`)}) r
           cross join jsonb_array_elements(coalesce(nullif(r.data -> 'issue_links', 'null'), '[]')) with ordinality as e (data, at)
           join sources s on s.iid = (e.data ->> 'target_iid')::numeric and s.made_id <> r.made_id
     where r.made_id is not null
       and (e.data ->> 'link_type' = 'relates_to' or (e.data ->> 'link_type' = 'blocks' and ${ctx.hasPlan('premium')}::boolean))
     order by r.line, e.at
    on conflict do nothing`);
  if (!ctx.hasPlan('premium')) return;
  const groups = [...project.namespace.traversal_ids];
  await ctx.query(sql`
    insert into epic_issues (project_id, epic_id, issue_id)
    select ${project.id}::bigint, x.epic_id, x.made_id
      from (select r.line, r.made_id,
                   (select ep.id from epics ep
                     where ep.namespace_id = any(${groups}::bigint[]) and ep.iid = (r.data -> 'epic' ->> 'iid')::numeric
                       and ep.title = r.data -> 'epic' ->> 'title'
                       -- Whoever maintains the project does not see all confidential ones of the groups above.
                       and (not ep.confidential or ((r.data ->> 'confidential')::boolean and ep.namespace_id = ${project.namespace_id}))
                     order by array_position(${groups}::bigint[], ep.namespace_id) desc limit 1) as epic_id
              from archive_import_rows r where ${rowsOfRelation(restoring, RELATION)} and r.made_id is not null) x
     where x.epic_id is not null order by x.line
    on conflict do nothing`);
}

/** Follows the new issues in the count of open ones, last. */
async function countOpen({ ctx, importId, source, project }: RestoringProject): Promise<void> {
  // A count that others change at the same time.
  await ctx.query(sql`
    insert into project_issue_counts as c (project_id, part, opened, opened_confidential)
    select ${project.id}::bigint, ${COUNT_PART}, count(*), count(*) filter (where i.confidential)
      from archive_import_rows r join issues i on i.id = r.made_id
     where ${rowsOfRelation({ importId, source }, RELATION)} and i.state = 'opened'
    on conflict (project_id, part) do update set opened = c.opened + excluded.opened,
      opened_confidential = c.opened_confidential + excluded.opened_confidential`);
}

/** Issues with all that belongs to them. */
export const issueRestorer: ProjectRestorer = {
  relation: RELATION,
  async restore(restoring) {
    await insertIssues(restoring);
    await makeLabels(restoring);
    await restorePeopleAndLabels(restoring);
    await restoreEvents(restoring);
    await restoreLinks(restoring);
    await restoreIssueNotes(restoring);
    await countOpen(restoring);
  },
};
