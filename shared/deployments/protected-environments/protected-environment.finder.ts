import { containerColumn } from '../../core/container.js';
import type { ContainerRef } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import type { TextList } from '../../core/list.js';
import { sql, textColumns } from '../../core/sql.js';
import { ProtectedEnvironment } from './protected-environment.entity.js';

/** The protected environments of this very project or group, by name. */
export function protectedEnvironmentsOf({ kind, id }: ContainerRef): TextList<ProtectedEnvironment> {
  return {
    select: textColumns(ProtectedEnvironment, 'pe'),
    from: sql`protected_environments pe`,
    where: [sql`pe.${containerColumn(kind)} = ${id}`],
    // Within a container a name is there once.
    order: [{ key: 'name', expression: sql`pe.name`, direction: 'asc', type: 'text', value: ({ name }) => name }],
  };
}

/** The one of exactly that name. For a write it is locked. @throws NotFound "404 Not found" */
export async function findProtectedEnvironment(
  ctx: Context,
  { kind, id }: ContainerRef,
  name: string,
): Promise<ProtectedEnvironment> {
  const row = await ctx.queryOne<ProtectedEnvironment>(sql`
    select ${textColumns(ProtectedEnvironment, 'pe')} from protected_environments pe
     where pe.${containerColumn(kind)} = ${id} and pe.name = ${name} ${ctx.inTransaction ? sql`for update` : sql``}`);
  if (!row) throw new NotFound();
  return row;
}
