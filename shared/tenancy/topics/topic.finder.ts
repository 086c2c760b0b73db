import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { NotFound } from '../../core/values/errors.js';
import { integer, optional } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { byId, narrow } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { countColumn, onTopics } from './topic-counts.js';
import type { OfTopics } from './topic-counts.js';
import { Topic } from './topic.entity.js';

/** All topics, those with the most projects first. Visible to all callers. */
export function allTopics(ctx: Context, where: readonly Expression<SqlBool>[] = []): List<Topic> {
  const column = countColumn(ctx);
  const list: List<Topic> = {
    matching: expressionBuilder<TenancyDatabase>().selectFrom('topics as t'),
    select: (query: SelectQueryBuilder<OfTopics, 't', object>) => query.select(columns(Topic, 't')),
    order: [
      {
        key: column,
        expression: onTopics.ref(`t.${column}`),
        direction: 'desc',
        type: 'integer',
        value: (topic) => topic[column],
      },
      byId('t', 'asc'),
    ],
  };
  return narrow(list, where);
}

/** @throws NotFound "404 Not found" */
export async function findTopic(ctx: Context, id: number): Promise<Topic> {
  const topic = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('topics as t')
    .select(columns(Topic, 't'))
    .where('t.id', '=', id)
    .executeTakeFirst();
  if (!topic) throw new NotFound();
  return topic;
}

/** The instance is one organisation, of this id. */
export const ORGANIZATION_ID = 1;

export const organizationParam = {
  organization_id: optional(integer()).describe('ID of the organisation; there is only one.'),
};

/** @throws NotFound for another organisation than the one that there is */
export function requireOrganization({ organization_id: id }: { organization_id?: number | undefined }): void {
  if (id !== undefined && id !== ORGANIZATION_ID) throw new NotFound('Organization');
}

/** The resource of `/topics/:id`. */
export const topic: Resource<Topic> = {
  noun: 'Topic',
  params: { id: integer().describe('ID of the topic.') },
  find: (ctx, input: { id: number }) => findTopic(ctx, input.id),
};
