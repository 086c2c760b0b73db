/** Replacement lines that a note suggests for the lines that it is attached to. */
export interface WrittenSuggestion {
  readonly lines_above: number;
  readonly lines_below: number;
  /** Whole lines; empty where they are to go. */
  readonly content: string;
}

/** Lines around the note that one suggestion replaces, on each side. */
const MOST_LINES = 100;
/** Suggestions of one note. */
const MOST = 20;

const OPENS = /^ {0,3}(`{3,}|~{3,})[ \t]*(\S*)[ \t]*$/;
const SUGGESTS = /^suggestion(?::-(\d{1,4})\+(\d{1,4}))?$/;

/**
 * The blocks of a note that are fenced as suggestions, `suggestion:-1+2` for a line above and two below as well: the
 * first twenty.
 */
export function suggestionsIn(text: string): WrittenSuggestion[] {
  const found: WrittenSuggestion[] = [];
  let open: { fence: string; around: readonly [number, number] | null; lines: string[] } | null = null;
  for (const line of text.split('\n').map((one) => one.replace(/\r$/, ''))) {
    if (open === null) {
      const [, fence, info = ''] = OPENS.exec(line) ?? [];
      if (fence === undefined) continue;
      const match = SUGGESTS.exec(info);
      const [above, below] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
      const fits = match !== null && above <= MOST_LINES && below <= MOST_LINES;
      open = { fence, around: fits ? [above, below] : null, lines: [] };
    } else if (line.trim().startsWith(open.fence) && /^(?:`+|~+)$/.test(line.trim())) {
      if (open.around) {
        const [lines_above, lines_below] = open.around;
        found.push({ lines_above, lines_below, content: open.lines.map((one) => `${one}\n`).join('') });
      }
      open = null;
    } else open.lines.push(line);
    if (found.length === MOST) break;
  }
  return found;
}
