import type { LogLine, LogSection } from './log-parser.js';

/** Sections by position whose folding the reader changed. */
export type Toggled = ReadonlySet<number>;

/** Whether a section hides its lines. */
export const isFolded = ({ index, collapsed }: LogSection, toggled: Toggled): boolean =>
  collapsed !== toggled.has(index);

/** Whether a section or one around it is folded. */
function isHidden(section: LogSection | null, toggled: Toggled): boolean {
  for (let current = section; current; current = current.parent) if (isFolded(current, toggled)) return true;
  return false;
}

/** The positions of the lines that are shown: those that no folded section hides. */
export function getVisibleLines(lines: readonly LogLine[], toggled: Toggled): number[] {
  const hidden = new Map<LogSection | null, boolean>();
  const visible: number[] = [];
  for (const [index, { section }] of lines.entries()) {
    let isHiddenHere = hidden.get(section);
    if (isHiddenHere === undefined) hidden.set(section, (isHiddenHere = isHidden(section, toggled)));
    if (!isHiddenHere) visible.push(index);
  }
  return visible;
}

/** Shows the lines of a section, with those around it. */
export function unfold(section: LogSection | null, toggled: Toggled): Toggled {
  const result = new Set(toggled);
  for (let current = section; current; current = current.parent)
    if (isFolded(current, toggled)) {
      if (current.collapsed) result.add(current.index);
      else result.delete(current.index);
    }
  return result;
}

/** Folds all sections, or none. */
export const foldAll = (sections: readonly LogSection[], folded: boolean): Toggled =>
  new Set(sections.filter(({ collapsed }) => collapsed !== folded).map(({ index }) => index));

/** More matches than anybody looks at. */
const MAX_MATCHES = 10_000;

/** The positions of the lines that contain a text, whatever its case. */
export function findLines(lines: readonly LogLine[], query: string): number[] {
  const term = query.toLowerCase();
  const found: number[] = [];
  if (term === '') return found;
  for (const [index, { text }] of lines.entries()) {
    if (!text.toLowerCase().includes(term)) continue;
    found.push(index);
    if (found.length >= MAX_MATCHES) break;
  }
  return found;
}

/** A piece of text, and whether it is what is looked for. */
export interface MarkedPiece {
  text: string;
  isMatch: boolean;
}

/** Splits a text at what is looked for. */
export function splitMatches(text: string, query: string): MarkedPiece[] {
  const term = query.toLowerCase();
  const lower = text.toLowerCase();
  // Some letters have another length in lower case: then places would be wrong.
  if (term === '' || lower.length !== text.length) return [{ text, isMatch: false }];
  const pieces: MarkedPiece[] = [];
  let at = 0;
  for (let found = lower.indexOf(term); found !== -1; found = lower.indexOf(term, at)) {
    if (found > at) pieces.push({ text: text.slice(at, found), isMatch: false });
    at = found + term.length;
    pieces.push({ text: text.slice(found, at), isMatch: true });
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMatch: false });
  return pieces;
}
