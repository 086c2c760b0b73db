/** Counts steps of work that is done with what users wrote, so that it ends however much they wrote. */
export class WorkBudget {
  constructor(private left: number) {}

  /** Takes so many steps. @returns false once there are none left */
  spend(steps: number): boolean {
    this.left -= steps;
    return this.left >= 0;
  }
}

/** One character of a pattern: itself, any, any run of them, or one out of a class. */
type Token = string | { any: 'one' | 'run' } | { chars: string; negated: boolean };

/** Matches a path relative to the folder that contains the pattern. */
export type PathPattern = (path: string) => boolean;

const RUN = { any: 'run' } as const;
/** Maximum length of a pattern; longer ones are unrealistic and ignored. */
const LONGEST = 256;
/** No limit: for patterns of our own. */
const ANY = new WorkBudget(Number.POSITIVE_INFINITY);

/** The members of `a-cx`. Ranges hold at most what Latin-1 has: more would be a way to fill memory. */
function expand(range: string): string {
  return range.replace(/(.)-(.)/gsu, (_all, from: string, to: string) => {
    const [low, high] = [from.charCodeAt(0), Math.min(to.charCodeAt(0), 255)];
    return Array.from({ length: Math.max(0, high - low + 1) }, (_, at) => String.fromCharCode(low + at)).join('');
  });
}

function getTokens(segment: string): Token[] {
  const tokens: Token[] = [];
  for (const [part, escaped, negation, chars] of segment.matchAll(/\\(.)|\[([!^]?)(\]?[^\]]*)\]|./gsu)) {
    if (escaped !== undefined) tokens.push(escaped);
    else if (chars !== undefined) tokens.push({ chars: expand(chars), negated: negation !== '' });
    else if (part === '*') tokens.push(RUN);
    else tokens.push(part === '?' ? { any: 'one' } : part);
  }
  return tokens;
}

function fits(token: Token, character: string): boolean {
  if (typeof token === 'string') return token === character;
  return 'any' in token || token.chars.includes(character) !== token.negated;
}

/**
 * Whether `pattern` covers `segments` from end to end. Goes back to the last run only, so that no pattern, however many
 * runs it has, takes longer than the product of the two lengths.
 */
function covers<P, S>(
  pattern: readonly P[],
  segments: readonly S[],
  isRun: (part: P) => boolean,
  equal: (part: P, element: S) => boolean,
): boolean {
  let [at, here] = [0, 0];
  let last: { at: number; here: number } | null = null;
  while (here < segments.length) {
    const part = pattern[at];
    if (part !== undefined && isRun(part)) {
      last = { at, here };
      at += 1;
    } else if (part !== undefined && equal(part, segments[here] as S)) {
      at += 1;
      here += 1;
    } else if (last) {
      last.here += 1;
      at = last.at + 1;
      here = last.here;
    } else return false;
  }
  return pattern.slice(at).every(isRun);
}

/** Spends the worst-case cost of {@link covers} first: names that exceed the remaining budget are not compared. */
const coversName = (tokens: readonly Token[], name: string, budget: WorkBudget) =>
  budget.spend(runsIn(tokens) ? tokens.length * name.length : tokens.length) &&
  covers(tokens, [...name], (token) => token === RUN, fits);

const runsIn = (tokens: readonly Token[]) => tokens.includes(RUN);

/**
 * A pattern of `.gitattributes`: without a slash it matches names at any depth, with one it matches paths from its own
 * folder; `**` matches any number of folders. Null if it can match no file, for example because it ends in a slash.
 * @param budget steps shared with other patterns; with none left it matches nothing
 */
export function pathPattern(text: string, budget: WorkBudget = ANY): PathPattern | null {
  if (text === '' || text.length > LONGEST || text.startsWith('!') || text.endsWith('/')) return null;
  if (!text.includes('/')) {
    const tokens = getTokens(text);
    return (path) => coversName(tokens, path.slice(path.lastIndexOf('/') + 1), budget);
  }
  const folders = text.replace(/^\//, '').split('/');
  // `a/**` matches everything in `a`, but not `a` itself.
  const segments = folders.map((folder) => (folder === '**' ? RUN : getTokens(folder)));
  if (folders.at(-1) === '**') segments.push([RUN]);
  return (path) =>
    covers(
      segments,
      path.split('/'),
      (segment) => segment === RUN,
      (segment, name) => coversName(segment as readonly Token[], name, budget),
    );
}
