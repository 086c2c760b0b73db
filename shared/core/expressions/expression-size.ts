/** The estimated cost of a compiled expression, derived from its text because compiling a large one is slow itself. */
export interface ExpressionSize {
  /** Instructions, repetitions written out. */
  steps: number;
  /** Character classes that reach beyond ASCII, of which each is a table to be made. */
  wideClasses: number;
}

// Own pattern: parts of the syntax of RE2.
/** The parts of an expression that count as one each, in RE2 syntax; invalid syntax is counted somehow. */
const PART = new RegExp(
  [
    String.raw`(?<quoted>\\Q(?<quotedText>[^]*?)(?:\\E|$))`,
    String.raw`(?<escaped>\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|[^]))`,
    String.raw`(?<set>\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\])`,
    String.raw`(?<open>\((?:\?(?:P?<[^>]*>|[imsU-]*:?))?)`,
    String.raw`(?<close>\))`,
    String.raw`(?<times>\{(?<least>\d+)(?:,(?<most>\d*))?\})`,
    String.raw`(?<operator>[*+?|])`,
    String.raw`(?<character>[^])`,
  ].join('|'),
  'gu',
);

const WIDE = /\\[pPx]|[^\0-\x7f]/;

interface Group {
  steps: number;
  /** Of these, the steps of the last part, which a repetition multiplies. */
  last: number;
  /**
   * Whether it began like `(?i)`, which sets flags and is no part: a repetition after it applies to the part before.
   */
  setsFlags?: boolean;
}

const FLAGS = /^\(\?[imsU-]*$/;
const OF_A_GROUP = 2;

function add(group: Group, steps: number): void {
  group.steps += steps;
  group.last = steps;
}

/** `{3,5}` makes five of the last part, `{3,}` four. */
function repeat(group: Group, least: string, most: string | undefined): void {
  const times = Math.max(most ? Number(most) : Number(least) + (most === '' ? 1 : 0), 1);
  const more = group.last * (times - 1) + 2 * times;
  group.steps += more;
  group.last += more;
}

/** How large an expression is, at least as large as the engine makes it. Takes time in proportion to its length. */
export function measureExpression(expression: string): ExpressionSize {
  const groups: Group[] = [{ steps: 4, last: 0 }];
  let wideClasses = 0;
  for (const { 0: part, groups: found = {} } of expression.matchAll(PART)) {
    const group = groups.at(-1) as Group;
    if (WIDE.test(part)) wideClasses += 1;
    if (found.open !== undefined) groups.push({ steps: OF_A_GROUP, last: 0, setsFlags: FLAGS.test(part) });
    else if (found.close !== undefined) {
      if (groups.length > 1) groups.pop();
      const outer = groups.at(-1) as Group;
      if (group.setsFlags && group.steps === OF_A_GROUP) outer.steps += OF_A_GROUP;
      else add(outer, group.steps);
    } else if (found.least !== undefined) repeat(group, found.least, found.most);
    else if (found.operator !== undefined) group.steps += 2;
    else add(group, found.quotedText === undefined ? 1 : Math.max(found.quotedText.length, 1));
  }
  // Unclosed groups, such as `(?i)` in older syntax, count as well.
  return { steps: groups.reduce((sum, { steps }) => sum + steps, 0), wideClasses };
}
