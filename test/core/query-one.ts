import type { Context } from '../../shared/core/context/context.js';
import type { Statement } from '../../shared/core/database/driver/statement.js';
import type { OperationNodeSource } from 'kysely';

/** The first row that a statement answers, or null. */
export const queryOne = async <T>(
  ctx: Pick<Context, 'query'>,
  statement: Statement | OperationNodeSource,
): Promise<T | null> => (await ctx.query<T>(statement))[0] ?? null;
