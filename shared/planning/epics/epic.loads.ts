import { load } from '../../core/loads.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { labelsOfIssuables } from '../issuables/issuable-loads.js';
import { epicType } from '../issuables/issuable-type.js';
import { epicsById } from './epic.finder.js';
import type { ListedEpic } from './epic.record.js';

export const labelsOfEpics = labelsOfIssuables(epicType);

/** The epic above each, as far as the caller may read it. */
export const parentsOfEpics = load(
  (epic: Readonly<ListedEpic>) => epic.parent_id ?? 0,
  async (ctx, epics): Promise<Map<number, ListedEpic>> => {
    const ids = [...new Set(epics.flatMap(({ parent_id: id }) => (id ? [id] : [])))];
    return ids.length === 0 ? new Map() : epicsById(ctx, ids);
  },
);

/** Whether the caller is told of what happens: as asked for, else as author. */
export const subscriptionsToEpics = load(
  (epic: Readonly<ListedEpic>) => epic.id,
  async (ctx, epics): Promise<Map<number, boolean>> => {
    if (ctx.caller.anonymous) return new Map();
    const { id } = ctx.caller;
    const rows = await ctx.query<{ epic_id: number; subscribed: boolean }>(sql`
      select s.epic_id as "epic_id", s.subscribed as "subscribed" from epic_subscriptions s
       where s.epic_id = any(${epics.map((epic) => epic.id)}::bigint[]) and s.user_id = ${id}`);
    const told = new Map(rows.map(({ epic_id, subscribed }) => [epic_id, subscribed]));
    return new Map(epics.map((epic) => [epic.id, told.get(epic.id) ?? epic.author_id === id]));
  },
);

/** The dates that come to an epic from what is below it, `YYYY-MM-DD`. */
export interface InheritedDates {
  readonly start_date: string | null;
  readonly due_date: string | null;
}

/** Levels of epics below one: parents are refused beyond. */
const LEVELS = 7;

/**
 * Epics below those of the page, by the way to them on which no date is fixed: `from_start` and `from_due` say for
 * which of the two dates the way is open still.
 */
const below = (roots: Fragment): Fragment => sql`
  with recursive tree (root, id, from_start, from_due, level) as (
    select e.id, e.id, true, true, 1 from unnest(${roots}::bigint[]) as e (id)
    union all
    select t.root, c.id, t.from_start and not c.start_date_is_fixed, t.from_due and not c.due_date_is_fixed, t.level + 1
      from tree t join epics c on c.parent_id = t.id
     where (t.from_start or t.from_due) and t.level <= ${LEVELS})`;

/** Days that lie below the roots of `tree`, each from a milestone of an issue or from an epic. */
const datesBelow: Fragment = sql`(
  select t.root, case when t.from_start then m.start_date end as start_date,
         case when t.from_due then m.due_date end as due_date
    from tree t join epic_issues x on x.epic_id = t.id join issues o on o.id = x.issue_id
    join milestones m on m.id = o.milestone_id
  union all
  select t.root, case when t.from_start and c.start_date_is_fixed then c.start_date_fixed end,
         case when t.from_due and c.due_date_is_fixed then c.due_date_fixed end
    from tree t join epics c on c.parent_id = t.id
   where c.start_date_is_fixed or c.due_date_is_fixed) d`;

/** The day on which epic `i` begins: the chosen one, or what comes from below. */
export const startOfEpic: Fragment = sql`case when i.start_date_is_fixed then i.start_date_fixed else (
  ${below(sql`array[i.id]`)} select min(d.start_date) from ${datesBelow}) end`;

/** The day on which epic `i` ends. */
export const endOfEpic: Fragment = sql`case when i.due_date_is_fixed then i.due_date_fixed else (
  ${below(sql`array[i.id]`)} select max(d.due_date) from ${datesBelow}) end`;

/**
 * What dates come from below: the first and last day of the milestones of an epic's issues and of the epics below it,
 * of these the fixed ones where they have them. Counted when it is asked for, over all that is below, whoever asks: a
 * date says nothing else of what it came from.
 */
export const inheritedDates = load(
  (epic: Readonly<ListedEpic>) => epic.id,
  async (ctx, epics): Promise<Map<number, InheritedDates>> => {
    const rows = await ctx.query<InheritedDates & { id: number }>(sql`
      ${below(sql`${epics.map(({ id }) => id)}`)}
      select d.root as "id", min(d.start_date) as "start_date", max(d.due_date) as "due_date" from ${datesBelow}
       group by d.root`);
    return new Map(rows.map((row) => [row.id, row]));
  },
);
