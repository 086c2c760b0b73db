import type { EntitySchema } from '@mikro-orm/core';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { byId } from '../../core/list.js';
import type { List } from '../../core/list.js';
import { and, columns, empty, raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import type { IssueRecord } from '../issues/issue.record.js';
import { Label } from '../labels/label.entity.js';
import { IssueLabelEvent, IssueMilestoneEvent, IssueStateEvent, IssueWeightEvent } from './resource-event.entity.js';
import type {
  LabelEventRecord,
  MilestoneEventRecord,
  StateEventRecord,
  WeightEventRecord,
} from './resource-event.record.js';

/** The events of one kind, as they are found for an issue. */
export interface EventKind<T> {
  /** As operations and paths name it: `resource_state_events`. */
  readonly name: 'state' | 'label' | 'milestone' | 'weight';
  /** An issue's events, the first one first. */
  list(issue: IssueRecord): List<T>;
  /** @throws NotFound "404 Not found", also for one of another issue */
  find(ctx: Context, issue: IssueRecord, id: number): Promise<T>;
}

interface Parts {
  readonly select?: Sql;
  readonly join?: Sql;
}

function eventKind<T extends { id: number }>(
  name: EventKind<T>['name'],
  entity: EntitySchema,
  { select = empty, join = empty }: Parts = {},
): EventKind<T> {
  const selected = sql`${columns(entity, 'e')}, ${userSummaryColumns('u', 'user.')}${select}`;
  const from = sql`${raw(entity.meta.tableName)} e left join users u on u.id = e.user_id ${join}`;
  const of = ({ id }: IssueRecord) => sql`e.issue_id = ${id}`;
  return {
    name,
    list: (issue) => ({
      select: selected,
      from,
      matching: sql`${raw(entity.meta.tableName)} e`,
      where: [of(issue)],
      order: [byId('e', 'asc')],
    }),
    async find(ctx, issue, id) {
      const found = await ctx.queryOne<T>(sql`
        select ${selected} from ${from} where ${and([of(issue), sql`e.id = ${id}`])}`);
      if (!found) throw new NotFound();
      return found;
    },
  };
}

export const stateEvents = eventKind<StateEventRecord>('state', IssueStateEvent);

export const labelEvents = eventKind<LabelEventRecord>('label', IssueLabelEvent, {
  select: sql`, ${columns(Label, 'l', 'label.')}`,
  join: sql`left join labels l on l.id = e.label_id`,
});

export const milestoneEvents = eventKind<MilestoneEventRecord>('milestone', IssueMilestoneEvent);

export const weightEvents = eventKind<WeightEventRecord>('weight', IssueWeightEvent);
