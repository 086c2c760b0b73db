import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { Masker } from './masking.js';
import type { JobPayload, ServiceClient } from './protocol.js';

/** How often a log is sent while there is something new. */
const SEND_MS = 500;
/** How soon after the first patch of a job the next one is sent; each pause is longer, until they are that long. */
const FIRST_PAUSE_MS = 50;
const GROWTH = 1.25;
/** A silent job is told of a cancel by the answer to this. */
const SILENCE_MS = 3000;
/** A patch may have 1 MiB. */
const PATCH_BYTES = 512 * 1024;
/** A job waits while so much of its output is not sent. */
const BACKLOG_BYTES = 8 * 1024 * 1024;
/** How long a finished log is offered to a service that does not answer. */
const END_MS = 300_000;

/** The log of a running job: own in a file, masked, and sent as it grows. */
export class JobTrace {
  readonly #file: number;
  readonly #masker: Masker;
  readonly #silence: NodeJS.Timeout;
  readonly #ending = new AbortController();
  #size = 0;
  #checksum = 0;
  #sent = 0;
  #pause = FIRST_PAUSE_MS;
  #lastContact = Date.now();
  #isTouching = false;
  #sending: Promise<void> | null = null;
  #isLost = false;

  /**
   * @param file a path that the job cannot read
   * @param secrets what its log must not show
   * @param onStatus gets what the service says of the job: `canceling`, `canceled`, `failed`
   */
  constructor(
    private readonly client: ServiceClient,
    private readonly job: JobPayload,
    file: string,
    secrets: readonly string[],
    private readonly onStatus: (status: string) => void,
    private readonly isDebug = false,
  ) {
    this.#file = openSync(file, 'w+', 0o600);
    this.#masker = new Masker(secrets, job.features?.token_mask_prefixes ?? []);
    this.#silence = setInterval(() => void this.#touch(), SILENCE_MS / 2);
  }

  /** Whether the service takes nothing more of this job. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Its checksum and size, for the final report. */
  get summary(): { checksum: string; bytesize: number } {
    return { checksum: `crc32:${this.#checksum.toString(16).padStart(8, '0')}`, bytesize: this.#size };
  }

  /** Adds output. @throws Error when the disk is full, for example */
  write(bytes: Buffer | string): void {
    this.#append(this.#masker.take(Buffer.from(bytes)));
  }

  /** Resolves once the service keeps up. */
  async room(): Promise<void> {
    while (this.#size - this.#sent > BACKLOG_BYTES && !this.#isLost) await sleep(50);
  }

  /** Sends what is left. */
  async end(): Promise<void> {
    try {
      this.#append(this.#masker.end());
    } catch {
      // What could be written is sent.
    }
    this.#ending.abort();
    const end = Date.now() + END_MS;
    while (this.#sent < this.#size && !this.#isLost && Date.now() < end) {
      await this.#sending;
      await this.#send();
      if (this.#sent < this.#size) await sleep(SEND_MS);
    }
  }

  /** Sends everything once more: what arrived is not what was written. */
  async sendAgain(): Promise<void> {
    this.#sent = 0;
    await this.end();
  }

  /** Forgets it. */
  close(): void {
    clearInterval(this.#silence);
    this.#isLost = true;
    closeSync(this.#file);
  }

  #append(bytes: Buffer): void {
    // Nobody would read it, and commands that are being ended may still write a lot.
    if (bytes.length === 0 || this.#isLost) return;
    for (let written = 0; written < bytes.length;)
      written += writeSync(this.#file, bytes, written, bytes.length - written, this.#size + written);
    this.#checksum = crc32(bytes, this.#checksum);
    this.#size += bytes.length;
    this.#sending ??= this.#sendSoon();
  }

  /**
   * The first bytes at once, then what came within an interval: at the beginning of a job a shorter one, since somebody
   * waits for the first line of its script.
   */
  async #sendSoon(): Promise<void> {
    try {
      do {
        await this.#send();
        await sleep(this.#pause, undefined, { signal: this.#ending.signal }).catch(() => undefined);
        this.#pause = Math.min(this.#pause * GROWTH, SEND_MS);
      } while (this.#sent < this.#size && !this.#isLost && !this.#ending.signal.aborted);
    } finally {
      this.#sending = null;
    }
  }

  async #send(): Promise<void> {
    while (this.#sent < this.#size && !this.#isLost) {
      const bytes = Buffer.alloc(Math.min(this.#size - this.#sent, PATCH_BYTES));
      readSync(this.#file, bytes, 0, bytes.length, this.#sent);
      const from = this.#sent;
      const response = await this.client.patchTrace(this.job, from, bytes, this.isDebug).catch(() => null);
      if (response === null) return;
      this.#note(response);
      if (response.status === 202) this.#sent = from + bytes.length;
      else if (response.status === 416) this.#continueAt(response.headers.get('range'));
      else this.#isLost = true;
    }
  }

  /** Goes on where the service's log ends. */
  #continueAt(range: string | null): void {
    const end = Number(/^0-(\d+)$/.exec(range ?? '')?.[1] ?? Number.NaN);
    if (!(end >= 0 && end <= this.#size) || end === this.#sent) this.#isLost = true;
    else this.#sent = end;
    if (this.#isLost) this.onStatus('failed');
  }

  async #touch(): Promise<void> {
    if (this.#isLost || this.#isTouching || Date.now() - this.#lastContact < SILENCE_MS) return;
    // One at a time: while the service is away each is repeated for long.
    this.#isTouching = true;
    const response = await this.client.keepAlive(this.job).catch(() => null);
    this.#isTouching = false;
    this.#lastContact = Date.now();
    if (response) this.#note(response);
  }

  /** Reads what an answer says of the job. */
  #note(response: Response): void {
    void response.body?.cancel();
    this.#lastContact = Date.now();
    const refused = [401, 403, 404].includes(response.status);
    if (refused) this.#isLost = true;
    const status = response.headers.get('job-status') ?? (refused ? 'failed' : 'running');
    if (refused && status === 'canceling') this.onStatus('canceled');
    else if (refused || ['canceling', 'canceled', 'failed'].includes(status))
      this.onStatus(refused && status === 'running' ? 'failed' : status);
  }
}
