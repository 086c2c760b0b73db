import type { SignedInContext } from '../../core/context/context.js';
import { scalar } from '../../core/database/expressions.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import type { CheckedText } from './checker.js';
import { SpamLog } from './spam-log.entity.js';

/** Number of entries retained per user, newest first, so that a spammer cannot fill the table. */
const MAX_PER_USER = 100;
const LONGEST_TITLE = 255;
const LONGEST_TEXT = 10_000;

/** Records a text in the spam log, whatever the outcome of the request. @returns the id of the entry */
export function writeSpamLog(
  ctx: SignedInContext,
  { type, title, text, ip, userAgent, referer }: CheckedText,
  judged: Pick<SpamLog, 'verdict' | 'challenged' | 'via_api'>,
): Promise<number> {
  const now = ctx.clock.now();
  return ctx.transaction(async () => {
    const id = await ctx.em.insert(SpamLog, {
      user_id: ctx.caller.id,
      noteable_type: type,
      title: title.slice(0, LONGEST_TITLE).toWellFormed(),
      text: text.slice(0, LONGEST_TEXT).toWellFormed(),
      source_ip: ip,
      user_agent: userAgent,
      referer,
      ...judged,
      recaptcha_verified: false,
      submitted_as_ham: false,
      created_at: now,
      updated_at: now,
    });
    await ctx.em
      .getKysely<TenancyDatabase>()
      .deleteFrom('spam_logs')
      .where('user_id', '=', ctx.caller.id)
      .where((eb) => {
        const own = eb.selectFrom('spam_logs as s').select('s.id').where('s.user_id', '=', ctx.caller.id);
        return eb('id', '<=', scalar(own.orderBy('s.id', 'desc').offset(MAX_PER_USER).limit(1)));
      })
      .execute();
    return id;
  });
}
