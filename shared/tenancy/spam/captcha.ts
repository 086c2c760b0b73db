import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { SignedInContext } from '../../core/context/context.js';
import { postOutbound } from '../../core/network/request-outbound.js';
import { secretValue } from '../../instance/application-settings/secret-settings.js';
import { REQUEST_LIMITS } from './checker.js';
import { counted } from './judge.js';
import { SpamLog } from './spam-log.entity.js';

/** An entry of the spam log is good for a retry for so long. */
const GOOD_MS = 3_600_000;
const LONGEST_RESPONSE = 8192;

/** Whether a CAPTCHA can settle anything: its keys are there. */
export function captchaIsOn({ settings }: SignedInContext): boolean {
  const { recaptcha_enabled, recaptcha_site_key, recaptcha_private_key } = settings;
  return recaptcha_enabled && recaptcha_site_key !== '' && recaptcha_private_key !== '';
}

const answerOf = z.object({ success: z.boolean() });
const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether the provider confirms that the CAPTCHA response is valid. @throws if the provider is unreachable */
async function isSolved(ctx: SignedInContext, response: string): Promise<boolean> {
  const secret = secretValue(ctx, 'recaptcha_private_key');
  if (ctx.settings.captcha_provider === 'static') return timingSafeEqual(digest(secret), digest(response));
  const { ip } = ctx.origin;
  const answer = await postOutbound(ctx, new URL(ctx.settings.captcha_verify_url), {
    ...REQUEST_LIMITS,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
    body: new URLSearchParams({ secret, response, ...(ip === null ? {} : { remoteip: ip }) }).toString(),
  });
  return answerOf.parse(JSON.parse(answer)).success;
}

/**
 * The entry of the spam log that a retry names, if it is one to retry by: the caller's own, of the last hour, offered
 * with a CAPTCHA and not used yet.
 */
const usable = (ctx: SignedInContext, id: number) => ({
  id,
  user_id: ctx.caller.id,
  challenged: true,
  recaptcha_verified: false,
  created_at: { $gt: new Date(ctx.clock.now().getTime() - GOOD_MS) },
});

/**
 * Whether the request has a valid CAPTCHA response that lets its text pass (graphql.md section 6.2, 2). A response is
 * valid once: it stays marked as used whatever the outcome of the request. Any other response is ignored.
 */
export async function passesByCaptcha(ctx: SignedInContext): Promise<boolean> {
  const { captcha } = ctx.origin;
  if (!captcha || !captchaIsOn(ctx) || captcha.response.length > LONGEST_RESPONSE) return false;
  const { response, spamLogId: id } = captcha;
  if (id === null || (await ctx.em.count(SpamLog, usable(ctx, id))) === 0) return false;
  const getOutcome = (solved: boolean) => (solved ? 'verified' : 'refused');
  if (!(await counted(ctx, 'captcha', () => isSolved(ctx, response), getOutcome))) return false;
  // Two requests with the same answer meet here, and one of them finds it unused.
  const used = { recaptcha_verified: true, updated_at: ctx.clock.now() };
  return (await ctx.em.nativeUpdate(SpamLog, usable(ctx, id), used)) > 0;
}
