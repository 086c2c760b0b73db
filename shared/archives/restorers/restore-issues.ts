import { constant } from '../../core/database/expressions.js';
import { COUNT_PART } from '../../planning/issues/open-issues-count.js';
import {
  recordMissing,
  recordMissingMilestones,
  numberRows,
  restoreEvents,
  restorePeopleAndLabels,
  spentOf,
} from './restore-project-issuables.js';
import type { ProjectIssuables } from './restore-project-issuables.js';
import { IMPORTED_FROM, restoreNotes } from './restore-notes.js';
import {
  anyNamespace,
  attribute,
  selectAttribute,
  containerId,
  copiedRows,
  selectElements,
  elementTime,
  flag,
  flagAt,
  idAt,
  importedAuthor,
  integerAt,
  nearness,
  r,
  tables,
  textAt,
  time,
  timeAt,
  userAt,
} from '../archive-imports/restoring.js';
import type { Restorer, RestoringProject } from '../archive-imports/restoring.js';
import { projectMilestoneId } from './referenced-records.js';

const RELATION = 'issues';
/** Issues of one transaction. */
const STEP = 1000;
const kind: ProjectIssuables = { relation: RELATION, name: 'issue', states: ['closed', 'reopened'] };

/** Rows `r` of issues in the order of their file. */
const issueRows = (restoring: RestoringProject) =>
  tables(restoring).selectFrom('archive_import_rows as r').where(copiedRows(restoring, RELATION)).orderBy('r.line');

async function insertIssues(restoring: RestoringProject): Promise<void> {
  const { ctx } = restoring;
  const isClosed = r(attribute('state'), '=', constant('closed'));
  await tables(restoring)
    .insertInto('issues')
    .columns([
      ...(['id', 'project_id', 'iid', 'issue_type', 'title', 'description', 'state', 'confidential'] as const),
      ...(['discussion_locked', 'author_id', 'updated_by_id', 'closed_by_id', 'milestone_id', 'weight'] as const),
      ...(['severity', 'start_date', 'due_date', 'relative_position', 'time_estimate', 'total_time_spent'] as const),
      ...(['task_count', 'completed_task_count', 'closed_at', 'last_edited_at', 'imported_from'] as const),
      ...(['created_at', 'updated_at'] as const),
    ])
    .expression(
      issueRows(restoring).select((eb) => [
        'r.made_id',
        containerId(restoring).as('project_id'),
        'r.number',
        attribute('issue_type').as('issue_type'),
        attribute('title').as('title'),
        attribute('description').as('description'),
        attribute('state').as('state'),
        flag('confidential').as('confidential'),
        flagAt('r.data', 'discussion_locked').as('discussion_locked'),
        importedAuthor(restoring).as('author_id'),
        userAt(restoring, 'r.data', 'updated_by_id').as('updated_by_id'),
        eb
          .case()
          .when(isClosed)
          .then(userAt(restoring, 'r.data', 'closed_by_id'))
          .end()
          .as('closed_by_id'),
        projectMilestoneId(restoring, 'r.data').as('milestone_id'),
        eb
          .case()
          .when(constant(ctx.hasPlan('premium')))
          .then(integerAt('r.data', 'weight'))
          .end()
          .as('weight'),
        attribute('severity').as('severity'),
        eb.cast<string | null>(attribute('start_date'), 'date').as('start_date'),
        eb.cast<string | null>(attribute('due_date'), 'date').as('due_date'),
        idAt('r.data', 'relative_position').as('relative_position'),
        integerAt('r.data', 'time_estimate').as('time_estimate'),
        spentOf.as('total_time_spent'),
        integerAt('r.data', 'task_count').as('task_count'),
        integerAt('r.data', 'completed_task_count').as('completed_task_count'),
        eb
          .case()
          .when(isClosed)
          .then(eb.fn.coalesce(timeAt('r.data', 'closed_at'), time(restoring, 'updated_at')))
          .end()
          .as('closed_at'),
        timeAt('r.data', 'last_edited_at').as('last_edited_at'),
        constant(IMPORTED_FROM).as('imported_from'),
        time(restoring, 'created_at').as('created_at'),
        time(restoring, 'updated_at').as('updated_at'),
      ]),
    )
    .execute();
}

async function restoreWeightEvents(restoring: RestoringProject): Promise<void> {
  await tables(restoring)
    .insertInto('issue_weight_events')
    .columns(['project_id', 'issue_id', 'user_id', 'weight', 'created_at'])
    .expression(
      selectElements(restoring, RELATION, 'resource_weight_events')
        .select((eb) => [
          containerId(restoring).as('project_id'),
          'r.made_id',
          userAt(restoring, 'e.data', 'user_id').as('user_id'),
          eb
            .case()
            .when(
              eb.between(eb.cast<number>(textAt('e.data', 'weight'), 'numeric'), constant(0), constant(2_147_483_647)),
            )
            .then(integerAt('e.data', 'weight'))
            .end()
            .as('weight'),
          elementTime(restoring).as('created_at'),
        ])
        .orderBy('r.line')
        .orderBy('e.at'),
    )
    .execute();
}

/** Links of issues to each other, once all are there. */
async function restoreLinks(restoring: RestoringProject): Promise<void> {
  const iid = integerAt('r.data', 'iid');
  const type = textAt('e.data', 'link_type');
  const types = restoring.ctx.hasPlan('premium') ? ['relates_to', 'blocks'] : ['relates_to'];
  const sources = tables(restoring)
    .selectFrom('archive_import_rows as r')
    .distinctOn(iid)
    .select([iid.as('iid'), 'r.made_id'])
    .where(copiedRows(restoring, RELATION))
    .where('r.made_id', 'is not', null)
    .orderBy(iid)
    .orderBy('r.line');
  await tables(restoring)
    .insertInto('issue_links')
    .columns(['project_id', 'source_id', 'target_id', 'link_type', 'created_at', 'updated_at'])
    .expression(
      selectElements(restoring, RELATION, 'issue_links')
        .innerJoin(sources.as('s'), (join) =>
          join
            .on('s.iid', '=', r.cast<number>(textAt('e.data', 'target_iid'), 'numeric'))
            .onRef('s.made_id', '<>', 'r.made_id'),
        )
        .select([
          containerId(restoring).as('project_id'),
          'r.made_id as source_id',
          's.made_id as target_id',
          type.as('link_type'),
          elementTime(restoring).as('created_at'),
          elementTime(restoring, 'updated_at').as('updated_at'),
        ])
        .where(type, 'in', types.map(constant))
        .orderBy('r.line')
        .orderBy('e.at'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Issues go back into the epic of the same number and title in a group above. */
async function restoreEpics(restoring: RestoringProject): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  if (!ctx.hasPlan('premium')) return;
  const epic = tables(restoring)
    .selectFrom('epics as ep')
    .select('ep.id')
    .where('ep.namespace_id', '=', anyNamespace(restoring))
    .where('ep.iid', '=', r.cast<number>(selectAttribute('epic', 'iid'), 'numeric'))
    .where('ep.title', '=', selectAttribute('epic', 'title').$notNull())
    // Maintainers of the project cannot see every confidential epic of its ancestor groups.
    .where((eb) =>
      eb.or([
        eb('ep.confidential', '=', constant(false)),
        eb.and([flag('confidential'), eb('ep.namespace_id', '=', project.namespace_id)]),
      ]),
    )
    .orderBy((eb) => nearness(restoring, eb.ref('ep.namespace_id')), 'desc')
    .limit(1)
    .$asScalar();
  const found = issueRows(restoring)
    .select(['r.line', 'r.made_id', epic.as('epic_id')])
    .where('r.made_id', 'is not', null);
  await tables(restoring)
    .insertInto('epic_issues')
    .columns(['project_id', 'epic_id', 'issue_id'])
    .expression((eb) =>
      eb
        .selectFrom(found.as('x'))
        .select([containerId(restoring).as('project_id'), 'x.epic_id', 'x.made_id'])
        .where('x.epic_id', 'is not', null)
        .orderBy('x.line'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const recordMissingEpics = (restoring: RestoringProject) =>
  recordMissing(restoring, RELATION, {
    what: r.fn<string>('concat', [constant('its epic '), selectAttribute('epic', 'title')]),
    when: r.and([
      r(selectAttribute('epic', 'title'), 'is not', null),
      r.not(
        r.exists(
          tables(restoring)
            .selectFrom('epic_issues as ei')
            .select('ei.issue_id')
            .where('ei.issue_id', '=', r.ref('r.made_id')),
        ),
      ),
    ]),
  });

/** Follows the new issues in the count of open ones, last. */
async function countOpen(restoring: RestoringProject): Promise<void> {
  // A count that others change at the same time.
  await tables(restoring)
    .insertInto('project_issue_counts')
    .columns(['project_id', 'part', 'opened', 'opened_confidential'])
    .expression((eb) =>
      eb
        .selectFrom('archive_import_rows as r')
        .innerJoin('issues as i', 'i.id', 'r.made_id')
        .select(({ fn }) => [
          containerId(restoring).as('project_id'),
          COUNT_PART.as('part'),
          fn.countAll().as('opened'),
          fn.countAll().filterWhere('i.confidential', '=', constant(true)).as('opened_confidential'),
        ])
        .where(copiedRows(restoring, RELATION))
        .where('i.state', '=', constant('opened')),
    )
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'part']).doUpdateSet(({ eb, ref }) => ({
        opened: eb('project_issue_counts.opened', '+', ref('excluded.opened')),
        opened_confidential: eb('project_issue_counts.opened_confidential', '+', ref('excluded.opened_confidential')),
      })),
    )
    .execute();
}

/** Issues with everything that belongs to them, in steps. */
export const issueRestorer: Restorer<RestoringProject> = {
  relation: RELATION,
  step: STEP,
  prepare: (restoring) => numberRows(restoring, kind),
  async restore(restoring) {
    await insertIssues(restoring);
    await recordMissingMilestones(restoring, kind);
    await restorePeopleAndLabels(restoring, kind);
    await restoreEvents(restoring, kind);
    await restoreWeightEvents(restoring);
    await restoreEpics(restoring);
    await recordMissingEpics(restoring);
    await restoreNotes(restoring, kind);
    await countOpen(restoring);
  },
  finish: restoreLinks,
};
