import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Overloaded } from '../core/values/errors.js';
import { slotFor, type Repository } from './pools.js';
import { HIDDEN_NAMESPACES } from './ref-names.js';
import { RETRY_AFTER_SECONDS } from './process-slots.js';
import { CLOSED, STREAMED, startGit } from './start.js';
import { GitStream } from './stream.js';

/** The parts of a repository that are served, and the requests that are allowed. */
const SERVED = {
  // Branches, tags, heads of merge requests and what else was pushed; nothing of the service's own.
  'transfer.hideRefs': HIDDEN_NAMESPACES,
  // As protocol v2 always does, and as partial clones require: they request objects by their ids.
  'uploadpack.allowAnySHA1InWant': 'true',
  'uploadpack.allowFilter': 'true',
  // What else there is compares each path of each tree with patterns of the client's choice.
  'uploadpackfilter.allow': 'false',
  'uploadpackfilter.blob:none.allow': 'true',
  'uploadpackfilter.blob:limit.allow': 'true',
  'uploadpackfilter.object:type.allow': 'true',
  'uploadpackfilter.tree.allow': 'true',
  'uploadpackfilter.combine.allow': 'true',
};

/** Of rules that match a ref the last one counts. */
const getSettings = (hiddenRefs: readonly string[]) => ({
  ...SERVED,
  'transfer.hideRefs': [...HIDDEN_NAMESPACES, ...hiddenRefs.map((ref) => `!${ref}`)],
});

const HOUR = 3_600_000;

/**
 * git's output to the client. Until its first byte it is aborted if neither side sends anything for `silenceMs`; from
 * then on it waits as long as its pool allows for a reader that reads nothing: the reader detects a silent client.
 */
class Transfer extends GitStream {
  #hasOutput = false;
  readonly #silence = setTimeout(() => this.destroy(new Overloaded(RETRY_AFTER_SECONDS)), this.slot.silenceMs);

  override push(chunk: Buffer | null): boolean {
    if (chunk) this.#hasOutput = true;
    clearTimeout(this.#silence);
    return super.push(chunk);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#silence);
    super._destroy(error, done);
  }

  /** Passes the client's data to git, as fast as git reads it. */
  feed(input: Readable): void {
    pipeline(input, this.child.input!).catch((error: NodeJS.ErrnoException) => {
      if (!CLOSED.has(error.code ?? '')) this.destroy(error);
    });
    input.on('data', () => {
      if (!this.#hasOutput && !this.destroyed) this.#silence.refresh();
    });
  }

  /** git reports a rejection in its output, in the format of the protocol, and then exits with an error. */
  protected override failureOf(exitCode: number | null): Error | null {
    return this.#hasOutput && exitCode !== null ? null : super.failureOf(exitCode);
  }
}

/** The end of a transfer that the service has. */
export interface FetchRequest {
  /** The client's protocol as in git's own variable: `version=2`; null for the first version. */
  protocol: string | null;
  /** The request of the client; null requests the advertisement of capabilities and refs. */
  input: Readable | null;
  /** Refs of the service's own that the client sees nevertheless. */
  hiddenRefs?: readonly string[] | undefined;
}

/**
 * Serves one stateless request of a fetch or clone: git's response, once its first bytes are available. Destroy it if
 * it is not read.
 * @throws Overloaded, ClientGone, errors of `input`, GitFailed if git returns no response
 */
export async function uploadPack(
  repository: Repository,
  { protocol, input, hiddenRefs = [] }: FetchRequest,
): Promise<Readable> {
  const slot = slotFor(repository, 'transfer');
  const release = await slot.pool.take(slot.owner, slot.signal);
  const kind = input ? [] : ['--http-backend-info-refs'];
  const child = await startGit(slot, ['upload-pack', '--strict', '--stateless-rpc', ...kind, slot.path!], {
    extras: { settings: getSettings(hiddenRefs), variables: protocol === null ? {} : { GIT_PROTOCOL: protocol } },
    input: input ? STREAMED : undefined,
  }).catch((error: unknown) => {
    release();
    throw error;
  });
  const started = once(child, 'spawn');
  const transfer = new Transfer({ ...slot, stallMs: slot.pool.limits.runMs ?? HOUR }, child, 'upload-pack', release);
  const firstOutput = once(transfer, 'readable');
  firstOutput.catch(() => undefined);
  await started;
  if (input) transfer.feed(input);
  await firstOutput;
  return transfer;
}
