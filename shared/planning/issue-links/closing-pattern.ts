/** An issue as a message names it: by its project's path, or of the project that the message is in. */
export interface ClosedIssueReference {
  readonly path: string | null;
  readonly iid: number;
}

/** The keywords of the public product's default pattern, in lowercase or capitalized. */
const KEYWORD =
  /(?<![A-Za-z0-9_])(?:[Cc]los(?:e[sd]?|ing)|[Ff]ix(?:e[sd]|ing)?|[Rr]esolv(?:e[sd]?|ing)|[Ii]mplement(?:s|ed|ing)?):? /g;

/** A path is not longer: 20 groups in one another, with names of 255. */
const LOCAL = /([A-Za-z0-9_][A-Za-z0-9_.\-/]{0,1000})?#([0-9]{1,9})(?![A-Za-z0-9_])/y;
const URL_PATH = /([A-Za-z0-9_][A-Za-z0-9_.\-/]{0,1000}?)\/-\/(?:issues|work_items)\/([0-9]{1,9})(?![A-Za-z0-9_])/y;
const NOUN = /issues? /y;
const AND = /,? ?and /y;

/** Reads a message from left to right; each look goes on where the last one ended. */
class Reader {
  at = 0;

  constructor(
    readonly text: string,
    private readonly base: string,
  ) {}

  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }

  skipSpaces(): void {
    while (this.text[this.at] === ' ') this.at += 1;
  }

  /** `#1`, `group/project#1`, or the URL of an issue here. */
  issue(): ClosedIssueReference | null {
    const start = this.at;
    const isUrl = this.text.startsWith(`${this.base}/`, this.at);
    if (isUrl) this.at += this.base.length + 1;
    const match = this.take(isUrl ? URL_PATH : LOCAL);
    if (match) return { path: match[1] ?? null, iid: Number(match[2]) };
    this.at = start;
    return null;
  }

  /** The issues behind a keyword: `#1, #2 and issues group/project#3`. */
  issues(): ClosedIssueReference[] {
    const found: ClosedIssueReference[] = [];
    for (;;) {
      const end = this.at;
      this.skipSpaces();
      if (this.take(NOUN)) this.skipSpaces();
      const one = this.issue();
      if (!one) {
        this.at = end;
        return found;
      }
      found.push(one);
      this.skipSpaces();
      if (!this.take(AND) && this.text[this.at] === ',') this.at += 1;
    }
  }
}

/**
 * The issues that a message closes, by the default pattern of the public product: `Closes #1, #2 and group/project#3`,
 * `Fixes: <URL>`, `Resolves`, `Implements`. In one pass.
 * @param base what URLs of this service begin with
 */
export function closedBy(message: string, base: string): ClosedIssueReference[] {
  const reader = new Reader(message, base);
  const found: ClosedIssueReference[] = [];
  while (reader.take(KEYWORD)) found.push(...reader.issues());
  return found;
}
