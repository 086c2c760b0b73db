import type { Command } from './quick-action.js';

/** Of a block of code, or of a quote of several lines. */
const FENCE = /^ {0,3}(`{3,}|~{3,}|>>>(?=\s*$))/;
const COMMAND = /^ {0,3}\/([a-z_]+)(?:[ \t]+(.*))?$/i;

/** The fence of the block of code or quote that is open after a line, given the one before it; null for none. */
export function fenceAfter(open: string | null, line: string): string | null {
  const [, fence] = FENCE.exec(line) ?? [];
  if (fence === undefined) return open;
  if (open === null) return fence;
  const closes = fence[0] === open[0] && fence.length >= open.length && line.trim() === fence;
  return closes ? null : open;
}

/**
 * Takes the commands out of a comment: lines that begin with `/` and a name that is known, outside of code and quotes.
 * What follows on that line is the command's argument. All else stays as it is written.
 * @param names those that are known, in lower case
 */
export function splitCommands(body: string, names: ReadonlySet<string>): { text: string; commands: Command[] } {
  const commands: Command[] = [];
  const textLines: string[] = [];
  let fence: string | null = null;
  for (const line of body.split('\n')) {
    const after = fenceAfter(fence, line);
    const [, name = '', argument = ''] = (fence === null && after === null && COMMAND.exec(line.trimEnd())) || [];
    fence = after;
    if (names.has(name.toLowerCase())) commands.push({ name: name.toLowerCase(), argument: argument.trim() });
    else textLines.push(line);
  }
  return { text: commands.length === 0 ? body : textLines.join('\n').trim(), commands };
}
