import { sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import { constant } from '../../core/database/expressions.js';
import {
  appendProblem,
  selectAttribute,
  containerId,
  copiedRows,
  selectElements,
  elementTime,
  integerAt,
  jsonAt,
  mayRead,
  nextId,
  r,
  tables,
  textAt,
  userAt,
} from '../archive-imports/restoring.js';
import type { RestoringProject } from '../archive-imports/restoring.js';
import { projectMilestoneId } from './referenced-records.js';
import { lockNumbers, numbersFor } from './numbers.js';
import {
  ACTION,
  selectChanges,
  restoreAwards,
  restoreLabelLinks,
  restoreResourceEvents,
  STATE,
  getIssuableTable,
} from './restore-issuables.js';
import type { RestoredIssuables } from './restore-issuables.js';

/*
 * Shared by issues and merge requests, in addition to what epics share with them.
 */

/** Issues or merge requests. */
export interface ProjectIssuables extends RestoredIssuables {
  readonly relation: 'issues' | 'merge_requests';
  readonly name: 'issue' | 'merge_request';
}

/** Records in the problem of the step's rows, as `r`, that the created record lacks something. */
export async function recordMissing(
  restoring: RestoringProject,
  relation: string,
  { what, when }: { what: Expression<string>; when: Expression<SqlBool> },
): Promise<void> {
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .set({ problem: appendProblem(r(constant<string>('is made without '), '||', what)) })
    .where(copiedRows(restoring, relation))
    .where('r.made_id', 'is not', null)
    .where(when)
    .execute();
}

/** Names milestones of issues or merge requests that were of a group and that no group here has. */
export const recordMissingMilestones = (restoring: RestoringProject, { relation }: ProjectIssuables) =>
  recordMissing(restoring, relation, {
    what: r.fn<string>('concat', [constant('its milestone '), selectAttribute('milestone', 'title')]),
    when: r.and([
      r(selectAttribute('milestone', 'title'), 'is not', null),
      r.exists(
        tables(restoring)
          .selectFrom(`${relation} as i` as 'issues as i')
          .select('i.id')
          .where('i.id', '=', r.ref('r.made_id'))
          .where('i.milestone_id', 'is', null),
      ),
    ]),
  });

/**
 * Assigns numbers and ids to all rows without a problem before any of them is restored: records created by users in the
 * meantime get later ones.
 */
export async function numberRows(restoring: RestoringProject, { relation, name }: ProjectIssuables): Promise<void> {
  const last = await lockNumbers(restoring, name);
  const rows = tables(restoring)
    .selectFrom('archive_import_rows as r')
    .select(['r.line', integerAt('r.data', 'iid').as('iid')])
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

/**
 * The users in a list of each row who may read it; without Premium only the first one.
 * @param level of the project's feature
 * @returns rows `x` with their users `u`
 */
export function selectReaders(restoring: RestoringProject, relation: string, list: string, level: string) {
  const listed = selectElements(restoring, relation, list).select([
    'r.made_id',
    'e.at',
    userAt(restoring, 'e.data', 'user_id').as('user_id'),
    textAt('e.data', 'state').as('state'),
    elementTime(restoring).as('time'),
  ]);
  return tables(restoring)
    .selectFrom(listed.as('x'))
    .innerJoin('users as u', (join) =>
      join.onRef('u.id', '=', 'x.user_id').on('u.state', 'in', [constant('active'), constant('deactivated')]),
    )
    .$if(!restoring.ctx.hasPlan('premium'), (query) => query.where('x.at', '=', constant(1)))
    .where(mayRead(restoring, level));
}

/** Assignees: matched users who may read the record; without Premium only the first one. */
async function restoreAssignees(restoring: RestoringProject, { relation, name }: ProjectIssuables): Promise<void> {
  const { issues_access_level, merge_requests_access_level } = restoring.container.record;
  const level = name === 'issue' ? issues_access_level : merge_requests_access_level;
  const { table, owner } = getIssuableTable(restoring, name, 'assignees');
  await tables(restoring)
    .insertInto(table)
    .columns(['project_id', owner, 'user_id'])
    .expression(
      selectReaders(restoring, relation, `${name}_assignees`, level).select([
        containerId(restoring).as('project_id'),
        'x.made_id',
        'u.id',
      ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Time that was spent. */
async function restoreTimelogs(restoring: RestoringProject, { relation, name }: ProjectIssuables): Promise<void> {
  const { table, owner } = getIssuableTable(restoring, name, 'timelogs');
  await tables(restoring)
    .insertInto(table)
    .columns(['project_id', owner, 'user_id', 'time_spent', 'summary', 'spent_at', 'created_at'])
    .expression(
      selectElements(restoring, relation, 'timelogs')
        .select([
          containerId(restoring).as('project_id'),
          'r.made_id',
          userAt(restoring, 'e.data', 'user_id').as('user_id'),
          integerAt('e.data', 'time_spent').as('time_spent'),
          textAt('e.data', 'summary').as('summary'),
          elementTime(restoring, 'spent_at').as('spent_at'),
          elementTime(restoring).as('created_at'),
        ])
        .orderBy('r.line')
        .orderBy('e.at'),
    )
    .execute();
}

/** Labels, emoji, work, and who works on it. */
export async function restorePeopleAndLabels(restoring: RestoringProject, kind: ProjectIssuables): Promise<void> {
  await restoreLabelLinks(restoring, kind);
  await restoreAssignees(restoring, kind);
  await restoreAwards(restoring, kind);
  await restoreTimelogs(restoring, kind);
}

/** Changes of milestones. */
async function restoreMilestoneEvents(restoring: RestoringProject, { relation, name }: ProjectIssuables) {
  const { table, owner } = getIssuableTable(restoring, name, 'milestone_events');
  await tables(restoring)
    .insertInto(table)
    .columns(['project_id', owner, 'user_id', 'created_at', 'milestone_id', 'action', 'state'])
    .expression(
      selectChanges(restoring, relation, 'resource_milestone_events')
        .select((eb) => [
          projectMilestoneId(restoring, 'e.data').as('milestone_id'),
          ACTION.as('action'),
          eb
            .case()
            .when(STATE, 'in', [constant('closed'), constant('merged')])
            .then(STATE)
            .else(constant('opened'))
            .end()
            .as('state'),
        ])
        .where(ACTION, 'is not', null),
    )
    .execute();
}

/** Changes, and what users here did. */
export async function restoreEvents(restoring: RestoringProject, kind: ProjectIssuables): Promise<void> {
  const { relation, name } = kind;
  await restoreResourceEvents(restoring, kind);
  await restoreMilestoneEvents(restoring, kind);
  // Events by unmatched users are not attributed to the importer.
  const done = selectElements(restoring, relation, 'events')
    .select([
      'r.line',
      'r.made_id',
      'e.at',
      ACTION.as('action'),
      elementTime(restoring).as('time'),
      userAt(restoring, 'e.data', 'author_id').as('author_id'),
    ])
    .where(ACTION, 'is not', null);
  await tables(restoring)
    .insertInto('events')
    .columns(['project_id', 'author_id', 'action', `${name}_id`, 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom(done.as('x'))
        .select([containerId(restoring).as('project_id'), 'x.author_id', 'x.action', 'x.made_id', 'x.time'])
        .where('x.author_id', 'is not', null)
        .orderBy('x.line')
        .orderBy('x.at'),
    )
    .execute();
}

const LEAST = constant(-2_147_483_648);
const MOST = constant(2_147_483_647);

/** Seconds that were spent on a row's record. */
export const spentOf = r.cast<number>(
  r.fn<number>('greatest', [
    LEAST,
    r.fn<number>('least', [
      MOST,
      sql<number>`(select coalesce(sum((t ->> 'time_spent')::bigint), 0)
        from jsonb_array_elements(${jsonAt('r.data', 'timelogs')}) t)`,
    ]),
  ]),
  'integer',
);
