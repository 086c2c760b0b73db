import { compilePattern } from './compile-pattern.js';
import { type Operator, readTokens, type Token } from './expression-lexer.js';
import { readThrough } from './read-through.js';
import { ExpressionError, INVALID_EXPRESSION } from './rule-errors.js';

/** The operators that compare two values. */
export type ExpressionComparison = '==' | '!=' | '=~' | '!~';

/** A part of an expression, and where it stands in the source (parentheses around it count). */
export type ExpressionNode = { start: number; end: number } & (
  | { kind: 'logic'; operator: '&&' | '||'; left: ExpressionNode; right: ExpressionNode }
  | { kind: 'comparison'; operator: ExpressionComparison; left: ExpressionNode; right: ExpressionNode }
  | { kind: 'not'; operand: ExpressionNode }
  | Exclude<Token, { kind: 'operator' }>
);

const COMPARISONS: readonly Operator[] = ['==', '!=', '=~', '!~'];
/** Expressions that stay in memory, and the characters of the longest of them. */
const MAX_CACHE = 1_000;
const MAX_CACHE_LENGTH = 2_000;

const cache = new Map<string, ExpressionNode>();

interface Cursor {
  tokens: readonly Token[];
  at: number;
}

/**
 * Parses an expression: `||` binds least, then `&&`, then the comparisons (from the left), then `!` and parentheses.
 * Throws ExpressionError.
 */
export function parseExpression(source: string): ExpressionNode {
  if (source.length > MAX_CACHE_LENGTH) return parseTokens(readTokens(source));
  return readThrough(cache, MAX_CACHE, source, () => parseTokens(readTokens(source)));
}

function parseTokens(tokens: readonly Token[]): ExpressionNode {
  const cursor = { tokens, at: 0 };
  const node = parseLogic(cursor, '||');
  if (cursor.at < tokens.length) throw new ExpressionError(INVALID_EXPRESSION);
  return node;
}

function parseLogic(cursor: Cursor, operator: '&&' | '||'): ExpressionNode {
  const parseOperand = (): ExpressionNode => (operator === '||' ? parseLogic(cursor, '&&') : parseComparison(cursor));
  let left = parseOperand();
  while (takeOperator(cursor, [operator])) {
    const right = parseOperand();
    left = { kind: 'logic', operator, left, right, start: left.start, end: right.end };
  }
  return left;
}

function parseComparison(cursor: Cursor): ExpressionNode {
  let left = parseUnary(cursor);
  for (;;) {
    const token = takeOperator(cursor, COMPARISONS);
    if (!token) return left;
    const right = parseUnary(cursor);
    const operator = token.operator as ExpressionComparison;
    left = { kind: 'comparison', operator, left, right, start: left.start, end: right.end };
  }
}

function parseUnary(cursor: Cursor): ExpressionNode {
  const not = takeOperator(cursor, ['!']);
  if (not) {
    const operand = parseUnary(cursor);
    return { kind: 'not', operand, start: not.start, end: operand.end };
  }
  const open = takeOperator(cursor, ['(']);
  if (open) {
    const node = parseLogic(cursor, '||');
    const close = takeOperator(cursor, [')']);
    if (!close) throw new ExpressionError(INVALID_EXPRESSION);
    return { ...node, start: open.start, end: close.end };
  }
  return parseValue(cursor);
}

function parseValue(cursor: Cursor): ExpressionNode {
  const token = cursor.tokens[cursor.at];
  if (token === undefined || token.kind === 'operator') throw new ExpressionError(INVALID_EXPRESSION);
  if (token.kind === 'pattern' && compilePattern(token.body, token.flags) === null) {
    throw new ExpressionError(INVALID_EXPRESSION);
  }
  cursor.at += 1;
  return token;
}

function takeOperator(cursor: Cursor, operators: readonly Operator[]) {
  const token = cursor.tokens[cursor.at];
  if (token?.kind !== 'operator' || !operators.includes(token.operator)) return null;
  cursor.at += 1;
  return token;
}
