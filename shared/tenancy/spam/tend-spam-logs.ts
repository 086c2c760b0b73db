import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { reportHam } from './akismet.js';
import { usesChecker } from './checker.js';
import type { CheckedText } from './checker.js';
import { spamLogById } from './spam-log.finder.js';

const RETENTION_DAYS = 90;
const DAY_MS = 86_400_000;
/** Removed by one statement, so that none holds many rows. */
const AT_ONCE = 1000;

/** Removes entries of the spam log that are older than 90 days. @returns how many */
export async function removeOldSpamLogs(ctx: Context): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - RETENTION_DAYS * DAY_MS);
  let removed = 0;
  await inSteps(ctx, async () => {
    const gone = await ctx.em
      .getKysely<TenancyDatabase>()
      .deleteFrom('spam_logs')
      .where('id', 'in', (eb) =>
        eb.selectFrom('spam_logs as s').select('s.id').where('s.created_at', '<', before).limit(AT_ONCE),
      )
      .returning('id')
      .execute();
    removed += gone.length;
    return gone.length === AT_ONCE;
  });
  return removed;
}

/**
 * Reports to Akismet that the text of an entry was not spam; does nothing if the entry no longer exists. @throws to be
 * retried
 */
export async function submitSpamLogAsHam(ctx: Context, id: number): Promise<void> {
  const found = await spamLogById(ctx, id);
  if (!found || !usesChecker(ctx, 'akismet')) return;
  await reportHam(ctx, {
    type: found.noteable_type as CheckedText['type'],
    title: found.title,
    text: found.text,
    user: found.user,
    ip: found.source_ip ?? null,
    userAgent: found.user_agent,
    referer: found.referer,
  });
}
