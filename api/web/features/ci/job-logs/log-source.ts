import { getProblem, unreachable } from '../../../data/problem.js';
import { LogParser } from './log-parser.js';

/** Characters that are parsed at once. */
const PIECE = 64 * 1024;
/** How long parsing may block the page, in milliseconds. */
const TURN_MS = 12;
/** The shortest time between two renderings of a growing log, in milliseconds. */
const DRAW_MS = 80;
/** How often a log that can't be followed is polled. */
const POLL_MS = 3000;

const PARTIAL = 206;
const NOTHING_NEW = 416;

type LogState = 'loading' | 'following' | 'complete' | 'failed';

/** What the page shows of a log; a new object after each change. */
export interface LogSnapshot {
  state: LogState;
  error: Error | null;
  parser: LogParser;
}

const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve));

/** The address of the text of a log. */
export const getTracePath = (path: string, id: number): string =>
  `/api/v4/projects/${encodeURIComponent(path)}/jobs/${id}/trace`;

/**
 * The log of a job: read once where the job has ended, followed where it runs. What comes is read in turns, so that the
 * page stays responsive.
 */
export class LogSource {
  #snapshot: LogSnapshot = { state: 'loading', error: null, parser: new LogParser() };
  readonly #url: string;
  readonly #live: boolean;
  #onEnd: () => void = () => undefined;
  readonly #listeners = new Set<() => void>();
  #abort = new AbortController();
  #events: EventSource | null = null;
  #pieces: string[] = [];
  #reading = false;
  #drawn = 0;
  #isJobOver = false;
  #offset = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string, live: boolean) {
    this.#url = url;
    this.#live = live;
  }

  readonly getSnapshot = (): LogSnapshot => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Begins; the result ends it.
   * @param onEnd called when a followed job ended
   */
  start(onEnd: () => void): () => void {
    this.#onEnd = onEnd;
    this.#abort = new AbortController();
    this.#snapshot = { state: 'loading', error: null, parser: new LogParser() };
    this.#offset = 0;
    if (this.#live) this.#openStream();
    else void this.#load();
    return () => {
      this.#abort.abort();
      this.#events?.close();
      this.#pieces = [];
      clearTimeout(this.#timer);
    };
  }

  /** Tells that the job is over: its log is whole, so that polling ends with the next answer. */
  noteEnd(): void {
    this.#isJobOver = true;
  }

  async #load(): Promise<void> {
    const { signal } = this.#abort;
    try {
      await this.#readAnswer(await this.#fetch(), signal);
      if (!signal.aborted) this.#finish();
    } catch (error) {
      if (!signal.aborted) this.#change({ state: 'failed', error: error as Error });
    }
  }

  #fetch(headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.#url, { credentials: 'same-origin', headers, signal: this.#abort.signal }).catch(
      (error: unknown) => {
        if (this.#abort.signal.aborted) throw error;
        throw unreachable();
      },
    );
  }

  async #readAnswer(response: Response, signal: AbortSignal): Promise<void> {
    if (!response.ok) throw getProblem(response, await response.json().catch(() => null));
    const reader = response.body?.getReader();
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    while (reader) {
      const { done, value } = await reader.read();
      if (value) this.#offset += value.byteLength;
      await this.#read(decoder.decode(value, { stream: !done }), signal);
      if (done) break;
    }
  }

  #openStream(): void {
    const { signal } = this.#abort;
    const events = new EventSource(`${this.#url}?follow=1`);
    this.#events = events;
    events.addEventListener('open', () => this.#change({ state: 'following', error: null }));
    events.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) => {
      this.#offset = Number(lastEventId) || this.#offset;
      void this.#read(JSON.parse(data) as string, signal);
    });
    events.addEventListener('end', () => {
      events.close();
      void this.#read('', signal).then(() => {
        if (signal.aborted) return;
        this.#finish();
        this.#onEnd();
      });
    });
    events.addEventListener('error', () => {
      // The browser connects again by itself, unless the service refused.
      if (events.readyState === EventSource.CLOSED && !signal.aborted) void this.#poll(signal);
    });
  }

  /** Polls for more, where the service refuses another stream. */
  async #poll(signal: AbortSignal): Promise<void> {
    const isLast = this.#isJobOver;
    try {
      const response = await this.#fetch(this.#offset > 0 ? { Range: `bytes=${this.#offset}-` } : {});
      if (response.status !== NOTHING_NEW) {
        // Without ranges everything comes again.
        if (response.status !== PARTIAL) this.#restart();
        await this.#readAnswer(response, signal);
      }
      if (isLast && !signal.aborted) {
        this.#finish();
        return;
      }
      this.#change({ state: 'following', error: null });
    } catch (error) {
      if (!signal.aborted) this.#change({ state: 'failed', error: error as Error });
    }
    if (!signal.aborted) this.#timer = setTimeout(() => void this.#poll(signal), POLL_MS);
  }

  #restart(): void {
    this.#offset = 0;
    this.#snapshot = { ...this.#snapshot, parser: new LogParser() };
  }

  /** Reads text after what waits already; resolves once there is none left. */
  async #read(text: string, signal: AbortSignal): Promise<void> {
    for (let at = 0; at < text.length; at += PIECE) this.#pieces.push(text.slice(at, at + PIECE));
    if (this.#reading) {
      while (this.#pieces.length > 0 && !signal.aborted) await nextTurn();
      return;
    }
    this.#reading = true;
    let began = performance.now();
    for (let piece = this.#pieces.shift(); piece !== undefined; piece = this.#pieces.shift()) {
      this.#snapshot.parser.push(piece);
      if (performance.now() - began < TURN_MS) continue;
      if (performance.now() - this.#drawn > DRAW_MS) this.#change({});
      await nextTurn();
      if (signal.aborted) break;
      began = performance.now();
    }
    this.#reading = false;
    if (!signal.aborted) this.#change({});
  }

  #finish(): void {
    this.#change({ state: 'complete', error: null });
  }

  #change(changed: Partial<LogSnapshot>): void {
    this.#drawn = performance.now();
    this.#snapshot = { ...this.#snapshot, ...changed };
    for (const listener of this.#listeners) listener();
  }
}
