import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant, scalar } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { load } from '../../core/context/loads.js';
import { visibleProjectsCondition } from '../projects/project.finder.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import type { Topic } from './topic.entity.js';

/** Topics `t`, as conditions name them. */
export type OfTopics = Aliased<TenancyDatabase, { t: 'topics' }>;

/** Builds conditions on topics `t`. */
export const onTopics = expressionBuilder<OfTopics, 't'>();

/** Projects `p` that are not open to everybody and have topic `t`, of those that the caller may see. */
const hiddenProjects = (ctx: Context) =>
  onTopics
    .selectFrom('project_topics as pt')
    .innerJoin('projects as p', 'p.id', 'pt.project_id')
    .whereRef('pt.topic_id', '=', 't.id')
    .where((eb) => eb.not(eb.ref('pt.public')))
    .where(visibleProjectsCondition(ctx));

const countHidden = (ctx: Context) => hiddenProjects(ctx).select((eb) => eb.fn.countAll<number>().as('count'));

/** How many projects that the caller may see have each topic: one statement, or none where that is known. */
export const topicCounts = load(
  (topic: Readonly<Topic>) => topic.id,
  async (ctx, topics): Promise<Map<number, number>> => {
    const { caller } = ctx;
    if (caller.admin) return new Map(topics.map((topic) => [topic.id, topic.total_projects_count]));
    const ids = topics.flatMap(({ id, total_projects_count: all, public_projects_count: open }) =>
      all > open && !caller.anonymous ? [id] : [],
    );
    const rows =
      ids.length === 0
        ? []
        : await ctx.em
            .getKysely<TenancyDatabase>()
            .selectFrom('topics as t')
            .where('t.id', '=', anyOf(ids, 'bigint'))
            .select(['t.id', scalar(countHidden(ctx)).as('count')])
            .execute();
    const hidden = new Map(rows.map(({ id, count }) => [id, count]));
    return new Map(topics.map(({ id, public_projects_count: open }) => [id, open + (hidden.get(id) ?? 0)]));
  },
);

/** That no project that the caller may see has topic `t`. */
export function withoutProjects(ctx: Context): Expression<SqlBool> {
  const isZero = onTopics(`t.${countColumn(ctx)}`, '=', constant(0));
  if (ctx.caller.admin || ctx.caller.anonymous) return isZero;
  const hidden = hiddenProjects(ctx).select('pt.topic_id');
  return onTopics.and([isZero, onTopics.not(onTopics.exists(hidden))]);
}

/** The column that topics are ordered by: it counts projects that everybody sees, but for administrators. */
export const countColumn = (ctx: Context): 'total_projects_count' | 'public_projects_count' =>
  ctx.caller.admin ? 'total_projects_count' : 'public_projects_count';
