import { ESC, readTerminalText } from './log-text.js';
import type { TextSpan } from './log-text.js';
import { PLAIN } from './sgr.js';

/** A part of a log that can be folded. */
export interface LogSection {
  /** Position among all sections, from 0. */
  index: number;
  name: string;
  parent: LogSection | null;
  depth: number;
  /** Seconds since 1970, by the runner. */
  start: number;
  /** null until it ended. */
  end: number | null;
  /** The runner asks to fold it at first. */
  collapsed: boolean;
}

/** A line as it is shown. */
export interface LogLine {
  /** From 1 on; null for the rest of a line that is too long for one. */
  number: number | null;
  text: string;
  spans: readonly TextSpan[];
  /** When the runner wrote it, if it says so: `2030-01-31T09:30:00.123456Z`. */
  time: string | null;
  /** The innermost section that it is in; for a heading the section around its own. */
  section: LogSection | null;
  /** The section whose heading it is. */
  heads: LogSection | null;
}

/** So many characters of a line are shown as one; the rest follows in lines of its own. */
const MAX_LINE = 16_384;
/** A control sequence this near to the end of a part is not cut. */
const MAX_CUT = 256;
const MAX_DEPTH = 32;

// Own pattern: markers of runners, which a sequence that erases the line follows.
const MARKER = new RegExp(
  `section_(start|end):(\\d{1,12}):([\\w.-]{1,255})(?:\\[([^\\]\\r\\n]{0,1000})\\])?(?:\\r|$)(?:${ESC}\\[0?K)?`,
  'g',
);
/** What a runner writes in front of each line: its time, a stream, and `+` if it goes on with the line before. */
const STAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z) [0-9a-f]{2}[OE]([ +])/;
const PART_OF_STAMP = /^\d{1,4}(?:$|-)[\dTZ:. OE+a-f-]*$/;
/** Up to here a stamp may still be incomplete. */
const MAX_STAMP = 40;

/** Where a long line is cut: not within a control sequence, nor between the halves of a character. */
function getCut(text: string): number {
  const escape = text.lastIndexOf(ESC, MAX_LINE - 1);
  if (escape > MAX_LINE - MAX_CUT) return escape;
  return /[\uD800-\uDBFF]/.test(text.charAt(MAX_LINE - 1)) ? MAX_LINE - 1 : MAX_LINE;
}

/** What a line starts from. */
interface LineState {
  style: typeof PLAIN;
  section: LogSection | null;
  count: number;
}

/**
 * Reads a log piece by piece into lines. Everything in it is hostile: the result is text with colours, nothing else.
 * The last line may still grow; it is read again with the next piece.
 */
export class LogParser {
  readonly lines: LogLine[] = [];
  /** Every section, in the order in which they began. */
  readonly sections: LogSection[] = [];
  #state: LineState = { style: PLAIN, section: null, count: 0 };
  /** Characters after the last line break. */
  #rest = '';
  /** Whether the rest goes on a line of which a part was read already. */
  #continues = false;
  /** How many of the lines and sections are of the rest. */
  #ofRest = { lines: 0, sections: 0 };
  /** The line that the rest was added to, as it was before. */
  #joined: LogLine | undefined;
  /** The sections that the rest ended, which is undone when it is read again. */
  #ended: LogSection[] = [];

  /** Reads on. */
  push(text: string): void {
    this.#forgetRest();
    const parts = (this.#rest + text).split('\n');
    this.#rest = parts.pop() ?? '';
    for (const part of parts) this.#readLine(part);
    while (this.#rest.length > MAX_LINE) this.#rest = this.#readPart(this.#rest);
    this.#showRest();
  }

  /** A line break, after which what is there stays. */
  #readLine(raw: string): void {
    let text = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    while (text.length > MAX_LINE) text = this.#readPart(text);
    this.#state = this.#read(text, this.#state);
    this.#continues = false;
    this.#ended = [];
  }

  /** Reads as much of a long line as is shown as one, and returns the rest. */
  #readPart(text: string): string {
    const back = text.lastIndexOf('\r', MAX_LINE - 1);
    const end = back > 0 ? back : getCut(text);
    const before = this.lines.length;
    this.#state = this.#read(text.slice(0, end), this.#state);
    this.#ended = [];
    // A progress bar: what is written over is not kept.
    const isOver = back > 0 && this.lines.length === before + 1 && this.lines.at(-1)?.heads === null;
    if (isOver) {
      const dropped = this.lines.pop();
      if (dropped?.number !== null) this.#state = { ...this.#state, count: this.#state.count - 1 };
    } else this.#continues = true;
    return text.slice(end);
  }

  #forgetRest(): void {
    this.lines.length -= this.#ofRest.lines;
    this.sections.length -= this.#ofRest.sections;
    if (this.#joined) this.lines[this.lines.length - 1] = this.#joined;
    this.#joined = undefined;
    for (const section of this.#ended) section.end = null;
    this.#ofRest = { lines: 0, sections: 0 };
    this.#ended = [];
  }

  #showRest(): void {
    const [lines, sections] = [this.lines.length, this.sections.length];
    // The beginning of a stamp or marker would only flash.
    if (this.#rest === '' || (this.#rest.length < MAX_STAMP && PART_OF_STAMP.test(this.#rest))) return;
    const last = this.lines.at(-1);
    this.#read(this.#rest, this.#state);
    if (this.lines[lines - 1] !== last) this.#joined = last;
    this.#ofRest = { lines: this.lines.length - lines, sections: this.sections.length - sections };
  }

  /** Reads a line or a part of one: text, and marks of sections in between. */
  #read(raw: string, state: LineState): LineState {
    const stamp = this.#continues ? null : STAMP.exec(raw);
    const text = stamp ? raw.slice(stamp[0].length) : raw;
    const time = stamp?.[1] ?? null;
    if (stamp?.[2] === '+' && this.#joinLast(text, state)) return { ...state, style: this.#joinedStyle };
    let now = state;
    let at = 0;
    let heads: LogSection | null = null;
    const write = (part: string, always: boolean) => {
      if (part === '' && !always && heads === null) return;
      const { spans, style } = readTerminalText(part, now.style);
      now = { ...now, style };
      const plain = spans.map((span) => span.text).join('');
      if (plain === '' && !always && heads === null) return;
      this.#add({ spans, text: plain, time, heads, section: heads ? heads.parent : now.section }, now);
      if (!this.#continues) now = { ...now, count: now.count + 1 };
    };
    let marks = 0;
    for (const mark of text.matchAll(MARKER)) {
      marks += 1;
      write(text.slice(at, mark.index), false);
      heads = null;
      at = mark.index + mark[0].length;
      const [, kind, seconds, name = '', options = ''] = mark;
      if (kind === 'start') {
        const section = this.#open(now.section, name, Number(seconds), options);
        if (!section) continue;
        heads = section;
        now = { ...now, section };
      } else now = { ...now, section: this.#close(now.section, name, Number(seconds)) };
    }
    write(text.slice(at), marks === 0);
    return now;
  }

  #add(line: Omit<LogLine, 'number'>, state: LineState): void {
    this.lines.push({ number: this.#continues ? null : state.count + 1, ...line });
  }

  #joinedStyle = PLAIN;

  /** Adds text to the line before, which was written in two pieces. */
  #joinLast(text: string, state: LineState): boolean {
    const last = this.lines.at(-1);
    MARKER.lastIndex = 0;
    if (!last || last.text.length + text.length > MAX_LINE || MARKER.test(text)) return false;
    const { spans, style } = readTerminalText(text, state.style);
    this.#joinedStyle = style;
    const joined = [...last.spans, ...spans];
    const line = { ...last, spans: joined, text: joined.map((span) => span.text).join('') };
    this.lines[this.lines.length - 1] = line;
    return true;
  }

  #open(parent: LogSection | null, name: string, start: number, options: string): LogSection | null {
    const depth = parent ? parent.depth + 1 : 0;
    if (depth >= MAX_DEPTH) return null;
    const collapsed = options.split(',').some((option) => option.trim() === 'collapsed=true');
    const section = { index: this.sections.length, name, parent, depth, start, end: null, collapsed };
    this.sections.push(section);
    return section;
  }

  /** Ends the section with a name and all within it; the end of one that is not open means nothing. */
  #close(current: LogSection | null, name: string, end: number): LogSection | null {
    let found = current;
    while (found && found.name !== name) found = found.parent;
    if (!found) return current;
    for (let section = current; section; section = section.parent) {
      if (section.end === null) {
        section.end = end;
        this.#ended.push(section);
      }
      if (section === found) break;
    }
    return found.parent;
  }
}
