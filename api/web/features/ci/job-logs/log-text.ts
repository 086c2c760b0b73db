import { applySgr } from './sgr.js';
import type { TextStyle } from './sgr.js';

/** A run of characters of one look. */
export interface TextSpan {
  text: string;
  style: TextStyle;
}

const REPLACEMENT = '\uFFFD';
const NUL = '\u0000';
const BEL = '\u0007';
export const ESC = '\u001B';

/** Longer sequences are taken for text again, so that none swallows a log. */
const MAX_CONTROL = 64;
const MAX_STRING = 4096;

// Own pattern: of the limits above.
// A sequence that begins with ESC: `[` parameters and a final character; a string up to BEL or ESC \; or a short one.
const CONTROL = new RegExp(`^${ESC}\\[([0-?]{0,${MAX_CONTROL}})[ -/]{0,8}([@-~])`);
const STRING = new RegExp(`^${ESC}[\\]PX^_][^${BEL}${ESC}]{0,${MAX_STRING}}(?:${BEL}|${ESC}\\\\)?`);
const SHORT = new RegExp(`^${ESC}[ -/]{0,8}[0-~]?`);

/** A control character other than a tab. */
const SPECIAL = /[^\P{Cc}\t]/gu;

/** The characters of one line, where the cursor may move back and write over them. */
class LineCells {
  #spans: TextSpan[] = [];
  /** Single characters, from the first time that the cursor moves back. */
  #cells: { char: string; style: TextStyle }[] | null = null;
  #cursor = 0;

  write(text: string, style: TextStyle): void {
    if (text === '') return;
    if (this.#cells === null) {
      const last = this.#spans.at(-1);
      if (last?.style === style) last.text += text;
      else this.#spans.push({ text, style });
      return;
    }
    for (const char of text) {
      this.#cells[this.#cursor] = { char, style };
      this.#cursor += 1;
    }
  }

  moveTo(column: number): void {
    this.#useCells();
    this.#cursor = column;
  }

  moveBack(): void {
    this.#useCells();
    this.#cursor = Math.max(0, this.#cursor - 1);
  }

  /** Erases from the cursor on. */
  eraseRest(): void {
    const cells = this.#useCells();
    cells.length = Math.min(this.#cursor, cells.length);
  }

  /** Erases the line, and begins it anew: what follows is written there nearly always. */
  eraseAll(): void {
    this.#useCells().length = 0;
    this.#cursor = 0;
  }

  get spans(): TextSpan[] {
    if (this.#cells === null) return this.#spans;
    const spans: TextSpan[] = [];
    for (const { char, style } of this.#cells) {
      const last = spans.at(-1);
      if (last?.style === style) last.text += char;
      else spans.push({ text: char, style });
    }
    return spans;
  }

  #useCells(): { char: string; style: TextStyle }[] {
    if (this.#cells === null) {
      this.#cells = this.#spans.flatMap(({ text, style }) => [...text].map((char) => ({ char, style })));
      this.#cursor = this.#cells.length;
    }
    return this.#cells;
  }
}

/** Applies one sequence, and returns how many characters it has. */
function readSequence(text: string, cells: LineCells, style: TextStyle): { length: number; style: TextStyle } {
  const control = CONTROL.exec(text);
  if (control) {
    const [{ length }, params = '', final] = control;
    if (final === 'm') return { length, style: /^[\d;:]*$/.test(params) ? applySgr(style, params) : style };
    if (final === 'K' && (params === '' || params === '0')) cells.eraseRest();
    if (final === 'K' && params === '2') cells.eraseAll();
    return { length, style };
  }
  const other = STRING.exec(text) ?? SHORT.exec(text);
  return { length: Math.max(1, other?.[0].length ?? 1), style };
}

/**
 * Reads a line of a terminal's output as text: colours and weights from a list, carriage returns and erased lines as a
 * terminal shows them, and no other control sequence.
 * @param style as the line before left it
 */
export function readTerminalText(raw: string, style: TextStyle): { spans: TextSpan[]; style: TextStyle } {
  const text = raw.includes(NUL) ? raw.replaceAll(NUL, REPLACEMENT) : raw;
  const cells = new LineCells();
  let current = style;
  let at = 0;
  while (at < text.length) {
    SPECIAL.lastIndex = at;
    const found = SPECIAL.exec(text);
    const end = found?.index ?? text.length;
    cells.write(text.slice(at, end), current);
    if (!found) break;
    at = end + 1;
    switch (found[0]) {
      case ESC: {
        const read = readSequence(text.slice(end, end + MAX_STRING + MAX_CONTROL), cells, current);
        current = read.style;
        at = end + read.length;
        break;
      }
      case '\r':
        cells.moveTo(0);
        break;
      case '\b':
        cells.moveBack();
        break;
      default:
    }
  }
  return { spans: cells.spans.filter(({ text: written }) => written !== ''), style: current };
}
