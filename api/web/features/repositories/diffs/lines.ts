/** A displayed line of a diff, with its numbers before and after the change. */
export interface DiffLine {
  kind: 'hunk' | 'same' | 'added' | 'removed' | 'note';
  before: number | null;
  after: number | null;
  text: string;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

/** The lines of a unified diff without the file header, as returned by the API. */
export function getLines(diff: string): DiffLine[] {
  let before = 0;
  let after = 0;
  const take = (line: string): DiffLine => {
    const [found, old, now] = HUNK.exec(line) ?? [];
    if (found !== undefined) {
      before = Number(old);
      after = Number(now);
      return { kind: 'hunk', before: null, after: null, text: found };
    }
    const text = line.slice(1);
    if (line.startsWith('+')) return { kind: 'added', before: null, after: after++, text };
    if (line.startsWith('-')) return { kind: 'removed', before: before++, after: null, text };
    if (line.startsWith(' ')) return { kind: 'same', before: before++, after: after++, text };
    // "\ No newline at end of file", and the message for binary files.
    return { kind: 'note', before: null, after: null, text: line.replace(/^\\ /, '') };
  };
  // The last line ends too.
  return (diff.endsWith('\n') ? diff.slice(0, -1) : diff).split('\n').map(take);
}
