import type { EntitySchema } from '@mikro-orm/core';
import { expressionBuilder } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { List, MatchingQuery } from '../../core/database/list.js';
import { User } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import { epicType, issueType } from '../issuables/issuable-type.js';
import type { IssuableType, LabelledType } from '../issuables/issuable-type.js';
import { Label } from '../labels/label.entity.js';
import type { PlanningDatabase } from '../planning.entities.js';
import {
  EpicLabelEvent,
  EpicStateEvent,
  IssueLabelEvent,
  IssueMilestoneEvent,
  IssueStateEvent,
  IssueWeightEvent,
} from './resource-event.entity.js';
import type {
  LabelEventRecord,
  MilestoneEventRecord,
  StateEventRecord,
  WeightEventRecord,
} from './resource-event.entity.js';

interface Numbered {
  readonly id: number;
}

/** The events of one kind, as they are found for a record. */
export interface EventKind<T> {
  /** As operations and paths name it: `resource_state_events`. */
  readonly name: 'state' | 'label' | 'milestone' | 'weight';
  /** A record's events, the first one first. */
  list(record: Numbered): List<T>;
  /** @throws NotFound "404 Not found", also for one of another record */
  find(ctx: Context, record: Numbered, id: number): Promise<T>;
}

type OfEvents = Aliased<PlanningDatabase, { e: 'issue_label_events' }>;

/** Selects the kind-specific columns of events `e`, in addition to the common ones. */
type Select = (query: SelectQueryBuilder<OfEvents, 'e', object>) => MatchingQuery;

const NOUNS = { issue: 'Issue', merge_request: 'MergeRequest', epic: 'Epic' } as const;

/** Events `e` of labels with the labels. */
const withLabel: Select = (query) =>
  query.leftJoin('labels as l', 'l.id', 'e.label_id').select(nestedOrNull('label', Label, 'l'));

function eventKind<T extends { id: number }>(
  { kind, tables: { record_id } }: LabelledType,
  name: EventKind<T>['name'],
  entity: EntitySchema,
  more: Select = (query) => query,
): EventKind<T> {
  const onEvents = expressionBuilder<OfEvents, 'e'>();
  const select: Select = (query) =>
    more(
      query
        .leftJoin('users as u', 'u.id', 'e.user_id')
        .select((eb) => [
          ...columns(entity, 'e'),
          `e.${record_id} as resource_id` as const,
          eb.cast<string>(constant(NOUNS[kind]), 'text').as('resource_type'),
          ...nestedOrNull('user', User, 'u', { only: USER_SUMMARY }),
        ]),
    );
  const getList = ({ id }: Numbered): List<T> => ({
    // The tables of all event kinds have the columns used here.
    matching: expressionBuilder<OfEvents>()
      .selectFrom(`${entity.meta.tableName as 'issue_label_events'} as e`)
      .where(`e.${record_id}`, '=', id),
    select,
    order: [byId('e', 'asc')],
  });
  return {
    name,
    list: getList,
    async find(ctx, record, id) {
      const [found] = await readAll(ctx, narrow(getList(record), [onEvents('e.id', '=', id)]));
      if (!found) throw new NotFound();
      return found;
    },
  };
}

interface Entities {
  readonly state: EntitySchema;
  readonly label: EntitySchema;
}

/** The events that all kinds have, each with the entity of its table. */
const getLabelledEvents = (type: LabelledType, entities: Entities) => ({
  state: eventKind<StateEventRecord>(type, 'state', entities.state),
  label: eventKind<LabelEventRecord>(type, 'label', entities.label, withLabel),
});

/** The events that issues and merge requests have in common. */
export const findResourceEvents = (type: IssuableType, entities: Entities & { readonly milestone: EntitySchema }) => ({
  ...getLabelledEvents(type, entities),
  milestone: eventKind<MilestoneEventRecord>(type, 'milestone', entities.milestone),
});

export const issueEvents = {
  ...findResourceEvents(issueType, { state: IssueStateEvent, label: IssueLabelEvent, milestone: IssueMilestoneEvent }),
  weight: eventKind<WeightEventRecord>(issueType, 'weight', IssueWeightEvent),
};

export const epicEvents = getLabelledEvents(epicType, { state: EpicStateEvent, label: EpicLabelEvent });
