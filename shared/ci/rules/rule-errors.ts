import { ConfigurationError } from '../configuration-model/configuration.types.js';
import type { RuleExplanation, RuleOwner } from './rules.types.js';

/** An expression cannot be read. */
export class ExpressionError extends Error {}

/** The general ExpressionError: tokens that make no expression, or a pattern that does not compile. */
export const INVALID_EXPRESSION = 'invalid expression syntax';

/** Rules cannot be evaluated. The explanation ends as usual: the rule at fault has the result `error`. */
export class RuleError extends ConfigurationError {
  constructor(
    message: string,
    readonly explanation: RuleExplanation[],
  ) {
    super(message);
  }
}

/** What a rule compares with is not there. A RuleContext throws it; `message` is the end of the public text. */
export class RuleSourceError extends Error {}

/** For `changes:compare_to`. */
export function rejectCompareTo(): RuleSourceError {
  return new RuleSourceError('rules:changes:compare_to is not a valid ref');
}

/** For `exists:project`: unknown, or hidden from the pipeline's user. */
export function rejectProject(project: string): RuleSourceError {
  return new RuleSourceError(`rules:exists:project \`${project}\` is not a valid project path`);
}

/** For `exists:ref`. */
export function rejectRef(ref: string, project: string): RuleSourceError {
  return new RuleSourceError(`rules:exists:ref \`${ref}\` is not a valid ref in project \`${project}\``);
}

/** The public text for a reason that stopped a rule; null for an error that is not about rules. */
export function describeRuleError(error: unknown, owner: RuleOwner): string | null {
  if (error instanceof ExpressionError) {
    const rules = owner.kind === 'job' ? `jobs:${owner.name}:rules` : `${owner.kind}:rules`;
    return `${rules}:rule if invalid expression syntax`;
  }
  if (error instanceof RuleSourceError) {
    return `Failed to parse rule for ${owner.kind === 'job' ? owner.name : owner.kind}: ${error.message}`;
  }
  return null;
}
