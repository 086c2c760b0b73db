import { compilePattern, readPattern, testPattern } from './compile-pattern.js';
import { containsText } from './contains-text.js';
import { cutPart, describeOperand } from './describe-condition.js';
import { type ExpressionComparison, type ExpressionNode, parseExpression } from './expression-parser.js';
import { ExpressionError, INVALID_EXPRESSION } from './rule-errors.js';
import type { Because, Evaluation, Lookup } from './rules.types.js';

/** The value of a pattern that was written in the expression. */
interface PatternValue {
  body: string;
  flags: string;
}
type ExpressionValue = string | boolean | null | PatternValue;

/** What one evaluation needs: variables are noted in `names` while a condition is evaluated. */
interface Run {
  source: string;
  lookup: Lookup;
  because: Because[];
  names: Set<string>;
}

/** Throws the ExpressionError that evaluation would throw. */
export function checkExpression(source: string): void {
  parseExpression(source);
}

/**
 * Evaluates an expression of `rules:if` or `only:variables`. `because` lists the conditions in the order of their
 * evaluation, which stops where `&&` and `||` have their result. Throws ExpressionError.
 */
export function evaluateExpression(source: string, lookup: Lookup): Evaluation {
  const run: Run = { source, lookup, because: [], names: new Set() };
  const result = evaluateCondition(parseExpression(source), run);
  return { result, because: run.because };
}

/** Evaluates down to the conditions between `&&`, `||` and `!`, and notes each of them. */
function evaluateCondition(node: ExpressionNode, run: Run): boolean {
  if (node.kind === 'logic') {
    const left = evaluateCondition(node.left, run);
    return left === (node.operator === '||') ? left : evaluateCondition(node.right, run);
  }
  if (node.kind === 'not' && ['logic', 'comparison', 'not'].includes(node.operand.kind)) {
    return !evaluateCondition(node.operand, run);
  }
  run.names.clear();
  const result = isTrue(evaluateValue(node, run));
  const operands = [...run.names].map((name) => describeOperand(name, run.lookup));
  run.because.push({ part: cutPart(run.source.slice(node.start, node.end)), operands, result });
  return result;
}

function evaluateValue(node: ExpressionNode, run: Run): ExpressionValue {
  switch (node.kind) {
    case 'variable':
      run.names.add(node.name);
      return run.lookup(node.name) ?? null;
    case 'string':
    case 'constant':
      return node.value;
    case 'pattern':
      return { body: node.body, flags: node.flags };
    case 'not':
      return !isTrue(evaluateValue(node.operand, run));
    case 'logic': {
      const left = evaluateValue(node.left, run);
      return isTrue(left) === (node.operator === '||') ? left : evaluateValue(node.right, run);
    }
    case 'comparison':
      return compareValues(node.operator, evaluateValue(node.left, run), evaluateValue(node.right, run));
  }
}

/** A text is true when it is not empty; a pattern always is. */
function isTrue(value: ExpressionValue): boolean {
  return value !== null && value !== '' && value !== false;
}

function isPattern(value: ExpressionValue): value is PatternValue {
  return typeof value === 'object' && value !== null;
}

function compareValues(operator: ExpressionComparison, left: ExpressionValue, right: ExpressionValue): boolean {
  switch (operator) {
    case '==':
      return areEqual(left, right);
    case '!=':
      return !areEqual(left, right);
    case '=~':
      return matchesValue(left, right);
    case '!~':
      return !matchesValue(left, right);
  }
}

/** Next to a text, true and false are the texts `true` and `false`. */
function areEqual(left: ExpressionValue, right: ExpressionValue): boolean {
  if (isPattern(left) || isPattern(right)) {
    return isPattern(left) && isPattern(right) && left.body === right.body && left.flags === right.flags;
  }
  if (left === null || right === null) return left === right;
  return String(left) === String(right);
}

/**
 * `=~`. A right side that is no pattern is compiled when its text is `/re/`; otherwise the left side is looked for
 * in the right one, as on the public server.
 */
function matchesValue(left: ExpressionValue, right: ExpressionValue): boolean {
  if (right === null || right === false) return false;
  const text = isPattern(left) ? `/${left.body}/${left.flags}` : String(left ?? '');
  if (isPattern(right)) {
    const pattern = compilePattern(right.body, right.flags);
    if (pattern === null) throw new ExpressionError(INVALID_EXPRESSION);
    return testPattern(pattern, text);
  }
  const pattern = readPattern(String(right));
  return pattern === null ? containsText(String(right), text) : testPattern(pattern, text);
}
