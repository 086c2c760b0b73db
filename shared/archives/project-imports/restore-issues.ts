import { sql } from '../../core/sql.js';
import { COUNT_PART } from '../../planning/issues/open-issues-count.js';
import { restoreEvents, restorePeopleAndLabels, spentOf } from './restore-issuables.js';
import { IMPORTED_FROM, restoreNotes } from './restore-notes.js';
import {
  elementsOf,
  elementTime,
  importedAuthor,
  rowsOfRelation,
  timeOf,
  userOf,
} from '../archive-imports/restoring.js';
import type { Restorer, RestoringProject } from '../archive-imports/restoring.js';
import { milestoneNamed } from '../archive-imports/restore-milestones.js';
import { nameMissing, nameMissingMilestones, numberRows } from './restore-issuables.js';
import type { RestoredIssuables } from './restore-issuables.js';

const RELATION = 'issues';
/** Issues of one transaction. */
const STEP = 1000;
const kind: RestoredIssuables = { relation: RELATION, name: 'issue', states: ['closed', 'reopened'] };

async function insertIssues(restoring: RestoringProject): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  const closed = sql`r.data ->> 'state' = 'closed'`;
  await ctx.query(sql`
    insert into issues (id, project_id, iid, issue_type, title, description, state, confidential, discussion_locked,
                        author_id, updated_by_id, closed_by_id, milestone_id, weight, severity, start_date, due_date,
                        relative_position, time_estimate, total_time_spent, task_count, completed_task_count, closed_at,
                        last_edited_at, imported_from, created_at, updated_at)
    select r.made_id, ${project.id}::bigint, r.number, r.data ->> 'issue_type', r.data ->> 'title', r.data ->> 'description',
           r.data ->> 'state', coalesce((r.data ->> 'confidential')::boolean, false), (r.data ->> 'discussion_locked')::boolean,
           ${importedAuthor(restoring, sql`(r.data ->> 'author_id')::bigint`)},
           ${userOf(restoring, sql`(r.data ->> 'updated_by_id')::bigint`)},
           case when ${closed} then ${userOf(restoring, sql`(r.data ->> 'closed_by_id')::bigint`)} end,
           ${milestoneNamed(restoring, sql`r.data -> 'milestone'`)},
           case when ${ctx.hasPlan('premium')}::boolean then (r.data ->> 'weight')::integer end, r.data ->> 'severity',
           (r.data ->> 'start_date')::date, (r.data ->> 'due_date')::date, (r.data ->> 'relative_position')::bigint,
           (r.data ->> 'time_estimate')::integer, ${spentOf},
           (r.data ->> 'task_count')::integer, (r.data ->> 'completed_task_count')::integer,
           case when ${closed} then coalesce((r.data ->> 'closed_at')::timestamptz, ${timeOf(restoring, 'updated_at')}) end,
           (r.data ->> 'last_edited_at')::timestamptz, ${IMPORTED_FROM}, ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
      from archive_import_rows r where ${rowsOfRelation(restoring, RELATION)} order by r.line`);
}

async function restoreWeightEvents(restoring: RestoringProject): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  await ctx.query(sql`
    insert into issue_weight_events (project_id, issue_id, user_id, weight, created_at)
    select ${project.id}::bigint, r.made_id, ${userOf(restoring, sql`(e.data ->> 'user_id')::bigint`)},
           case when (e.data ->> 'weight')::numeric between 0 and 2147483647 then (e.data ->> 'weight')::integer end,
           ${elementTime(restoring)}
      from ${elementsOf(restoring, RELATION, 'resource_weight_events')} order by r.line, e.at`);
}

/** Links of issues to each other, once all are there. */
async function restoreLinks(restoring: RestoringProject): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
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
}

/** Issues go back into the epic of the same number and title in a group above. */
async function restoreEpics(restoring: RestoringProject): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
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

const nameMissingEpics = (restoring: RestoringProject) =>
  nameMissing(restoring, RELATION, {
    what: sql`concat('its epic ', r.data -> 'epic' ->> 'title')`,
    when: sql`r.data -> 'epic' ->> 'title' is not null
      and not exists (select 1 from epic_issues ei where ei.issue_id = r.made_id)`,
  });

/** Follows the new issues in the count of open ones, last. */
async function countOpen(restoring: RestoringProject): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  // A count that others change at the same time.
  await ctx.query(sql`
    insert into project_issue_counts as c (project_id, part, opened, opened_confidential)
    select ${project.id}::bigint, ${COUNT_PART}, count(*), count(*) filter (where i.confidential)
      from archive_import_rows r join issues i on i.id = r.made_id
     where ${rowsOfRelation(restoring, RELATION)} and i.state = 'opened'
    on conflict (project_id, part) do update set opened = c.opened + excluded.opened,
      opened_confidential = c.opened_confidential + excluded.opened_confidential`);
}

/** Issues with all that belongs to them, some at a time. */
export const issueRestorer: Restorer<RestoringProject> = {
  relation: RELATION,
  step: STEP,
  prepare: (restoring) => numberRows(restoring, kind),
  async restore(restoring) {
    await insertIssues(restoring);
    await nameMissingMilestones(restoring, kind);
    await restorePeopleAndLabels(restoring, kind);
    await restoreEvents(restoring, kind);
    await restoreWeightEvents(restoring);
    await restoreEpics(restoring);
    await nameMissingEpics(restoring);
    await restoreNotes(restoring, kind);
    await countOpen(restoring);
  },
  finish: restoreLinks,
};
