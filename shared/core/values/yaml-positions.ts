import type { YamlPosition } from './yaml-error.js';

/** The offsets at which the lines of a text begin; lines end as YAML ends them (LF, CR LF, CR). */
function findLines(text: string): number[] {
  const starts = [0];
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) starts.push(index + end.length);
  return starts;
}

/** A function from offsets in a text to lines and columns. The text is searched for lines once, at the first call. */
export function createPositions(text: string): (offset: number) => YamlPosition {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= findLines(text);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  };
}
