import type { Expression } from 'kysely';
import { constant } from '../../core/database/expressions.js';
import {
  recordMissingMilestones,
  numberRows,
  selectReaders,
  restoreEvents,
  restorePeopleAndLabels,
  spentOf,
} from './restore-project-issuables.js';
import type { ProjectIssuables } from './restore-project-issuables.js';
import { restoreVersions } from './restore-merge-request-versions.js';
import { IMPORTED_FROM, restoreNotes } from './restore-notes.js';
import {
  attribute,
  containerId,
  copiedRows,
  selectElements,
  elementTime,
  flag,
  flagAt,
  importedAuthor,
  integerAt,
  restoredRows,
  occurrence,
  r,
  tables,
  time,
  timeAt,
  userAt,
} from '../archive-imports/restoring.js';
import type { Restorer, RestoringProject } from '../archive-imports/restoring.js';
import { SAME_BRANCHES } from '../archive-imports/failures.js';
import { projectMilestoneId } from './referenced-records.js';

const RELATION = 'merge_requests';
/** Merge requests of one transaction: git reads the versions of each. */
const STEP = 100;
const kind: ProjectIssuables = { relation: RELATION, name: 'merge_request', states: ['closed', 'reopened', 'merged'] };

const isIn = (state: string) => r(attribute('state'), '=', constant(state));
/** Both branches are of the project. */
const IS_HERE = flagAt('r.data', 'source_is_target').$castTo<boolean>();
const IS_OPEN_HERE = r.and([isIn('opened'), IS_HERE]);

/** Of the open ones of the same branches the first one is restored. */
async function leaveOutTwins(restoring: RestoringProject): Promise<void> {
  const occurrences = tables(restoring)
    .selectFrom('archive_import_rows as r')
    .select(['r.line', occurrence(attribute('source_branch'), attribute('target_branch')).as('occurrence')])
    .where(copiedRows(restoring, RELATION))
    .where(IS_OPEN_HERE);
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .from(occurrences.as('x'))
    .set({ problem: SAME_BRANCHES })
    .where(copiedRows(restoring, RELATION))
    .whereRef('r.line', '=', 'x.line')
    .where('x.occurrence', '>', constant(1))
    .execute();
}

/**
 * Skips those whose branches already have an open merge request, which may have been created since the repository was
 * restored.
 */
async function skipDuplicates(restoring: RestoringProject): Promise<void> {
  const { id } = restoring.container;
  const duplicates = tables(restoring)
    .selectFrom('merge_requests as i')
    .select('i.id')
    .where('i.project_id', '=', id)
    .where('i.source_project_id', '=', id)
    .where('i.source_branch', '=', attribute('source_branch').$castTo<string>())
    .where('i.target_branch', '=', attribute('target_branch').$castTo<string>())
    .where('i.state', 'in', [constant('opened'), constant('locked')]);
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .set({ made_id: null, problem: 'is left out, since another open one has the same branches' })
    .where(copiedRows(restoring, RELATION))
    .where(IS_OPEN_HERE)
    .where(r.exists(duplicates))
    .execute();
}

async function insertMergeRequests(restoring: RestoringProject): Promise<void> {
  const user = (name: string) => userAt(restoring, 'r.data', name);
  const onlyIn = <T>(state: string, value: Expression<T>) => r.case().when(isIn(state)).then(value).end();
  const endTime = (name: string) => r.fn.coalesce(timeAt('r.data', name), time(restoring, 'updated_at'));
  await tables(restoring)
    .insertInto('merge_requests')
    .columns([
      ...(['id', 'project_id', 'iid', 'source_project_id', 'source_branch', 'target_branch', 'title'] as const),
      ...(['description', 'state', 'draft', 'discussion_locked', 'author_id', 'updated_by_id'] as const),
      ...(['closed_by_id', 'merge_user_id', 'milestone_id', 'merge_commit_sha', 'squash_commit_sha'] as const),
      ...(['merged_commit_sha', 'squash', 'force_remove_source_branch', 'time_estimate'] as const),
      ...(['total_time_spent', 'task_count', 'completed_task_count', 'imported_from', 'prepared_at'] as const),
      ...(['merged_at', 'closed_at', 'last_edited_at', 'created_at', 'updated_at'] as const),
    ])
    .expression(
      restoredRows(restoring, RELATION).select((eb) => [
        'r.made_id',
        containerId(restoring).as('project_id'),
        'r.number',
        eb.case().when(IS_HERE).then(containerId(restoring)).end().as('source_project_id'),
        attribute('source_branch').as('source_branch'),
        attribute('target_branch').as('target_branch'),
        attribute('title').as('title'),
        attribute('description').as('description'),
        attribute('state').as('state'),
        flagAt('r.data', 'draft').as('draft'),
        flagAt('r.data', 'discussion_locked').as('discussion_locked'),
        importedAuthor(restoring).as('author_id'),
        user('updated_by_id').as('updated_by_id'),
        onlyIn('closed', user('closed_by_id')).as('closed_by_id'),
        onlyIn('merged', user('merge_user_id')).as('merge_user_id'),
        projectMilestoneId(restoring, 'r.data').as('milestone_id'),
        attribute('merge_commit_sha').as('merge_commit_sha'),
        attribute('squash_commit_sha').as('squash_commit_sha'),
        attribute('merged_commit_sha').as('merged_commit_sha'),
        flag('squash').as('squash'),
        flagAt('r.data', 'force_remove_source_branch').as('force_remove_source_branch'),
        integerAt('r.data', 'time_estimate').as('time_estimate'),
        spentOf.as('total_time_spent'),
        integerAt('r.data', 'task_count').as('task_count'),
        integerAt('r.data', 'completed_task_count').as('completed_task_count'),
        constant(IMPORTED_FROM).as('imported_from'),
        timeAt('r.data', 'prepared_at').as('prepared_at'),
        onlyIn('merged', endTime('merged_at')).as('merged_at'),
        onlyIn('closed', endTime('closed_at')).as('closed_at'),
        timeAt('r.data', 'last_edited_at').as('last_edited_at'),
        time(restoring, 'created_at').as('created_at'),
        time(restoring, 'updated_at').as('updated_at'),
      ]),
    )
    .execute();
}

/** Reviewers: matched users who may read it. Approvers: matched users. */
async function restoreReviews(restoring: RestoringProject): Promise<void> {
  const level = restoring.container.record.merge_requests_access_level;
  await tables(restoring)
    .insertInto('merge_request_reviewers')
    .columns(['project_id', 'merge_request_id', 'user_id', 'state', 'created_at'])
    .expression(
      selectReaders(restoring, RELATION, 'merge_request_reviewers', level).select([
        containerId(restoring).as('project_id'),
        'x.made_id',
        'u.id',
        'x.state',
        'x.time',
      ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const approvals = selectElements(restoring, RELATION, 'approvals').select([
    'r.made_id',
    userAt(restoring, 'e.data', 'user_id').as('user_id'),
    elementTime(restoring).as('time'),
  ]);
  await tables(restoring)
    .insertInto('merge_request_approvals')
    .columns(['project_id', 'merge_request_id', 'user_id', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom(approvals.as('x'))
        .select([containerId(restoring).as('project_id'), 'x.made_id', 'x.user_id', 'x.time'])
        .where('x.user_id', 'is not', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Follows the new ones in the count of open ones, last. */
async function countOpen(restoring: RestoringProject): Promise<void> {
  await tables(restoring)
    .insertInto('project_merge_request_counts')
    .columns(['project_id', 'opened'])
    .expression((eb) =>
      eb
        .selectFrom('archive_import_rows as r')
        .select(({ fn }) => [containerId(restoring).as('project_id'), fn.countAll().as('opened')])
        .where(copiedRows(restoring, RELATION))
        .where('r.made_id', 'is not', null)
        .where(isIn('opened')),
    )
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet(({ eb, ref }) => ({
        opened: eb('project_merge_request_counts.opened', '+', ref('excluded.opened')),
      })),
    )
    .execute();
}

/** Merge requests with everything that belongs to them, in steps, once their commits exist. */
export const mergeRequestRestorer: Restorer<RestoringProject> = {
  relation: RELATION,
  step: STEP,
  async prepare(restoring) {
    await leaveOutTwins(restoring);
    await numberRows(restoring, kind);
  },
  async restore(restoring) {
    await skipDuplicates(restoring);
    await insertMergeRequests(restoring);
    await recordMissingMilestones(restoring, kind);
    await restorePeopleAndLabels(restoring, kind);
    await restoreReviews(restoring);
    await restoreEvents(restoring, kind);
    const shas = await restoreVersions(restoring);
    await restoreNotes(restoring, kind, shas);
    await countOpen(restoring);
  },
};
