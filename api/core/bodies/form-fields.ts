import { TextDecoder } from 'node:util';
import { TooLarge } from '../../../shared/core/errors.js';
import { MAX_KEYS, NestedParams, tooManyKeys } from '../nested-params.js';
import type { RequestParameters } from '../nested-params.js';
import { readPartHead } from './part-headers.js';
import type { PartHead } from './part-headers.js';
import { mismatch } from './read-body.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The fields of a multipart form, each kept in memory within bounds; what its files are is for others to know. */
export class FormFields {
  /** In the order of the body: a list of hashes depends on it. */
  #fields: { name: string; value: string }[] = [];
  #parts = 0;
  #bytes = 0;
  #open: { name: string; chunks: Buffer[] } | null = null;

  /**
   * @param limit bytes of fields and heads at most
   * @param hold counts what is kept in memory
   */
  constructor(
    private readonly limit: number,
    private readonly hold: (bytes: number) => void,
  ) {}

  /** Reads a part's head. @returns it where the part is a file, null for a field @throws BadParams, TooLarge */
  begin(bytes: Buffer): PartHead | null {
    this.#parts += 1;
    if (this.#parts > MAX_KEYS) throw tooManyKeys();
    this.#keep(bytes.length);
    const head = headOf(bytes);
    if (head.filename !== null) return head;
    this.#open = { name: head.name, chunks: [] };
    return null;
  }

  /** More of the field that has begun. @throws TooLarge */
  data(bytes: Buffer): void {
    if (!this.#open) return;
    this.#keep(bytes.length);
    this.#open.chunks.push(bytes);
  }

  /** @throws BadParams for what is no UTF-8 */
  end(): void {
    if (this.#open) this.#fields.push({ name: this.#open.name, value: textOf(this.#open.chunks) });
    this.#open = null;
  }

  /** The fields that have ended, those of an earlier call left out. */
  take(): RequestParameters {
    const params = new NestedParams();
    for (const { name, value } of this.#fields) params.add(name, value);
    this.#fields = [];
    return params.parameters;
  }

  #keep(bytes: number) {
    this.#bytes += bytes;
    if (this.#bytes > this.limit) throw new TooLarge();
    this.hold(bytes);
  }
}

function headOf(bytes: Buffer): PartHead {
  let head: PartHead | null = null;
  try {
    head = readPartHead(bytes);
  } catch {
    // No UTF-8.
  }
  if (!head) throw mismatch();
  return head;
}

function textOf(chunks: readonly Buffer[]): string {
  try {
    return decoder.decode(Buffer.concat(chunks));
  } catch {
    throw mismatch();
  }
}
