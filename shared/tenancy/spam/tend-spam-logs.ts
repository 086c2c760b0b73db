import type { Context } from '../../core/context.js';
import { inSteps } from '../../core/in-steps.js';
import { sql } from '../../core/sql.js';
import { akismetIsOn, tellHam } from './akismet.js';
import type { CheckedText } from './checker.js';
import type { SpamLogRecord } from './spam-log.finder.js';
import { spamLogs } from './spam-log.finder.js';
import { readAll } from '../../core/list.js';

const KEPT_DAYS = 90;
const DAY_MS = 86_400_000;
/** Removed by one statement, so that none holds many rows. */
const AT_ONCE = 1000;

/** Removes entries of the spam log that are older than 90 days. @returns how many */
export async function removeOldSpamLogs(ctx: Context): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - KEPT_DAYS * DAY_MS);
  let removed = 0;
  await inSteps(ctx, async () => {
    const gone = await ctx.query(sql`
      delete from spam_logs where id in (
        select s.id from spam_logs s where s.created_at < ${before} limit ${AT_ONCE}) returning id`);
    removed += gone.length;
    return gone.length === AT_ONCE;
  });
  return removed;
}

/** Tells Akismet that the text of an entry was no spam; nobody where the entry is gone by then. @throws to be tried again */
export async function submitSpamLogAsHam(ctx: Context, id: number): Promise<void> {
  const [found] = await readAll<SpamLogRecord>(ctx, spamLogs([sql`s.id = ${id}`]));
  if (!found || !akismetIsOn(ctx)) return;
  await tellHam(ctx, {
    type: found.noteable_type as CheckedText['type'],
    title: found.title,
    text: found.text,
    user: found.user,
    ip: found.source_ip ?? null,
    userAgent: found.user_agent,
    referer: found.referer,
  });
}
