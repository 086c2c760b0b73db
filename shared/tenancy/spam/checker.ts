import type { Caller } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import type { Settings } from '../../core/values/settings.js';

/** Possible verdicts on a text, from the mildest to the most severe (graphql.md section 6.2). */
export const VERDICTS = ['noop', 'allow', 'conditional_allow', 'disallow', 'block'] as const;

export type Verdict = (typeof VERDICTS)[number];

/** A text that the public would see. */
export interface GuardedText {
  readonly type: 'Issue' | 'Note' | 'Snippet';
  readonly action: 'create' | 'update';
  /** Empty if the content has no title. */
  readonly title: string;
  /** As it will be. */
  readonly text: string;
}

/** A text with who wrote it and from where: what checkers judge. */
export interface CheckedText extends GuardedText {
  readonly user: { readonly id: number; readonly username: string; readonly name: string };
  readonly ip: string | null;
  readonly userAgent: string;
  readonly referer: string;
}

/** Which checkers an instance is set to use. */
const USED = {
  wordlist: ({ spam_wordlist: terms, spam_wordlist_expressions: expressions }: Settings) =>
    terms.length + expressions.length > 0,
  http: (settings: Settings) => settings.spam_check_endpoint_enabled && settings.spam_check_endpoint_url !== '',
  akismet: (settings: Settings) =>
    settings.akismet_enabled && settings.akismet_api_key !== '' && settings.akismet_url !== '',
};

type CheckerName = keyof typeof USED;

/** Whether the instance uses a checker. */
export const usesChecker = ({ settings }: Context<Caller>, name: CheckerName): boolean => USED[name](settings);

/** Whether the caller's texts are checked: those of human users, if any spam check is enabled. */
export const isCheckedForSpam = (ctx: Context<Caller>): ctx is SignedInContext =>
  ctx.caller.kind === 'user' && !ctx.caller.user.bot && Object.values(USED).some((isUsed) => isUsed(ctx.settings));

/** One way to find out whether a text is spam. */
export interface Checker {
  /** Its name in metrics. */
  readonly name: CheckerName;
  /**
   * Judges a text, outside of any transaction.
   * @throws if it cannot; its verdict is then ignored
   */
  check(ctx: Context<Caller>, submission: CheckedText): Promise<Verdict>;
}

/** Limits for requests to external checkers: duration and response size. */
export const REQUEST_LIMITS = { timeoutMs: 2000, maxBytes: 64 * 1024 } as const;
