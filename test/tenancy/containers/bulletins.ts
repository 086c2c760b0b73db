import { expressionBuilder, sql } from 'kysely';
import { containerRoutes, del, get, post } from '../../../api/core/routes.js';
import { insertAuditEvents } from '../../../shared/instance/audit-events/insert-audit-events.js';
import { containerTable } from '../../../shared/core/operations/container.js';
import { NotFound } from '../../../shared/core/values/errors.js';
import { integer, text } from '../../../shared/core/operations/fields.js';
import { byId } from '../../../shared/core/database/list.js';
import type { List } from '../../../shared/core/database/list.js';
import { can, operation } from '../../../shared/core/operations/operation.js';
import { out, serializer } from '../../../shared/core/operations/serializer.js';
import { forContainers, lockContainer } from '../../../shared/tenancy/containers/container.js';
import { containerPolicy } from '../../../shared/tenancy/containers/container.policy.js';
import { auditedContainer } from '../../../shared/tenancy/containers/audited-container.js';
import type { TestApp } from '../../core/app.js';
import { queryOne } from '../../core/query-one.js';

/* A resource of containers that no area has: declared once, bound for projects and groups. */

interface Bulletin {
  id: number;
  text: string;
}

export async function createBulletinTables(app: TestApp): Promise<void> {
  for (const [kind, owner] of [
    ['project', 'projects'],
    ['group', 'namespaces'],
  ] as const) {
    const { table, column } = containerTable(kind, 'bulletins');
    await app.services.db.pool.query(`
      create table ${table} (
        id bigint generated always as identity primary key,
        ${column} bigint not null references ${owner} (id) on delete cascade,
        text text not null)`);
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- tables that no entity describes
const bulletins = expressionBuilder<any>();

export const bulletinOperations = forContainers(({ kind, noun, resource }) => {
  const { table, column } = containerTable(kind, 'bulletins');
  return {
    list: operation({
      name: `list${noun}Bulletins`,
      summary: `List the bulletins of a ${kind}`,
      resource,
      can: can(containerPolicy, `read_${kind}`),
      kind: 'read',
      statements: 4,
      run: (_ctx, { id }): Promise<List<Bulletin>> =>
        Promise.resolve({
          matching: bulletins.selectFrom(`${table} as b`).where(`b.${column}`, '=', id),
          select: (query) => query.select(['b.id', 'b.text']),
          order: [byId('b', 'asc')],
        }),
    }),

    create: operation({
      name: `create${noun}Bulletin`,
      summary: `Put up a bulletin in a ${kind}`,
      resource,
      can: can(containerPolicy, `admin_${kind}`),
      kind: 'write',
      params: { text: text() },
      async run(ctx, container, input) {
        await lockContainer(ctx, container);
        const bulletin = await queryOne<Bulletin>(
          ctx,
          sql`
          insert into ${sql.table(table)} (${sql.ref(column)}, text) values (${container.id}, ${input.text})
          returning id as "id", text as "text"`,
        );
        const entity = auditedContainer(container.summary);
        await insertAuditEvents([
          { ctx, note: { event: 'bulletin_created', entity, message: `Put up ${input.text}` } },
        ]);
        return bulletin as Bulletin;
      },
    }),

    remove: operation({
      name: `delete${noun}Bulletin`,
      summary: `Take a bulletin of a ${kind} down`,
      resource,
      can: can(containerPolicy, `admin_${kind}`),
      kind: 'write',
      params: { bulletin_id: integer() },
      async run(ctx, { id }, input) {
        const gone = await ctx.query(sql`
          delete from ${sql.table(table)} where ${sql.ref(column)} = ${id} and id = ${input.bulletin_id} returning id`);
        if (gone.length === 0) throw new NotFound('Bulletin');
      },
    }),
  };
});

const present = serializer<Bulletin>('Bulletin', {
  id: out.integer((bulletin) => bulletin.id),
  text: out.text((bulletin) => bulletin.text),
});

export const bulletinRoutes = containerRoutes('/bulletins', bulletinOperations, ({ list, create, remove }) => [
  get('/', list, { present, paginate: 'offset' }),
  post('/', create, { present, status: 201 }),
  del('/:bulletin_id', remove, { status: 204 }),
]);
