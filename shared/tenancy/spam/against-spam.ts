import type { SignedInContext } from '../../core/context/context.js';
import { SpamDetected } from '../../core/values/errors.js';
import type { Precheck } from '../../core/operations/operation.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { today, unexpired } from '../namespaces/access.js';
import { captchaIsOn, passesByCaptcha } from './captcha.js';
import { isCheckedForSpam } from './checker.js';
import type { CheckedText, GuardedText, Verdict } from './checker.js';
import { verdictOn } from './judge.js';
import { writeSpamLog } from './write-spam-log.js';

/** Number of characters of a text to check. */
export const LOOKED_AT = 65_536;
const MOST_OF_HEADER = 255;

/** As it can be stored and sent on. */
const plain = (text: string, most: number) => text.slice(0, most).replaceAll('\0', '').toWellFormed();

function checked({ caller, origin }: SignedInContext, { type, action, title, text }: GuardedText): CheckedText {
  const { id, username, name } = caller.user;
  return {
    type,
    action,
    title: plain(title, LOOKED_AT),
    text: plain(text, LOOKED_AT),
    user: { id, username, name },
    ip: origin.ip,
    userAgent: plain(origin.userAgent ?? '', MOST_OF_HEADER),
    referer: plain(origin.referer ?? '', MOST_OF_HEADER),
  };
}

/**
 * Whether a text bypasses spam checks: by the instance's settings, its author's, or those of one of the author's
 * groups.
 */
async function allowsAnyway(ctx: SignedInContext): Promise<boolean> {
  if (ctx.settings.allow_possible_spam) return true;
  const row = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('user_profiles as p')
    .select((eb) => {
      const groups = eb
        .selectFrom('group_members as m')
        .innerJoin('group_settings as s', 's.namespace_id', 'm.namespace_id')
        .select(eb.lit(1).as('one'))
        .whereRef('m.user_id', '=', 'p.user_id')
        .where(unexpired('m', today(ctx)))
        .where((of) => of.ref('s.allow_possible_spam'));
      return eb.or([eb.ref('p.allow_possible_spam'), eb.exists(groups)]).as('allowed');
    })
    .where('p.user_id', '=', ctx.caller.id)
    .executeTakeFirst();
  return row?.allowed === true;
}

type BadVerdict = Exclude<Verdict, 'noop' | 'allow'>;

const isBad = (verdict: Verdict): verdict is BadVerdict => verdict !== 'noop' && verdict !== 'allow';

/**
 * Runs all spam checks on a text, in the order of graphql.md section 6.2.
 * @throws SpamDetected after adding the text to the spam log
 */
export async function requireNoSpam(
  ctx: SignedInContext,
  guarded: GuardedText,
  { viaApi = true }: { viaApi?: boolean } = {},
): Promise<void> {
  // Within a transaction, other requests would wait for the checkers, and a refusal would roll back the log entry.
  if (ctx.inTransaction)
    throw new Error('A text is checked for spam within a transaction: call the operation by itself.');
  if (viaApi && (await passesByCaptcha(ctx))) return;
  const submission = checked(ctx, guarded);
  const verdict = await verdictOn(ctx, submission);
  if (!isBad(verdict)) return;
  const allowed = await allowsAnyway(ctx);
  const challenged = !allowed && viaApi && verdict === 'conditional_allow' && captchaIsOn(ctx);
  const spamLogId = await writeSpamLog(ctx, submission, { verdict, challenged, via_api: viaApi });
  if (allowed) return;
  throw new SpamDetected(challenged ? { siteKey: ctx.settings.recaptcha_site_key, spamLogId } : null);
}

/**
 * Guards an operation against spam (decision 70) through `precheck: againstSpam(…)`.
 * @param guarded the text that the operation would publish; null if it publishes nothing, or nothing new. The resource
 * was found outside a transaction and is not locked.
 */
export function againstSpam<S, I>(
  guarded: (ctx: SignedInContext, resource: S, input: I) => GuardedText | null | Promise<GuardedText | null>,
): Precheck<S, I> {
  return {
    applies: isCheckedForSpam,
    async check(ctx, resource, input) {
      const text = await guarded(ctx as SignedInContext, resource, input);
      if (text) await requireNoSpam(ctx as SignedInContext, text);
    },
  };
}
