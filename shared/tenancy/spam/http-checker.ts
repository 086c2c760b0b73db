import { z } from 'zod';
import { postOutbound } from '../../core/network/request-outbound.js';
import { secretValue } from '../../instance/application-settings/secret-settings.js';
import { REQUEST_LIMITS, VERDICTS } from './checker.js';
import type { Checker } from './checker.js';

/** Other keys are left alone: `score` and the like are for people. */
const answerOf = z.object({ verdict: z.string().toLowerCase().pipe(z.enum(VERDICTS)) });

/** A service of the instance's own that texts are posted to as JSON (graphql.md section 6.3). */
export const httpChecker: Checker = {
  name: 'http',
  async check(ctx, { type, action, title, text, user, ip, userAgent, referer }) {
    const key = secretValue(ctx, 'spam_check_api_key');
    const answer = await postOutbound(ctx, new URL(ctx.settings.spam_check_endpoint_url), {
      ...REQUEST_LIMITS,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        ...(key === '' ? {} : { Authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ action, type, title, text, user, ip, user_agent: userAgent, referer }),
    });
    return answerOf.parse(JSON.parse(answer)).verdict;
  },
};
