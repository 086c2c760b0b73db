import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns, nested } from '../../core/database/columns.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { User } from '../users/user.entity.js';
import type { UserSummary } from '../users/user.entity.js';
import { USER_SUMMARY } from '../users/user.finder.js';
import { SpamLog } from './spam-log.entity.js';

/** An entry of the spam log with its author. */
export interface SpamLogRecord extends SpamLog {
  user: UserSummary;
}

type OfSpamLogs = Aliased<TenancyDatabase, { s: 'spam_logs' }>;

/** Builds conditions on entries `s` of the spam log. */
export const onSpamLogs = expressionBuilder<OfSpamLogs, 's'>();

/** Entries of the spam log, the newest first. */
export function spamLogs(where: readonly Expression<SqlBool>[]): List<SpamLogRecord> {
  const list: List<SpamLogRecord> = {
    matching: expressionBuilder<TenancyDatabase>().selectFrom('spam_logs as s'),
    select: (query: SelectQueryBuilder<OfSpamLogs, 's', object>) =>
      query
        .innerJoin('users as u', 'u.id', 's.user_id')
        .select([...columns(SpamLog, 's'), ...nested('user', User, 'u', { only: USER_SUMMARY })]),
    order: [byId('s', 'desc')],
  };
  return narrow(list, where);
}

/** The entry of an id, or null. */
export async function spamLogById(ctx: Context, id: number): Promise<SpamLogRecord | null> {
  return (await readAll(ctx, spamLogs([onSpamLogs('s.id', '=', id)])))[0] ?? null;
}

/** @throws NotFound "404 Spam log Not Found" */
export async function findSpamLog(ctx: Context, id: number): Promise<SpamLogRecord> {
  const found = await spamLogById(ctx, id);
  if (!found) throw new NotFound('Spam log');
  return found;
}

/** The resource of `/admin/spam_logs/:id`. */
export const spamLog: Resource<SpamLogRecord> = {
  noun: 'Spam log',
  params: { id: integer().describe('ID of the spam log entry.') },
  find: (ctx, input: { id: number }) => findSpamLog(ctx, input.id),
};
