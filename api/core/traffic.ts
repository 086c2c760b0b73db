import type { Context as KoaContext } from 'koa';
import { AnswerBytes } from '../../shared/core/bytes/answer-bytes.js';
import { Claim } from '../../shared/core/bytes/claim.js';
import { ANONYMOUS, countKey } from '../../shared/core/context/callers.js';
import type { Caller } from '../../shared/core/context/callers.js';
import type { Origin } from '../../shared/core/context/context.js';
import { Limiter } from '../../shared/core/values/limiter.js';
import type { Share } from '../../shared/core/values/limiter.js';

/** How much has to go on at least: so many bytes in each so many milliseconds. */
export interface MinimumRate {
  bytes: number;
  milliseconds: number;
}

/**
 * Monitors a transfer, and calls `onSlow` once if it is too slow or stalls.
 * @param moved bytes transferred so far, or null while the client is not the side that delays the transfer
 * @returns stops monitoring
 */
export function watchRate(minimumRate: MinimumRate, moved: () => number | null, onSlow: () => void): () => void {
  let before = moved();
  const timer = setInterval(() => {
    const now = moved();
    const slow = now !== null && before !== null && now - before < minimumRate.bytes;
    before = now;
    if (!slow) return;
    clearInterval(timer);
    onSlow();
  }, minimumRate.milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

const MIB = 1024 * 1024;

/** What requests and answers may take of a process (decisions/0028-bytes.md). */
export interface TrafficLimits {
  /** A JSON or form body of a signed-in user (contract decision 21): a note of a million characters fits. */
  bodyBytes: number;
  /** Any body of an anonymous caller. */
  anonymousBodyBytes: number;
  /** All bodies together that are being read or worked on. */
  bodiesBytes: number;
  /** An answer that is no stream. */
  answerBytes: number;
  /** All rows and answers together that are being read, built or sent. */
  answersBytes: number;
  /** How fast a client has to send and to read. */
  minimumRate: MinimumRate;
}

const TRAFFIC_LIMITS: TrafficLimits = {
  bodyBytes: 20 * MIB,
  anonymousBodyBytes: MIB,
  bodiesBytes: 256 * MIB,
  answerBytes: 16 * MIB,
  answersBytes: 256 * MIB,
  minimumRate: { bytes: 128 * 1024, milliseconds: 30_000 },
};

/**
 * The shares of the total that a request counts against. A caller may use a quarter. An anonymous caller may use a
 * sixteenth per address, and all anonymous callers together a half, so that no caller can block the others.
 */
function getShares(caller: Caller, ip: string | null, total: number): Share[] {
  const key = countKey(caller, ip);
  if (caller.kind !== 'anonymous') return [{ key, limit: total / 4 }];
  return [
    { key, limit: total / 16 },
    { key: 'anonymous', limit: total / 2 },
  ];
}

const getAddress = (koa: KoaContext): string | null => (koa.state.origin as Origin).ip;

/** The bytes that come in and go out of one process. */
export class Traffic {
  readonly limits: TrafficLimits;
  /** Held by bodies, and by answers. */
  readonly incoming: Limiter;
  readonly outgoing: Limiter;
  /** Number of rejected requests whose unread bodies are currently being drained. */
  unread = 0;

  constructor(limits: Partial<TrafficLimits> = {}) {
    this.limits = { ...TRAFFIC_LIMITS, ...limits };
    this.incoming = new Limiter({ capacity: this.limits.bodiesBytes });
    this.outgoing = new Limiter({ capacity: this.limits.answersBytes });
  }

  /** Memory that a request's body holds until the response is sent or the client disconnects. */
  claimBody(koa: KoaContext, caller: Caller): Claim {
    const claim = new Claim(this.incoming, getShares(caller, getAddress(koa), this.limits.bodiesBytes));
    koa.res.once('close', () => claim.release());
    return claim;
  }

  /** Memory that a response holds until it is sent or the client disconnects. */
  openAnswer(koa: KoaContext): AnswerBytes {
    const claim = new Claim(this.outgoing, getShares(ANONYMOUS, getAddress(koa), this.limits.answersBytes));
    koa.res.once('close', () => claim.release());
    const answer = new AnswerBytes(this.limits.answerBytes, claim);
    koa.state.answer = answer;
    return answer;
  }

  /** Counts the answer to its caller, once that is known. */
  answerFor(koa: KoaContext, caller: Caller): void {
    if (caller.kind === 'anonymous') return;
    getAnswerBytes(koa)?.belongTo(getShares(caller, getAddress(koa), this.limits.answersBytes));
  }
}

/** The memory account of a request's response; undefined outside of a request. */
export const getAnswerBytes = (koa: KoaContext): AnswerBytes | undefined => koa.state.answer as AnswerBytes | undefined;
