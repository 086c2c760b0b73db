import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { userSummaryColumns } from '../users/user.finder.js';
import type { UserSummary } from '../users/user.record.js';
import { SpamLog } from './spam-log.entity.js';

/** An entry of the spam log with its author. */
export interface SpamLogRecord extends SpamLog {
  user: UserSummary;
}

const selected: Fragment = sql`${textColumns(SpamLog, 's')}, ${userSummaryColumns('u', 'user.')}`;
const tables: Fragment = sql`spam_logs s join users u on u.id = s.user_id`;

/** Entries of the spam log, the newest first. */
export const spamLogs = (where: readonly Fragment[]): TextList<SpamLogRecord> => ({
  select: selected,
  from: tables,
  matching: sql`spam_logs s`,
  where,
  order: [byId('s', 'desc')],
});

/** @throws NotFound "404 Spam log Not Found" */
export async function findSpamLog(ctx: Context, id: number): Promise<SpamLogRecord> {
  const found = await ctx.queryOne<SpamLogRecord>(sql`select ${selected} from ${tables} where s.id = ${id}`);
  if (!found) throw new NotFound('Spam log');
  return found;
}

/** The subject of `/admin/spam_logs/:id`. */
export const spamLog: Subject<SpamLogRecord> = {
  noun: 'Spam log',
  params: { id: integer().describe('Id of the entry.') },
  find: (ctx, input: { id: number }) => findSpamLog(ctx, input.id),
};
