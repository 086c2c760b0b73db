import type { Kysely } from 'kysely';
import { anyOf } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import { labelsOfIssuables } from '../issuables/issuable-loads.js';
import { epicType } from '../issuables/issuable-type.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { markdownHtml } from '../../core/markdown/markdown-html.js';
import { epicsById } from './epic.finder.js';
import type { ListedEpic } from './epic.entity.js';

export const labelsOfEpics = labelsOfIssuables(epicType);

/** The epic above each, as far as the caller may read it. */
export const parentsOfEpics = load(
  (epic: Readonly<ListedEpic>) => epic.parent_id ?? 0,
  async (ctx, epics): Promise<Map<number, ListedEpic>> => {
    const ids = [...new Set(epics.flatMap(({ parent_id: id }) => (id ? [id] : [])))];
    return ids.length === 0 ? new Map() : epicsById(ctx, ids);
  },
);

const findSubscriptions = prepareQuery(
  (db: Kysely<PlanningDatabase>, { ids, user_id }: Placeholders<{ ids: readonly number[]; user_id: number }>) =>
    db
      .selectFrom('epic_subscriptions as s')
      .select(['s.epic_id', 's.subscribed'])
      .where('s.epic_id', '=', anyOf(ids, 'bigint'))
      .where('s.user_id', '=', user_id),
);

/** Whether the caller is subscribed: explicitly, or else as the author. */
export const subscriptionsToEpics = load(
  (epic: Readonly<ListedEpic>) => epic.id,
  async (ctx, epics): Promise<Map<number, boolean>> => {
    if (ctx.caller.anonymous) return new Map();
    const { id } = ctx.caller;
    const rows = await findSubscriptions(ctx, { ids: epics.map((epic) => epic.id), user_id: id });
    const chosen = new Map(rows.map(({ epic_id, subscribed }) => [epic_id, subscribed]));
    return new Map(epics.map((epic) => [epic.id, chosen.get(epic.id) ?? epic.author_id === id]));
  },
);

/** Title and description of epics as HTML, with references as the caller may follow them. */
export const epicHtml = markdownHtml<ListedEpic, 'title' | 'description'>(
  ({ title, description }) => ({ title: { line: title }, description }),
  ({ namespace_id: id }) => ({ kind: 'group', id }),
);
