import { AsyncLocalStorage } from 'node:async_hooks';
import type { Claim } from './claim.js';
import { AnswerTooLarge } from '../values/errors.js';
import type { Share } from '../values/limiter.js';

/**
 * The bytes read and built for one response (decisions/0028-bytes.md): neither its rows nor its text may exceed the
 * limit of a response, and the claim's limiter bounds the total that the requests of a process hold.
 */
export class AnswerBytes {
  #rows = 0;
  #values = 0;
  /**
   * The response contains a secret: next to text that other users choose, its compressed length would reveal it
   * (decision 88).
   */
  holdsSecret = false;

  /** @param limit bytes of an answer at most */
  constructor(
    readonly limit: number,
    private readonly claim: Claim,
  ) {}

  /** Counts a row as it arrives from the database. @throws AnswerTooLarge, Overloaded */
  takeRow(bytes: number): void {
    this.#rows += bytes;
    this.#take(bytes, this.#rows);
  }

  /** Counts a value that was made for the answer. @throws AnswerTooLarge, Overloaded */
  takeValue(bytes: number): void {
    this.#values += bytes;
    this.#take(bytes, this.#values);
  }

  /** Counts a piece of the text, which is `total` long with it. @throws AnswerTooLarge, Overloaded */
  takeText(bytes: number, total: number): void {
    this.#take(bytes, total);
  }

  /** Counts toward these shares from now on: the caller is only known after the request began. */
  belongTo(shares: readonly Share[]): void {
    this.claim.moveTo(shares);
  }

  #take(bytes: number, total: number) {
    if (total > this.limit) throw new AnswerTooLarge(this.limit);
    this.claim.take(bytes);
  }
}

/** The answer that whatever runs now works for: reads count to it wherever they are made. */
export const answerInHand = new AsyncLocalStorage<AnswerBytes>();

/** Passes a secret on to an answer, which is not compressed then. */
export function showSecret<V>(secret: V): V {
  const answer = answerInHand.getStore();
  if (answer && secret !== undefined && secret !== null) answer.holdsSecret = true;
  return secret;
}
