const escape = String.fromCharCode(27);
const colours = new RegExp(`${escape}\\[[\\d;]*m`, 'g');
const colour = `(?:${escape}\\[[\\d;]*m)*`;
const passedTest = /^\s*[✔√] /;
/** Where a test ran, before its title, if its process ran several files. */
const processPrefix = /together › \d+ › /;
/** How long a test took, at the end of its line. */
const duration = new RegExp(` ${colour}\\([\\d.]+(?:ms|s|m)(?: [\\d.]+m?s)?\\)(${colour}\n)$`);

const troubles = [
  /^\s*\d+ tests? failed/,
  /^\s*\d+ hooks? failed/,
  /^\s*\d+ uncaught exceptions?/,
  /^\s*\d+ unhandled rejections?/,
  /^\s*\d+ tests? remained pending/,
];

/** Problems that fail a run although every test passed, and are reported in the middle of it. */
const processTrouble = /^\s*(?:[✖✘×] (?!\[fail\])|Uncaught exception in |Unhandled rejection in |Failed to exit )/;
/** Number of lines of each problem that are repeated at the end. */
const REPEATED_LINES = 12;

/**
 * Reads AVA's output, and forwards it by whole lines. For a test in a shared process, only the title is shown: its
 * duration would be counted from the start of the process.
 *
 * @param {(text: string) => void} write
 */
export function readReport(write) {
  const decoder = new TextDecoder();
  let rest = '';
  let passed = 0;
  const counts = troubles.map(() => 0);
  /** @type {string[]} */
  const processTroubles = [];
  let linesLeft = 0;
  /** @param {string} plain */
  const note = (plain) => {
    if (processTrouble.test(plain)) linesLeft = REPEATED_LINES;
    if (passedTest.test(plain)) linesLeft = 0;
    if (linesLeft > 0) processTroubles.push(plain.trimEnd());
    linesLeft -= 1;
  };
  /** @param {string} line */
  const read = (line) => {
    const plain = line.replace(colours, '');
    note(plain);
    if (passedTest.test(plain)) passed += 1;
    for (const [index, trouble] of troubles.entries())
      if (trouble.test(plain)) counts[index] = Number(/\d+/.exec(plain)?.[0]);
    write(processPrefix.test(line) ? line.replace(processPrefix, '').replace(duration, '$1') : line);
  };
  return {
    /** @param {Buffer} chunk */
    take(chunk) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) read(`${line}\n`);
    },
    /**
     * @returns {{ passed: number, failed: number, troubles: string[] }} the counts so far, and the output about
     * processes that failed; `take` must not be called afterwards
     */
    end() {
      if (rest !== '') read(rest);
      return { passed, failed: counts.reduce((sum, count) => sum + count, 0), troubles: processTroubles };
    },
  };
}
