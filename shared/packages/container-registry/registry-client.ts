import { hash } from 'node:crypto';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { ClientGone, Overloaded } from '../../core/values/errors.js';
import { signRegistryToken } from './registry-token.js';

/** A registry that does not respond within this time is considered unavailable. */
const TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS = 30;
/** The registry's own size limit for manifests; configurations and pages of tags have the same limit. */
const ANSWER_BYTES = 4 * 1024 * 1024;
/** Tags of a page, where the registry has pages, and pages at most. */
const TAGS_PER_PAGE = 1000;
const MOST_PAGES = 1000;

const IMAGE = 'application/vnd.docker.distribution.manifest.v2+json';
const CONFIGURATION = 'application/vnd.docker.container.image.v1+json';
const ACCEPTED = [
  IMAGE,
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.oci.image.index.v1+json',
].join(', ');

/** The registry does not answer, or not as registries do. */
class RegistryUnavailable extends Overloaded {
  constructor(options?: ErrorOptions) {
    super(RETRY_AFTER_SECONDS, options);
  }
}

/** The fields of a manifest. */
export interface Manifest {
  digest: string;
  config?: { digest?: string };
  layers?: { size?: number }[];
  /** Of a list: its images. */
  manifests?: { digest?: string }[];
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** The text of a response, limited to the largest size that a registry may send. */
async function getText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > ANSWER_BYTES) throw new Error(`The registry's answer is larger than ${ANSWER_BYTES} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** One repository of the configured registry, over its HTTP API, by tokens of the service's own. */
export class RegistryClient {
  readonly #base: string;

  /** @param path the repository's name, in the registry's spelling */
  constructor(
    private readonly ctx: Context<Caller>,
    private readonly path: string,
  ) {
    if (!ctx.config.registry) throw new Error('No registry is configured.');
    this.#base = `${ctx.config.registry.apiUrl}/v2/${path}`;
  }

  /** Names of all tags, in the order of their characters; none where the registry knows no such repository. */
  async tags(): Promise<string[]> {
    const names: string[] = [];
    let url: string | null = `${this.#base}/tags/list?n=${TAGS_PER_PAGE}`;
    for (let page = 0; url !== null && page < MOST_PAGES; page += 1) {
      const { response, text } = await this.#ask(url, {}, [200, 404]);
      if (response.status === 404) break;
      names.push(...((this.#parsed(text) as { tags?: string[] | null }).tags ?? []));
      const [, next] = /<([^<>]+)>; *rel="?next"?/.exec(response.headers.get('link') ?? '') ?? [];
      url = next === undefined ? null : this.#resolveUrl(next);
    }
    return [...new Set(names)].sort();
  }

  /** The manifest of a tag or digest; null if there is none. */
  async manifest(reference: string): Promise<Manifest | null> {
    const url = `${this.#base}/manifests/${encodeURIComponent(reference)}`;
    const { response, text } = await this.#ask(url, { headers: { Accept: ACCEPTED } }, [200, 404]);
    if (response.status === 404) return null;
    const digest = response.headers.get('docker-content-digest') ?? `sha256:${hash('sha256', text)}`;
    return { ...(this.#parsed(text) as object), digest };
  }

  /** A blob that holds JSON; null where there is none. */
  async configuration(digest: string): Promise<Record<string, unknown> | null> {
    const { response, text } = await this.#ask(`${this.#base}/blobs/${digest}`, {}, [200, 404]);
    return response.status === 404 ? null : (this.#parsed(text) as Record<string, unknown>);
  }

  /**
   * Deletes tags and nothing else, as the public product does it: the protocol deletes manifests, with all their tags,
   * so each tag is moved to an empty image first, and that is deleted.
   */
  async deleteTags(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const content = JSON.stringify({ config: {} });
    const config = { mediaType: CONFIGURATION, size: content.length, digest: await this.#upload(content) };
    const manifest = JSON.stringify({ schemaVersion: 2, mediaType: IMAGE, config, layers: [] });
    for (const name of names) {
      this.ctx.signal.throwIfAborted();
      const sent = { method: 'PUT', headers: { 'Content-Type': IMAGE }, body: manifest };
      await this.#ask(`${this.#base}/manifests/${encodeURIComponent(name)}`, sent, [201]);
    }
    await this.deleteManifest(`sha256:${hash('sha256', manifest)}`);
  }

  /** Deletes a manifest with all its tags; one that is gone already is. */
  async deleteManifest(digest: string): Promise<void> {
    await this.#ask(`${this.#base}/manifests/${digest}`, { method: 'DELETE' }, [202, 404]);
  }

  async #upload(content: string): Promise<string> {
    const digest = `sha256:${hash('sha256', content)}`;
    const begun = await this.#ask(`${this.#base}/blobs/uploads/`, { method: 'POST' }, [202]);
    const url = new URL(this.#resolveUrl(begun.response.headers.get('location') ?? ''));
    url.searchParams.set('digest', digest);
    const headers = { 'Content-Type': 'application/octet-stream' };
    await this.#ask(url.href, { method: 'PUT', headers, body: content }, [201]);
    return digest;
  }

  /** The registry names itself as clients reach it, which may not be how the service does. */
  #resolveUrl(location: string): string {
    const { apiUrl } = this.ctx.config.registry as { apiUrl: string };
    const { pathname, search } = new URL(location, apiUrl);
    return `${apiUrl}${pathname}${search}`;
  }

  #parsed(text: string): unknown {
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      throw new RegistryUnavailable({ cause });
    }
  }

  /** @throws RegistryUnavailable for another status, no answer in time, or none at all; ClientGone */
  async #ask(url: string, sent: Sent, expected: readonly number[]): Promise<{ response: Response; text: string }> {
    const actions = ['pull', 'push', 'delete', '*'];
    const { token } = await signRegistryToken(this.ctx, '', [{ type: 'repository', name: this.path, actions }]);
    try {
      const signal = AbortSignal.any([this.ctx.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const headers = { ...sent.headers, Authorization: `Bearer ${token}` };
      const response = await fetch(url, { ...sent, headers, signal });
      const text = await getText(response);
      if (!expected.includes(response.status)) throw new Error(`${response.status} ${text.slice(0, 500)}`);
      return { response, text };
    } catch (cause) {
      if (this.ctx.signal.aborted) throw new ClientGone();
      this.ctx.log.warn({ err: cause, url }, 'the container registry did not answer as it should');
      throw new RegistryUnavailable({ cause });
    }
  }
}
