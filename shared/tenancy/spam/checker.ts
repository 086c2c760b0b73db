import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';

/** What may be said of a text, from the mildest to the most severe (graphql.md section 6.2). */
export const VERDICTS = ['noop', 'allow', 'conditional_allow', 'disallow', 'block'] as const;

export type Verdict = (typeof VERDICTS)[number];

/** A text that the public would see. */
export interface GuardedText {
  readonly type: 'Issue' | 'Note' | 'Snippet';
  readonly action: 'create' | 'update';
  /** Empty where it has none. */
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

/** One way to find out whether a text is spam. */
export interface Checker {
  /** Its name in metrics. */
  readonly name: string;
  /** Whether the instance uses it. */
  isOn(ctx: Context<Caller>): boolean;
  /**
   * Judges a text, outside of any transaction.
   * @throws where it cannot: then it has no say
   */
  check(ctx: Context<Caller>, given: CheckedText): Promise<Verdict>;
}

/** What another service is asked may take so long, and answer so much. */
export const ASKED = { timeoutMs: 2000, maxBytes: 64 * 1024 } as const;
