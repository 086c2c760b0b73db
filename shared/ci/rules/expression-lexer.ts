import { ExpressionError, INVALID_EXPRESSION } from './rule-errors.js';

const MAX_TOKENS = 100;
/** Characters of an expression. */
const MAX_LENGTH = 64 * 1_024;

/** What stands between or before values. */
export type Operator = '==' | '!=' | '=~' | '!~' | '&&' | '||' | '!' | '(' | ')';

/** One token, and where it stands in the source. */
export type Token = { start: number; end: number } & (
  | { kind: 'operator'; operator: Operator }
  | { kind: 'variable'; name: string }
  | { kind: 'string'; value: string }
  | { kind: 'pattern'; body: string; flags: string }
  | { kind: 'constant'; value: boolean | null }
);

const BLANKS = /\s*/y;
const OPERATOR = /==|!=|=~|!~|&&|\|\||[!()]/y;
const VARIABLE = /\$(\w+)/y;
const STRING = /"([^"\n]*)"|'([^'\n]*)'/y;
const CONSTANT = /null|true|false/y;
const FLAGS = /[ismU]*/y;
const CONSTANTS = { null: null, true: true, false: false } as const;

/**
 * Splits an expression into at most 100 tokens. Throws ExpressionError with `Too many tokens!`, with
 * `Unknown lexeme found!`, or with the general text for an expression of more than 65,536 characters.
 */
export function readTokens(source: string): Token[] {
  if (source.length > MAX_LENGTH) throw new ExpressionError(INVALID_EXPRESSION);
  const tokens: Token[] = [];
  let at = skipBlanks(source, 0);
  while (at < source.length) {
    if (tokens.length === MAX_TOKENS) throw new ExpressionError('Too many tokens!');
    const token = readToken(source, at);
    if (token === null) throw new ExpressionError('Unknown lexeme found!');
    tokens.push(token);
    at = skipBlanks(source, token.end);
  }
  return tokens;
}

function skipBlanks(source: string, start: number): number {
  return start + matchAt(BLANKS, source, start)![0].length;
}

function readToken(source: string, start: number): Token | null {
  if (source[start] === '/') return readPatternToken(source, start);
  const variable = matchAt(VARIABLE, source, start);
  if (variable) return { kind: 'variable', name: variable[1]!, start, end: start + variable[0].length };
  const text = matchAt(STRING, source, start);
  if (text) return { kind: 'string', value: text[1] ?? text[2] ?? '', start, end: start + text[0].length };
  const word = matchAt(CONSTANT, source, start)?.[0] as keyof typeof CONSTANTS | undefined;
  if (word) return { kind: 'constant', value: CONSTANTS[word], start, end: start + word.length };
  const operator = matchAt(OPERATOR, source, start)?.[0] as Operator | undefined;
  return operator ? { kind: 'operator', operator, start, end: start + operator.length } : null;
}

/** A pattern ends at the first slash without a backslash before it, and is not empty. */
function readPatternToken(source: string, start: number): Token | null {
  let close = source.indexOf('/', start + 1);
  while (close > 0 && source[close - 1] === '\\') close = source.indexOf('/', close + 1);
  if (close < start + 2) return null;
  const flags = matchAt(FLAGS, source, close + 1)![0];
  return { kind: 'pattern', body: source.slice(start + 1, close), flags, start, end: close + 1 + flags.length };
}

function matchAt(pattern: RegExp, source: string, start: number): RegExpExecArray | null {
  pattern.lastIndex = start;
  return pattern.exec(source);
}
