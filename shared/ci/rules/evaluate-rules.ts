import type { RuleConfig } from '../configuration-model/configuration.types.js';
import { cutClause } from './describe-condition.js';
import { evaluateExpression } from './evaluate-expression.js';
import { describeChanges, describeExists, evaluateChanges, evaluateExists } from './evaluate-paths.js';
import { explainClauses } from './explain-clauses.js';
import { describeRuleError, RuleError } from './rule-errors.js';
import type { Because, RuleContext, RulesOutcome } from './rules.types.js';

/**
 * Finds the first rule of which all conditions hold; a rule without conditions always matches. Throws RuleError with
 * `jobs:x:rules:rule if invalid expression syntax` (`workflow:rules:…`, `include:rules:…`) and with
 * `Failed to parse rule for x: …`.
 */
export async function evaluateRules(rules: readonly RuleConfig[], context: RuleContext): Promise<RulesOutcome> {
  const explainer = explainClauses(rules.length, (index) => describeRule(rules[index]!));
  for (const [index, rule] of rules.entries()) {
    const because: Because[] = [];
    let holds: boolean;
    try {
      holds = await evaluateRule(rule, context, because);
    } catch (error) {
      const message = describeRuleError(error, context.owner);
      if (message === null) throw error;
      explainer.add('error', because, true);
      throw new RuleError(message, explainer.close());
    }
    explainer.add(holds ? 'match' : 'no_match', because, holds);
    if (holds) return { matched: index, rule, explanation: explainer.close() };
  }
  return { matched: null, rule: null, explanation: explainer.close() };
}

/** Looks at `if`, `changes` and `exists`, in this order, up to one that does not hold. */
async function evaluateRule(rule: RuleConfig, context: RuleContext, because: Because[]): Promise<boolean> {
  if (rule.if !== undefined) {
    const evaluation = evaluateExpression(rule.if, context.lookup);
    because.push(...evaluation.because);
    if (!evaluation.result) return false;
  }
  if (rule.changes !== undefined) {
    const changes = await evaluateChanges(rule.changes, context);
    because.push(changes);
    if (!changes.result) return false;
  }
  if (rule.exists !== undefined) {
    const exists = await evaluateExists(rule.exists, context);
    because.push(exists);
    if (!exists.result) return false;
  }
  return true;
}

function describeRule(rule: RuleConfig): string {
  const conditions = [
    rule.if === undefined ? [] : [`if: ${rule.if}`],
    rule.changes === undefined ? [] : [describeChanges(rule.changes)],
    rule.exists === undefined ? [] : [describeExists(rule.exists)],
  ].flat();
  return conditions.length === 0 ? 'no condition' : cutClause(conditions.join(', '));
}
