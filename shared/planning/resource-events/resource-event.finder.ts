import type { EntitySchema } from '@mikro-orm/core';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import { and, empty, raw, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import { epicType, issueType } from '../issuables/issuable-type.js';
import type { IssuableType, LabelledType } from '../issuables/issuable-type.js';
import { Label } from '../labels/label.entity.js';
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
} from './resource-event.record.js';

interface Numbered {
  readonly id: number;
}

/** The events of one kind, as they are found for a record. */
export interface EventKind<T> {
  /** As operations and paths name it: `resource_state_events`. */
  readonly name: 'state' | 'label' | 'milestone' | 'weight';
  /** A record's events, the first one first. */
  list(record: Numbered): TextList<T>;
  /** @throws NotFound "404 Not found", also for one of another record */
  find(ctx: Context, record: Numbered, id: number): Promise<T>;
}

interface Parts {
  readonly select?: Fragment;
  readonly join?: Fragment;
}

const NOUNS = { issue: 'Issue', merge_request: 'MergeRequest', epic: 'Epic' } as const;

function eventKind<T extends { id: number }>(
  { kind, column }: LabelledType,
  name: EventKind<T>['name'],
  entity: EntitySchema,
  { select = empty, join = empty }: Parts = {},
): EventKind<T> {
  const selected = sql`${textColumns(entity, 'e')}, e.${column} as "resource_id", ${NOUNS[kind]} as "resource_type", ${userSummaryColumns('u', 'user.')}${select}`;
  const from = sql`${raw(entity.meta.tableName)} e left join users u on u.id = e.user_id ${join}`;
  const of = ({ id }: Numbered) => sql`e.${column} = ${id}`;
  return {
    name,
    list: (record) => ({
      select: selected,
      from,
      matching: sql`${raw(entity.meta.tableName)} e`,
      where: [of(record)],
      order: [byId('e', 'asc')],
    }),
    async find(ctx, record, id) {
      const found = await ctx.queryOne<T>(sql`
        select ${selected} from ${from} where ${and([of(record), sql`e.id = ${id}`])}`);
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
const labelledEventsOf = (type: LabelledType, entities: Entities) => ({
  state: eventKind<StateEventRecord>(type, 'state', entities.state),
  label: eventKind<LabelEventRecord>(type, 'label', entities.label, {
    select: sql`, ${textColumns(Label, 'l', 'label.')}`,
    join: sql`left join labels l on l.id = e.label_id`,
  }),
});

/** The events that issues and merge requests have alike. */
export const eventsOf = (type: IssuableType, entities: Entities & { readonly milestone: EntitySchema }) => ({
  ...labelledEventsOf(type, entities),
  milestone: eventKind<MilestoneEventRecord>(type, 'milestone', entities.milestone),
});

export const issueEvents = {
  ...eventsOf(issueType, { state: IssueStateEvent, label: IssueLabelEvent, milestone: IssueMilestoneEvent }),
  weight: eventKind<WeightEventRecord>(issueType, 'weight', IssueWeightEvent),
};

export const epicEvents = labelledEventsOf(epicType, { state: EpicStateEvent, label: EpicLabelEvent });
