import type { RuleExplanation } from '../rules/rules.types.js';
import type { Compilation, CompileRequest } from './compile.types.js';
import { MASK } from './job-variables.js';
import type { Problem } from '../configuration-model/configuration.types.js';

/** Shorter values would hide every other word. */
const MIN_LENGTH = 8;

/**
 * Hides the values of secret variables in explanations. Those of masked ones are nowhere by then, see
 * `Lookup.visible`; where one stands in the file itself, messages do not repeat it either.
 */
export function redactCompilation(compilation: Compilation, { variables }: CompileRequest): Compilation {
  const secrets = Object.values(variables)
    .filter(({ masked, value }) => masked && value.length >= MIN_LENGTH)
    .map(({ value }) => value)
    // The longest first: one may be a part of another.
    .sort((one, other) => other.length - one.length);
  const hidden = new Set(Object.keys(variables).filter((name) => variables[name]?.masked || variables[name]?.secret));
  if (hidden.size === 0) return compilation;
  const redact = (text: string) => secrets.reduce((result, secret) => result.replaceAll(secret, MASK), text);
  const redactProblem = (problem: Problem): Problem => ({ ...problem, message: redact(problem.message) });
  const redactRules = (explanation: RuleExplanation[]): RuleExplanation[] =>
    explanation.map((rule) => ({
      ...rule,
      clause: redact(rule.clause),
      because: rule.because.map(({ operands, part, ...rest }) => ({
        ...rest,
        part: redact(part),
        operands: operands.map((operand) => ({
          ...operand,
          value: operand.value === null ? null : hidden.has(operand.name) ? MASK : redact(operand.value),
        })),
      })),
    }));
  return {
    ...compilation,
    errors: compilation.errors.map(redactProblem),
    warnings: compilation.warnings.map(redactProblem),
    workflow_explanation: redactRules(compilation.workflow_explanation),
    jobs: compilation.jobs.map((job) => ({ ...job, explanation: redactRules(job.explanation) })),
    excluded: compilation.excluded.map((job) => ({ ...job, explanation: redactRules(job.explanation) })),
  };
}
