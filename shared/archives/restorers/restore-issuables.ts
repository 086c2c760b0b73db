import { sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import { anyOf, constant } from '../../core/database/expressions.js';
import {
  appendProblem,
  attribute,
  attributeOf,
  containerId,
  copiedRows,
  elementsOf,
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
import { createNamedLabels, nearestOf } from './restore-labels.js';
import { namedMilestone } from './restore-milestones.js';
import { lockNumbers, numbersFor } from './numbers.js';

/** What issues and merge requests have alike lies in tables whose names begin with theirs. */
export interface RestoredIssuables {
  readonly relation: 'issues' | 'merge_requests';
  readonly name: 'issue' | 'merge_request';
  /** States that its events may have. */
  readonly states: readonly string[];
}

/** Adds to the problem of rows of the step, as `r`, that of what was made of them something is missing. */
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
export const recordMissingMilestones = (restoring: RestoringProject, { relation }: RestoredIssuables) =>
  recordMissing(restoring, relation, {
    what: r.fn<string>('concat', [constant('its milestone '), attributeOf('milestone', 'title')]),
    when: r.and([
      r(attributeOf('milestone', 'title'), 'is not', null),
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

/** The table of something that issues or merge requests have, typed as that of issues, and the column that names them. */
const tableOf = <const Things extends string>(name: RestoredIssuables['name'], things: Things) => ({
  table: `${name}_${things}` as `issue_${Things}`,
  owner: `${name}_id` as 'issue_id',
});

/**
 * The users of a list of each row who may read it; without Premium the first one alone.
 * @param level of the project's feature
 * @returns rows `x` with their users `u`
 */
export function readersOf(restoring: RestoringProject, relation: string, list: string, level: string) {
  const listed = elementsOf(restoring, relation, list).select([
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

/** Of users here those who may read them work on them; without Premium the first one alone. */
async function restoreAssignees(restoring: RestoringProject, { relation, name }: RestoredIssuables): Promise<void> {
  const { issues_access_level, merge_requests_access_level } = restoring.container.record;
  const level = name === 'issue' ? issues_access_level : merge_requests_access_level;
  const { table, owner } = tableOf(name, 'assignees');
  await tables(restoring)
    .insertInto(table)
    .columns(['project_id', owner, 'user_id'])
    .expression(
      readersOf(restoring, relation, `${name}_assignees`, level).select([
        containerId(restoring).as('project_id'),
        'x.made_id',
        'u.id',
      ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function restoreLabelLinks(restoring: RestoringProject, { relation, name }: RestoredIssuables): Promise<void> {
  const { table, owner } = tableOf(name, 'labels');
  const links = () => elementsOf(restoring, relation, 'label_links');
  await createNamedLabels(restoring, links().select(['r.line', jsonAt('e.data', 'label').as('label')]));
  const found = links().select([
    'r.made_id',
    nearestOf(restoring, 'labels', textAt('e.data', 'label', 'title')).as('label_id'),
  ]);
  await tables(restoring)
    .insertInto(table)
    .columns(['project_id', owner, 'label_id'])
    .expression((eb) =>
      eb
        .selectFrom(found.as('x'))
        .select([containerId(restoring).as('project_id'), 'x.made_id', 'x.label_id'])
        .where('x.label_id', 'is not', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Emoji that users here gave: each once. */
export async function restoreAwards(
  restoring: RestoringProject,
  { relation, name }: { relation: string; name: RestoredIssuables['name'] | 'snippet' },
): Promise<void> {
  const { table, owner } = tableOf(name as 'issue', 'award_emojis');
  const awards = elementsOf(restoring, relation, 'award_emoji').select([
    'r.made_id',
    userAt(restoring, 'e.data', 'user_id').as('user_id'),
    textAt('e.data', 'name').as('name'),
    elementTime(restoring).as('time'),
  ]);
  const key = ['x.made_id', 'x.user_id', 'x.name'] as const;
  await tables(restoring)
    .insertInto(table)
    .columns(['project_id', owner, 'user_id', 'name', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom(awards.as('x'))
        .distinctOn(key)
        .select([containerId(restoring).as('project_id'), ...key, 'x.time as created_at', 'x.time as updated_at'])
        .where('x.user_id', 'is not', null)
        .orderBy('x.made_id')
        .orderBy('x.user_id')
        .orderBy('x.name'),
    )
    .execute();
}

async function restoreTimelogs(restoring: RestoringProject, { relation, name }: RestoredIssuables): Promise<void> {
  const { table, owner } = tableOf(name, 'timelogs');
  await tables(restoring)
    .insertInto(table)
    .columns(['project_id', owner, 'user_id', 'time_spent', 'summary', 'spent_at', 'created_at'])
    .expression(
      elementsOf(restoring, relation, 'timelogs')
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
export async function restorePeopleAndLabels(restoring: RestoringProject, kind: RestoredIssuables): Promise<void> {
  await restoreLabelLinks(restoring, kind);
  await restoreAssignees(restoring, kind);
  await restoreAwards(restoring, kind);
  await restoreTimelogs(restoring, kind);
}

/** Changes of one kind, in their order, with whoever here made them. */
const changesOf = (restoring: RestoringProject, relation: string, list: string) =>
  elementsOf(restoring, relation, list)
    .select([
      containerId(restoring).as('project_id'),
      'r.made_id',
      userAt(restoring, 'e.data', 'user_id').as('user_id'),
      elementTime(restoring).as('created_at'),
    ])
    .orderBy('r.line')
    .orderBy('e.at');

const ACTION = textAt('e.data', 'action');
const STATE = textAt('e.data', 'state');

/** Changes of state, labels and milestones. */
async function restoreChanges(restoring: RestoringProject, kind: RestoredIssuables): Promise<void> {
  const { relation, name, states } = kind;
  const ofStates = tableOf(name, 'state_events');
  await tables(restoring)
    .insertInto(ofStates.table)
    .columns(['project_id', ofStates.owner, 'user_id', 'created_at', 'state'])
    .expression(
      changesOf(restoring, relation, 'resource_state_events')
        .select(STATE.as('state'))
        .where(STATE, '=', anyOf(states, 'text')),
    )
    .execute();
  const ofLabels = tableOf(name, 'label_events');
  await tables(restoring)
    .insertInto(ofLabels.table)
    .columns(['project_id', ofLabels.owner, 'user_id', 'created_at', 'label_id', 'action'])
    .expression(
      changesOf(restoring, relation, 'resource_label_events')
        .select([
          nearestOf(restoring, 'labels', textAt('e.data', 'label', 'title')).as('label_id'),
          ACTION.as('action'),
        ])
        .where(ACTION, 'is not', null),
    )
    .execute();
  const ofMilestones = tableOf(name, 'milestone_events');
  await tables(restoring)
    .insertInto(ofMilestones.table)
    .columns(['project_id', ofMilestones.owner, 'user_id', 'created_at', 'milestone_id', 'action', 'state'])
    .expression(
      changesOf(restoring, relation, 'resource_milestone_events')
        .select((eb) => [
          namedMilestone(restoring, 'e.data').as('milestone_id'),
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
export async function restoreEvents(restoring: RestoringProject, kind: RestoredIssuables): Promise<void> {
  const { relation, name } = kind;
  await restoreChanges(restoring, kind);
  // What somebody did who is nobody here was not done by the importer.
  const done = elementsOf(restoring, relation, 'events')
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
