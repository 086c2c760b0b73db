import type { MarkdownIt } from 'markdown-it';
import { escapeText } from './escape-text.js';

const DOLLAR = 0x24;

/** Delimiters that do not occur again in the line being parsed, so that they are not searched for again. */
const missing = new WeakMap<object, Set<string>>();
const isSpace = (character: string | undefined) => character === undefined || /\s/.test(character);

/** The position of the next `mark`; all calls for one line together cost one pass over it. */
function nextMark(line: { readonly src: string }, start: number, mark: string): number {
  const missingMarks = missing.get(line);
  if (missingMarks?.has(mark)) return -1;
  const at = line.src.indexOf(mark, start);
  if (at < 0) missing.set(line, (missingMarks ?? new Set()).add(mark));
  return at;
}

/** The end of the formula that begins at `start`, if any: only the next closing delimiter is checked. */
function endOfFormula(line: { readonly src: string }, start: number, mark: string): number | null {
  const text = line.src;
  const end = nextMark(line, start, mark);
  if (end <= start || text[end - 1] === '\\') return null;
  if (mark === '$' && (isSpace(text[start]) || isSpace(text[end - 1]) || /\d/.test(text[end + 1] ?? ''))) return null;
  return end;
}

/**
 * Formulas, left as marked text for the client to render: `$a$`, `` $`a`$ ``, `$$a$$`, and code blocks of the language
 * `math`.
 */
export function math(md: MarkdownIt): void {
  md.inline.ruler.before('escape', 'math', (state, silent) => {
    const { src, pos } = state;
    if (src.charCodeAt(pos) !== DOLLAR) return false;
    const mark = src.startsWith('$`', pos) ? '`$' : src.startsWith('$$', pos) ? '$$' : '$';
    const start = pos + mark.length;
    const end = endOfFormula(state, start, mark);
    if (end === null || end > state.posMax) return false;
    if (!silent) {
      const token = state.push('math', 'code', 0);
      token.content = src.slice(start, end);
      token.markup = mark;
    }
    state.pos = end + mark.length;
    return true;
  });
  md.renderer.rules.math = (tokens, index) => {
    const { content, markup } = tokens[index] as { content: string; markup: string };
    return `<code class="code math" data-math-style="${markup === '$$' ? 'display' : 'inline'}">${escapeText(content)}</code>`;
  };
}
