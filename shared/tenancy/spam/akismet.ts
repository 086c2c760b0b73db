import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { postOutbound } from '../../core/network/request-outbound.js';
import { secretValue } from '../../instance/application-settings/secret-settings.js';
import { REQUEST_LIMITS } from './checker.js';
import type { Checker, CheckedText } from './checker.js';

/** A text as sent to the service for a check or a later correction. */
type AkismetText = Pick<CheckedText, 'type' | 'title' | 'text' | 'ip' | 'userAgent' | 'referer'> & {
  readonly user: { readonly name: string };
};

const COMMENT_TYPES = { Issue: 'forum-post', Note: 'reply', Snippet: 'forum-post' } as const;

/** @returns the plain text that it answers */
function ask(ctx: Context<Caller>, call: 'comment-check' | 'submit-ham', submission: AkismetText): Promise<string> {
  const base = ctx.settings.akismet_url.replace(/\/+$/, '');
  const body = new URLSearchParams({
    api_key: secretValue(ctx, 'akismet_api_key'),
    blog: ctx.config.externalUrl,
    user_ip: submission.ip ?? '',
    user_agent: submission.userAgent,
    referrer: submission.referer,
    comment_type: COMMENT_TYPES[submission.type],
    comment_author: submission.user.name,
    comment_content: submission.title === '' ? submission.text : `${submission.title}\n\n${submission.text}`,
  });
  return postOutbound(ctx, new URL(`${base}/1.1/${call}`), {
    ...REQUEST_LIMITS,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
  });
}

/** Akismet, or a service that answers as it does: what it takes for spam, a CAPTCHA settles (graphql.md section 6.3). */
export const akismet: Checker = {
  name: 'akismet',
  async check(ctx, submission) {
    const answer = (await ask(ctx, 'comment-check', submission)).trim();
    if (answer === 'true') return 'conditional_allow';
    if (answer === 'false') return 'allow';
    throw new Error('The answer is neither true nor false');
  },
};

/** Reports to the service that a text was not spam. @throws if the service is unreachable */
export async function reportHam(ctx: Context<Caller>, submission: AkismetText): Promise<void> {
  await ask(ctx, 'submit-ham', submission);
}
