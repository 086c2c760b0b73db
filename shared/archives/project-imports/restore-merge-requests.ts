import { sql } from '../../core/sql.js';
import { mayReadIssuables } from '../../planning/issuables/assignable-users.js';
import { projectTables } from '../../tenancy/projects/project.finder.js';
import { restoreEvents, restorePeopleAndLabels, spentOf } from './restore-issuables.js';
import { restoreVersions } from './restore-merge-request-versions.js';
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
import { nameMissingMilestones, numberRows } from './restore-issuables.js';
import type { RestoredIssuables } from './restore-issuables.js';

const RELATION = 'merge_requests';
/** Merge requests of one transaction: git is asked about the versions of each. */
const STEP = 100;
const kind: RestoredIssuables = { relation: RELATION, name: 'merge_request', states: ['closed', 'reopened', 'merged'] };

const isOpenHere = sql`r.data ->> 'state' = 'opened' and (r.data ->> 'source_is_target')::boolean`;

/** Of the open ones of the same branches the first one is restored. */
async function leaveOutTwins(restoring: RestoringProject): Promise<void> {
  await restoring.ctx.query(sql`
    update archive_import_rows r set problem = 'is left out, since another open one of the archive has the same branches'
      from (select r.line, row_number() over (partition by r.data ->> 'source_branch', r.data ->> 'target_branch'
                                              order by r.line) as place
              from archive_import_rows r where ${rowsOfRelation(restoring, RELATION)} and ${isOpenHere}) x
     where ${rowsOfRelation(restoring, RELATION)} and r.line = x.line and x.place > 1`);
}

/** Somebody may have made one of the same branches since the repository came. */
async function leaveOutTaken(restoring: RestoringProject): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  await ctx.query(sql`
    update archive_import_rows r
       set made_id = null, problem = 'is left out, since another open one has the same branches'
     where ${rowsOfRelation(restoring, RELATION)} and ${isOpenHere}
       and exists (select 1 from merge_requests i
                    where i.project_id = ${project.id} and i.source_project_id = ${project.id}
                      and i.source_branch = r.data ->> 'source_branch' and i.target_branch = r.data ->> 'target_branch'
                      and i.state in ('opened', 'locked'))`);
}

async function insertMergeRequests(restoring: RestoringProject): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  const user = (name: string) => userOf(restoring, sql`(r.data ->> ${name})::bigint`);
  const isMerged = sql`r.data ->> 'state' = 'merged'`;
  const isClosed = sql`r.data ->> 'state' = 'closed'`;
  await ctx.query(sql`
    insert into merge_requests (id, project_id, iid, source_project_id, source_branch, target_branch, title, description,
                                state, draft, discussion_locked, author_id, updated_by_id, closed_by_id, merge_user_id,
                                milestone_id, merge_commit_sha, squash_commit_sha, merged_commit_sha, squash,
                                force_remove_source_branch, time_estimate, total_time_spent, task_count,
                                completed_task_count, imported_from, prepared_at, merged_at, closed_at, last_edited_at,
                                created_at, updated_at)
    select r.made_id, ${project.id}::bigint, r.number,
           case when (r.data ->> 'source_is_target')::boolean then ${project.id}::bigint end,
           r.data ->> 'source_branch', r.data ->> 'target_branch', r.data ->> 'title', r.data ->> 'description',
           r.data ->> 'state', (r.data ->> 'draft')::boolean, (r.data ->> 'discussion_locked')::boolean,
           ${importedAuthor(restoring, sql`(r.data ->> 'author_id')::bigint`)}, ${user('updated_by_id')},
           case when ${isClosed} then ${user('closed_by_id')} end, case when ${isMerged} then ${user('merge_user_id')} end,
           ${milestoneNamed(restoring, sql`r.data -> 'milestone'`)},
           r.data ->> 'merge_commit_sha', r.data ->> 'squash_commit_sha', r.data ->> 'merged_commit_sha',
           coalesce((r.data ->> 'squash')::boolean, false), (r.data ->> 'force_remove_source_branch')::boolean,
           (r.data ->> 'time_estimate')::integer, ${spentOf}, (r.data ->> 'task_count')::integer,
           (r.data ->> 'completed_task_count')::integer, ${IMPORTED_FROM}, (r.data ->> 'prepared_at')::timestamptz,
           case when ${isMerged} then coalesce((r.data ->> 'merged_at')::timestamptz, ${timeOf(restoring, 'updated_at')}) end,
           case when ${isClosed} then coalesce((r.data ->> 'closed_at')::timestamptz, ${timeOf(restoring, 'updated_at')}) end,
           (r.data ->> 'last_edited_at')::timestamptz, ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
      from archive_import_rows r where ${rowsOfRelation(restoring, RELATION)} and r.made_id is not null
     order by r.line`);
}

/** Who reviews: of users here those who may read it. Who approved: users here. */
async function restoreReviews(restoring: RestoringProject): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  const user = userOf(restoring, sql`(e.data ->> 'user_id')::bigint`);
  await ctx.query(sql`
    insert into merge_request_reviewers (project_id, merge_request_id, user_id, state, created_at)
    select ${project.id}::bigint, x.made_id, u.id, x.state, x.time
      from (select r.made_id, e.at, ${user} as user_id, e.data ->> 'state' as state, ${elementTime(restoring)} as time
              from ${elementsOf(restoring, RELATION, 'merge_request_reviewers')}) x
      join users u on u.id = x.user_id and u.state in ('active', 'deactivated')
     where (x.at = 1 or ${ctx.hasPlan('premium')}::boolean)
       and exists (select 1 from ${projectTables}
                    where p.id = ${project.id} and ${mayReadIssuables(ctx, project.merge_requests_access_level)})
    on conflict do nothing`);
  await ctx.query(sql`
    insert into merge_request_approvals (project_id, merge_request_id, user_id, created_at)
    select ${project.id}::bigint, x.made_id, x.user_id, x.time
      from (select r.made_id, ${user} as user_id, ${elementTime(restoring)} as time
              from ${elementsOf(restoring, RELATION, 'approvals')}) x
     where x.user_id is not null
    on conflict do nothing`);
}

/** Follows the new ones in the count of open ones, last. */
async function countOpen(restoring: RestoringProject): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  await ctx.query(sql`
    insert into project_merge_request_counts as c (project_id, opened)
    select ${project.id}::bigint, count(*) from archive_import_rows r
     where ${rowsOfRelation(restoring, RELATION)} and r.made_id is not null and r.data ->> 'state' = 'opened'
    on conflict (project_id) do update set opened = c.opened + excluded.opened`);
}

/** Merge requests with all that belongs to them, some at a time, once their commits are there. */
export const mergeRequestRestorer: Restorer<RestoringProject> = {
  relation: RELATION,
  step: STEP,
  async prepare(restoring) {
    await leaveOutTwins(restoring);
    await numberRows(restoring, kind);
  },
  async restore(restoring) {
    await leaveOutTaken(restoring);
    await insertMergeRequests(restoring);
    await nameMissingMilestones(restoring, kind);
    await restorePeopleAndLabels(restoring, kind);
    await restoreReviews(restoring);
    await restoreEvents(restoring, kind);
    const known = await restoreVersions(restoring);
    await restoreNotes(restoring, kind, known);
    await countOpen(restoring);
  },
};
