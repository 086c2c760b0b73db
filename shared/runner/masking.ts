/** What stands in a log in place of a secret. */
const MASK_TEXT = '[MASKED]';
const MASK = Buffer.from(MASK_TEXT);
/** Shorter values would mask what is no secret. */
const SHORTEST = 8;
/** The characters that go on a token behind its prefix. */
const TOKEN_BYTE = /[\w.=-]/;
const NONE: readonly Buffer[] = [];

/**
 * Hides secrets in a stream of bytes, wherever its chunks are cut. The longest secret wins where several begin at one
 * place; what could still become a secret is held back until the next bytes tell.
 */
export class Masker {
  /** By their first byte, the longest first: a project may have thousands. */
  readonly #secrets: ReadonlyMap<number, Buffer[]>;
  readonly #prefixes: ReadonlyMap<number, Buffer[]>;
  #held: Buffer = Buffer.alloc(0);
  #isInToken = false;

  /** @param values the secrets @param prefixes beginnings of tokens, whose remainder is hidden */
  constructor(values: readonly string[], prefixes: readonly string[] = []) {
    this.#secrets = byFirstByte(values.filter((value) => Buffer.byteLength(value) >= SHORTEST));
    this.#prefixes = byFirstByte(prefixes.filter(Boolean));
  }

  /** Takes bytes. @returns those that are certain to hold no secret */
  take(bytes: Buffer): Buffer {
    return this.#mask(this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes, false);
  }

  /** @returns what was held back, since nothing follows */
  end(): Buffer {
    return this.#mask(this.#held, true);
  }

  #mask(text: Buffer, isEnd: boolean): Buffer {
    const parts: Buffer[] = [];
    let from = 0;
    let at = this.#isInToken ? skipToken(text, 0) : 0;
    if (at > 0) from = at;
    if (at < text.length) this.#isInToken = false;
    while (at < text.length) {
      const first = text[at] ?? 0;
      const secrets = this.#secrets.get(first) ?? NONE;
      const prefixes = this.#prefixes.get(first) ?? NONE;
      if (!isEnd && (mayBegin(text, at, secrets) || mayBegin(text, at, prefixes))) break;
      const secret = secrets.find((value) => startsWith(text, at, value));
      const prefix = secret ? undefined : prefixes.find((value) => startsWith(text, at, value));
      const found = secret ?? prefix;
      if (!found) {
        at += 1;
        continue;
      }
      parts.push(text.subarray(from, secret ? at : at + found.length), MASK);
      at += found.length;
      if (prefix) {
        at = skipToken(text, at);
        this.#isInToken = at >= text.length && !isEnd;
      }
      from = at;
    }
    if (at > from) parts.push(text.subarray(from, at));
    this.#held = Buffer.from(text.subarray(at));
    return Buffer.concat(parts);
  }
}

function byFirstByte(values: readonly string[]): Map<number, Buffer[]> {
  const buffers = [...new Set(values)].map((value) => Buffer.from(value));
  return Map.groupBy(
    buffers.sort((one, other) => other.length - one.length),
    ([first = 0]) => first,
  );
}

/** Whether the text, which ends here, is the beginning of something longer that would have to be hidden. */
function mayBegin(text: Buffer, at: number, values: readonly Buffer[]): boolean {
  const length = text.length - at;
  // The longest is the first.
  if (length >= (values[0]?.length ?? 0)) return false;
  return values.some((value) => value.length > length && text.compare(value, 0, length, at) === 0);
}

function startsWith(text: Buffer, at: number, value: Buffer): boolean {
  return text.length - at >= value.length && text.compare(value, 0, value.length, at, at + value.length) === 0;
}

function skipToken(text: Buffer, from: number): number {
  let at = from;
  while (at < text.length && TOKEN_BYTE.test(String.fromCharCode(text[at] ?? 0))) at += 1;
  return at;
}
