import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { integer, optional } from '../../core/fields.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { raw, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { countColumn } from './topic-counts.js';
import { Topic } from './topic.entity.js';

/** All topics, those of most projects first. Everybody may see them. */
export function allTopics(ctx: Context, where: readonly Fragment[] = []): TextList<Topic> {
  const column = countColumn(ctx);
  return {
    select: textColumns(Topic, 't'),
    from: sql`topics t`,
    where: [...where],
    order: [
      {
        key: column,
        expression: raw(`t.${column}`),
        direction: 'desc',
        type: 'integer',
        value: (topic) => topic[column],
      },
      byId('t', 'asc'),
    ],
  };
}

/** @throws NotFound "404 Not found" */
export async function findTopic(ctx: Context, id: number): Promise<Topic> {
  const topic = await ctx.queryOne<Topic>(sql`select ${textColumns(Topic, 't')} from topics t where t.id = ${id}`);
  if (!topic) throw new NotFound();
  return topic;
}

/** The instance is one organisation, of this id. */
export const ORGANIZATION_ID = 1;

export const organizationParam = {
  organization_id: optional(integer()).describe('Id of the organisation; there is one.'),
};

/** @throws NotFound for another organisation than the one that there is */
export function requireOrganization({ organization_id: id }: { organization_id?: number | undefined }): void {
  if (id !== undefined && id !== ORGANIZATION_ID) throw new NotFound('Organization');
}

/** The subject of `/topics/:id`. */
export const topic: Subject<Topic> = {
  noun: 'Topic',
  params: { id: integer().describe('Id of the topic.') },
  find: (ctx, input: { id: number }) => findTopic(ctx, input.id),
};
