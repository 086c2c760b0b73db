import type { MarkdownIt } from 'markdown-it';

const BRACKETS = /[![]+/y;

/** The last position of each closing delimiter in the line being parsed, searched for once. */
const lastEnds = new WeakMap<object, Map<string, number>>();

function lastEnd(line: { readonly src: string }, end: string): number {
  let positions = lastEnds.get(line);
  if (!positions) lastEnds.set(line, (positions = new Map<string, number>()));
  let at = positions.get(end);
  if (at === undefined) positions.set(end, (at = line.src.lastIndexOf(end)));
  return at;
}

/** Whether the text declares something that brackets name without an address. */
const hasNames = ({ references, footnotes }: { references?: unknown; footnotes?: unknown }) =>
  references !== undefined || footnotes !== undefined;

/**
 * Takes brackets that begin nothing, since no end comes after them, as the text that they are, a run of them at once: the
 * rules of links, pictures and footnotes would each look to the end of the line for each of them.
 */
export function loneBrackets(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'lone_brackets', (state, silent) => {
    const { src, pos } = state;
    if (src[pos] !== '[' && !src.startsWith('![', pos)) return false;
    if (lastEnd(state, hasNames(state.env) ? ']' : '](') > pos) return false;
    BRACKETS.lastIndex = pos;
    const [run = ''] = BRACKETS.exec(src) ?? [];
    if (pos + run.length > state.posMax) return false;
    if (!silent) state.pending += run;
    state.pos += run.length;
    return true;
  });
}
