import { registry } from '../../../shared/core/metrics/instruments.js';
import { sql } from 'kysely';
import { spamSettings } from '../../../shared/instance/application-settings/spam-settings.js';
import type { TestApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

/** A text matched by the tests' word list. */
export const SPAM = 'Buy cheap-pills, now!';
export const DENIED = 'Request denied. Spam detected';
export const CHALLENGED = 'Request denied. Solve CAPTCHA challenge and retry';

/** A word list that refuses {@link SPAM} hard. */
export const HARD = { spam_wordlist: ['cheap pills'] };

/** The same, which a CAPTCHA with the answer `solved` settles. */
export const SOFT = {
  ...HARD,
  spam_wordlist_verdict: 'conditional_allow' as const,
  recaptcha_enabled: true,
  recaptcha_site_key: 'site-key',
  recaptcha_private_key: 'solved',
  captcha_provider: 'static' as const,
};

/** Everything off, as it is at first. */
export const OFF = {
  ...Object.fromEntries(Object.entries(spamSettings).map(([name, { default: fallback }]) => [name, fallback])),
  outbound_local_requests_whitelist: [],
};

interface Entry {
  id: number;
  user_id: number;
  noteable_type: string;
  title: string;
  text: string;
  verdict: string;
  via_api: boolean;
  recaptcha_verified: boolean;
}

/** A user's log entries, oldest first. */
export const getLog = (app: TestApp, user: BuiltUser) =>
  app.context().query<Entry>(sql`
    select s.id as "id", s.user_id as "user_id", s.noteable_type as "noteable_type", s.title as "title",
           s.text as "text", s.verdict as "verdict", s.via_api as "via_api",
           s.recaptcha_verified as "recaptcha_verified"
      from spam_logs s where s.user_id = ${user.id} order by s.id`);

/** How often a checker has returned a verdict. */
export async function checksCounted(checker: string, verdict: string): Promise<number> {
  const text = await registry.metrics();
  const line = text
    .split('\n')
    .find((each) => each.startsWith(`spam_checks_total{checker="${checker}",verdict="${verdict}"}`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

/** The headers of a retry. */
export const solved = (spamLogId: number | string, response = 'solved', prefix = 'X-Service') => ({
  [`${prefix}-Captcha-Response`]: response,
  [`${prefix}-Spam-Log-Id`]: String(spamLogId),
});
