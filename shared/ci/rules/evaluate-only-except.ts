import type { RefPolicy } from '../configuration-model/configuration.types.js';
import { cutClause, joinTexts } from './describe-condition.js';
import { evaluateExpression } from './evaluate-expression.js';
import { evaluateChanges } from './evaluate-paths.js';
import { explainClauses } from './explain-clauses.js';
import { matchRefs } from './match-refs.js';
import { ExpressionError, RuleError, RuleSourceError } from './rule-errors.js';
import type { Because, PolicyContext, PolicyOutcome } from './rules.types.js';

type Keyword = 'only' | 'except';

/** One key of `only` or `except`. */
interface Clause {
  keyword: Keyword;
  text: string;
  evaluate(context: PolicyContext): Promise<{ result: boolean; because: Because[] }>;
}

const DEFAULT_REFS = ['branches', 'tags'];
/** Expressions of `variables` that an explanation shows. */
const MAX_BECAUSE = 50;

/**
 * Whether a job without `rules` is in a pipeline: every key of `only` must hold, and no key of `except`. Without `refs`
 * of its own, `only` means branches and tags, unless the configuration has `workflow:rules`. Throws RuleError with
 * `jobs:x:only variables invalid expression syntax`, or for a pattern that does not compile.
 */
export async function evaluateOnlyExcept(
  only: RefPolicy | null,
  except: RefPolicy | null,
  context: PolicyContext,
): Promise<PolicyOutcome> {
  const refs = only?.refs ?? (context.workflowRules ? undefined : DEFAULT_REFS);
  const clauses = [...listClauses('only', { ...only, refs }), ...listClauses('except', except ?? {})];
  const explainer = explainClauses(clauses.length, (index) => cutClause(clauses[index]!.text));
  for (const { keyword, evaluate } of clauses) {
    const evaluation = await evaluate(context).catch((error: unknown) => {
      const message = describeError(error, keyword, context.job);
      if (message === null) throw error;
      explainer.add('error', [], true);
      throw new RuleError(message, explainer.close());
    });
    const excludes = evaluation.result === (keyword === 'except');
    explainer.add(evaluation.result ? 'match' : 'no_match', evaluation.because, excludes);
    if (excludes) return { included: false, explanation: explainer.close() };
  }
  return { included: true, explanation: explainer.close() };
}

/** The keys in the order in which they are looked at. */
function listClauses(keyword: Keyword, policy: RefPolicy): Clause[] {
  const clauses: Clause[] = [];
  const { refs, variables, changes, kubernetes } = policy;
  if (refs !== undefined) {
    clauses.push({
      keyword,
      text: `${keyword}:refs: ${joinTexts(refs)}`,
      evaluate: async (context) => {
        const because = matchRefs(refs, context);
        return { result: because.at(-1)?.result ?? false, because };
      },
    });
  }
  if (kubernetes !== undefined) {
    const because = [{ part: 'kubernetes: active', operands: [], result: false, note: 'clusters are not supported' }];
    clauses.push({
      keyword,
      text: `${keyword}:kubernetes: active`,
      evaluate: async () => ({ result: false, because }),
    });
  }
  if (variables !== undefined) {
    clauses.push({
      keyword,
      text: `${keyword}:variables: ${joinTexts(variables)}`,
      evaluate: async (context) => evaluateVariables(variables, context),
    });
  }
  if (changes !== undefined) {
    clauses.push({
      keyword,
      text: `${keyword}:changes: ${joinTexts(changes)}`,
      evaluate: async (context) => {
        const because = await evaluateChanges({ paths: changes }, context);
        return { result: because.result, because: [because] };
      },
    });
  }
  return clauses;
}

/** One expression that holds is enough. */
function evaluateVariables(expressions: readonly string[], context: PolicyContext) {
  const because: Because[] = [];
  for (const expression of expressions) {
    const evaluation = evaluateExpression(expression, context.lookup);
    if (evaluation.result) {
      const before = because.slice(0, Math.max(0, MAX_BECAUSE - evaluation.because.length));
      return { result: true, because: [...before, ...evaluation.because] };
    }
    if (because.length < MAX_BECAUSE) because.push(...evaluation.because);
  }
  return { result: false, because };
}

function describeError(error: unknown, keyword: Keyword, job: string): string | null {
  if (error instanceof ExpressionError) return `jobs:${job}:${keyword} variables invalid expression syntax`;
  if (error instanceof RuleSourceError) {
    return `jobs:${job}:${keyword} config should be an array of strings or regular expressions using re2 syntax`;
  }
  return null;
}
