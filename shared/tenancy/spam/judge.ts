import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { spamChecked } from '../../core/metrics/count.js';
import { OutboundTimeout } from '../../core/network/request-outbound.js';
import { akismet } from './akismet.js';
import { usesChecker, VERDICTS } from './checker.js';
import type { CheckedText, Checker, Verdict } from './checker.js';
import { httpChecker } from './http-checker.js';
import { wordlist } from './wordlist.js';

const CHECKERS: readonly Checker[] = [wordlist, httpChecker, akismet];

/**
 * Calls a checker, which may fail, and counts the outcome in metrics.
 * @param name the checker's name in metrics
 * @returns null if the call failed, which is logged
 */
export async function counted<T>(
  ctx: Context<Caller>,
  name: string,
  ask: () => Promise<T>,
  said: (answer: T) => string,
): Promise<T | null> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const answer = await ask();
    spamChecked(name, said(answer), seconds());
    return answer;
  } catch (error) {
    spamChecked(name, error instanceof OutboundTimeout ? 'timeout' : 'error', seconds());
    ctx.log.warn({ err: error, checker: name }, 'a check for spam failed; it has no say');
    return null;
  }
}

const severity = (verdict: Verdict) => VERDICTS.indexOf(verdict);

/**
 * The most severe verdict of all checkers that the instance uses. Failed checkers are ignored, and without any verdict
 * the text is allowed (graphql.md section 6.2, 4).
 */
export async function verdictOn(ctx: Context<Caller>, submission: CheckedText): Promise<Verdict> {
  const checkers = CHECKERS.filter(({ name }) => usesChecker(ctx, name));
  const verdicts = await Promise.all(
    checkers.map((checker) => counted(ctx, checker.name, () => checker.check(ctx, submission), String)),
  );
  return verdicts
    .filter((verdict) => verdict !== null)
    .reduce<Verdict>((worst, verdict) => (severity(verdict) > severity(worst) ? verdict : worst), 'noop');
}
