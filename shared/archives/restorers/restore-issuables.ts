import type { AliasableExpression } from 'kysely';
import { anyOf, constant } from '../../core/database/expressions.js';
import { containerColumn } from '../../core/operations/container.js';
import {
  containerId,
  selectElements,
  elementTime,
  jsonAt,
  tables,
  textAt,
  userAt,
} from '../archive-imports/restoring.js';
import type { Restoring } from '../archive-imports/restoring.js';
import { createMissingLabels, nearestLabel } from './referenced-records.js';

/*
 * Shared by epics, issues and merge requests.
 */

/** Records whose related tables have the name of their kind as prefix. */
export interface RestoredIssuables {
  readonly relation: 'epics' | 'issues' | 'merge_requests';
  readonly name: 'epic' | 'issue' | 'merge_request';
  /** States that its events may have. */
  readonly states: readonly string[];
}

/** A table related to issuables, typed like that of issues, and the columns that reference their owner. */
export const getIssuableTable = <const Things extends string>(restoring: Restoring, name: string, things: Things) => ({
  table: `${name}_${things}` as `issue_${Things}`,
  container: containerColumn(restoring.container.kind) as 'project_id',
  owner: `${name}_id` as 'issue_id',
});

/** Names of emoji. */
const EMOJI = constant('^[a-z0-9_+-]{1,64}$');

/** Emoji that a user here added to something. */
interface Award {
  owner_id: number | null;
  user_id: number | null;
  name: string | null;
  /** Their position in the list. */
  at: number;
  time: Date;
}

/** The emoji that users here added, each once, in their order: the values of a table of them. */
export const distinctAwards = (restoring: Restoring, awards: AliasableExpression<Award>) =>
  tables(restoring)
    .selectFrom(awards.as('x'))
    .select(({ fn }) => [
      containerId(restoring).as('container_id'),
      ...(['x.owner_id', 'x.user_id', 'x.name'] as const),
      fn.min('x.time').as('created_at'),
      fn.min('x.time').as('updated_at'),
    ])
    .where('x.user_id', 'is not', null)
    .where('x.name', '~', EMOJI)
    .groupBy(['x.owner_id', 'x.user_id', 'x.name'])
    .orderBy('x.owner_id')
    .orderBy(({ fn }) => fn.min('x.at'));

/** Award emoji that users of this instance added to the created records. */
export async function restoreAwards(
  restoring: Restoring,
  { relation, name }: { relation: string; name: RestoredIssuables['name'] | 'snippet' },
): Promise<void> {
  const { table, container, owner } = getIssuableTable(restoring, name, 'award_emojis');
  const awards = selectElements(restoring, relation, 'award_emoji').select([
    'r.made_id as owner_id',
    userAt(restoring, 'e.data', 'user_id').as('user_id'),
    textAt('e.data', 'name').as('name'),
    'e.at',
    elementTime(restoring).as('time'),
  ]);
  await tables(restoring)
    .insertInto(table)
    .columns([container, owner, 'user_id', 'name', 'created_at', 'updated_at'])
    .expression(distinctAwards(restoring, awards))
    .execute();
}

/** The label that an element names. */
const elementLabel = (restoring: Restoring) => nearestLabel(restoring, textAt('e.data', 'label', 'title'));

/** Labels, which are made where there are none of their titles. */
export async function restoreLabelLinks(restoring: Restoring, { relation, name }: RestoredIssuables): Promise<void> {
  const { table, container, owner } = getIssuableTable(restoring, name, 'labels');
  const links = () => selectElements(restoring, relation, 'label_links');
  await createMissingLabels(restoring, links().select(['r.line', jsonAt('e.data', 'label').as('label')]));
  const found = links().select(['r.made_id', elementLabel(restoring).as('label_id')]);
  await tables(restoring)
    .insertInto(table)
    .columns([container, owner, 'label_id'])
    .expression((eb) =>
      eb
        .selectFrom(found.as('x'))
        .select([containerId(restoring).as('container_id'), 'x.made_id', 'x.label_id'])
        .where('x.label_id', 'is not', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Events of one kind, in their order, with the matching users. */
export const selectChanges = (restoring: Restoring, relation: string, list: string) =>
  selectElements(restoring, relation, list)
    .select([
      containerId(restoring).as('container_id'),
      'r.made_id',
      userAt(restoring, 'e.data', 'user_id').as('user_id'),
      elementTime(restoring).as('created_at'),
    ])
    .orderBy('r.line')
    .orderBy('e.at');

/** The action of an event, and the resulting state. */
export const ACTION = textAt('e.data', 'action');
export const STATE = textAt('e.data', 'state');

/** Changes of state and labels. */
export async function restoreResourceEvents(
  restoring: Restoring,
  { relation, name, states }: RestoredIssuables,
): Promise<void> {
  const ofStates = getIssuableTable(restoring, name, 'state_events');
  await tables(restoring)
    .insertInto(ofStates.table)
    .columns([ofStates.container, ofStates.owner, 'user_id', 'created_at', 'state'])
    .expression(
      selectChanges(restoring, relation, 'resource_state_events')
        .select(STATE.as('state'))
        .where(STATE, '=', anyOf(states, 'text')),
    )
    .execute();
  const ofLabels = getIssuableTable(restoring, name, 'label_events');
  await tables(restoring)
    .insertInto(ofLabels.table)
    .columns([ofLabels.container, ofLabels.owner, 'user_id', 'created_at', 'label_id', 'action'])
    .expression(
      selectChanges(restoring, relation, 'resource_label_events')
        .select([elementLabel(restoring).as('label_id'), ACTION.as('action')])
        .where(ACTION, 'is not', null),
    )
    .execute();
}
