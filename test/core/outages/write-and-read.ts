import { post, routes } from '../../../api/core/routes.js';
import type { Context } from '../../../shared/core/context/context.js';
import { text } from '../../../shared/core/operations/fields.js';
import { load } from '../../../shared/core/context/loads.js';
import { instance, operation } from '../../../shared/core/operations/operation.js';
import { out, serializer } from '../../../shared/core/operations/serializer.js';
import { sql } from 'kysely';
import type { TestApp } from '../app.js';

interface Written {
  id: number;
  name: string;
}

/** What happens to the connection of a committed transaction while its answer is read, by the name that was written. */
const happens = new Map<string, (ctx: Context) => Promise<unknown>>();

/** What happens right before the commit, by the name that is written. */
export const lastSteps = new Map<string, () => void>();

const readAgain = load<Written, number, string>(
  ({ id }) => id,
  async (ctx, records) => {
    for (const { name } of records) await happens.get(name)?.(ctx);
    const rows = await ctx.query<Written>(sql`
      select s.name from instance_settings s where s.name = any(${records.map(({ name }) => name)}::text[])`);
    return new Map(rows.map(({ name }) => [7, name]));
  },
);

const writtenSerializer = serializer<Written>(
  'TestWritten',
  { id: out.integer(({ id }) => id), name: out.text((record, ctx) => readAgain.of(record, ctx)) },
  { loads: [readAgain] },
);

const writeAndRead = operation({
  name: 'writeAndRead',
  resource: instance,
  authentication: 'open',
  kind: 'write',
  summary: 'Write, and read for the answer',
  params: { name: text() },
  async run(ctx, _instance, { name }): Promise<Written> {
    await ctx.query(sql`insert into instance_settings (name, value, updated_at) values (${name}, '1', now())`);
    lastSteps.get(name)?.();
    return { id: 7, name };
  },
});

/** Routes whose responses are read from the database after their write is committed. */
export const writeAndReadRoutes = routes('', [
  post('/write-and-read', writeAndRead, { present: writtenSerializer, status: 201 }),
]);

/** Writes by that route, while something happens to the connection when the answer is read. */
export async function writeAndReadOf(
  app: TestApp,
  beside: TestApp,
  name: string,
  what: (ctx: Context) => Promise<unknown>,
) {
  happens.set(name, what);
  const answer = await app.anonymous.post('/write-and-read', { name });
  const rows = await beside.services.db.query(sql`select 1 from instance_settings s where s.name = ${name}`);
  return { ...answer, rows: rows.length };
}
