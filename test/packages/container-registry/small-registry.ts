import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestApp } from '../../core/app.js';
import { loadRegistryKey } from '../../../shared/packages/container-registry/registry-key.js';

const IMAGE = 'application/vnd.docker.distribution.manifest.v2+json';
const getDigest = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

interface Images {
  tags: Map<string, string>;
  manifests: Map<string, string>;
  blobs: Map<string, string>;
}

async function getBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}

/** The repositories and actions that a token permits. */
function grantedBy(request: IncomingMessage): { name: string; actions: string[] }[] {
  const [, claims = ''] = (request.headers.authorization ?? '').split('.');
  if (claims === '') return [];
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { access: { name: string; actions: string[] }[] })
    .access;
}

/**
 * The part of a registry that the service uses, in memory: for tests that must also run without a real one, and for
 * behavior that a real one shows only when it is broken.
 */
export class SmallRegistry {
  readonly #images = new Map<string, Images>();
  /** `METHOD /path` of each request. */
  readonly requests: string[] = [];
  /** What it does instead of answering. */
  trouble: 'none' | 'error' | 'nonsense' | 'cut' = 'none';
  /** Called with each request before it is answered. */
  meanwhile: (() => Promise<void>) | null = null;

  private constructor(private readonly server: Server) {}

  /** Starts one that the app is configured with. It ends with the process. */
  static async start(app: TestApp): Promise<SmallRegistry> {
    const server = createServer();
    const registry = new SmallRegistry(server);
    server.on('request', (request, response) => void registry.#answer(request, response));
    server.listen(0, '127.0.0.1').unref();
    await once(server, 'listening');
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    app.services.config.registry = { url: 'https://registry.test', apiUrl };
    return registry;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  #of(path: string): Images {
    const images = this.#images.get(path) ?? { tags: new Map(), manifests: new Map(), blobs: new Map() };
    this.#images.set(path, images);
    return images;
  }

  /** Adds images with these tags and build time; returns the notifications that a registry would send. */
  add(path: string, tags: readonly string[], { created = '2024-01-01T00:00:00Z', content = 'image' } = {}) {
    const { tags: all, manifests, blobs } = this.#of(path);
    const config = JSON.stringify({ created, content });
    blobs.set(getDigest(config), config);
    const references = [
      { digest: getDigest(config), size: config.length },
      { digest: getDigest(content), size: 1000 },
    ];
    const [first, ...layers] = references;
    const manifest = JSON.stringify({ schemaVersion: 2, mediaType: IMAGE, config: first, layers });
    manifests.set(getDigest(manifest), manifest);
    for (const tag of tags) all.set(tag, getDigest(manifest));
    const { length: size } = manifest;
    const target = { mediaType: IMAGE, repository: path, digest: getDigest(manifest), size, references };
    return tags.map((tag) => ({ action: 'push', target: { ...target, tag } }));
  }

  /** Names of the tags that are left. */
  tagsOf = (path: string): string[] => [...this.#of(path).tags.keys()].toSorted();

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const { pathname } = new URL(url, 'http://registry.test');
    this.requests.push(`${method} ${pathname}`);
    await this.meanwhile?.();
    if (this.trouble === 'cut') return void request.socket.destroy();
    const send = (status: number, text = '', headers: Record<string, string> = {}) =>
      response.writeHead(status, headers).end(text);
    if (this.trouble === 'error') return void send(500, 'broken');
    if (this.trouble === 'nonsense') return void send(200, '<html>');
    const [, path = '', kind, rest = ''] =
      /^\/v2\/(.+)\/(tags|manifests|blobs)\/(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
    if (!grantedBy(request).some(({ name }) => name === path)) return void send(401);
    const images = this.#of(path);
    const body = await getBody(request);
    if (kind === 'tags') send(200, JSON.stringify({ name: path, tags: [...images.tags.keys()] }));
    else if (kind === 'blobs') this.#blob(images, `${method} ${rest}`, body, url, send);
    else this.#manifest(images, method, rest, body, send);
  }

  #blob(
    { blobs }: Images,
    request: string,
    body: string,
    url: string,
    send: (status: number, text?: string, headers?: Record<string, string>) => void,
  ): void {
    if (request === 'POST uploads/') return send(202, '', { Location: `https://registry.test${url}one?_state=x` });
    if (request.startsWith('PUT')) {
      blobs.set(getDigest(body), body);
      return send(201);
    }
    const found = blobs.get(request.slice('GET '.length));
    if (found === undefined) send(404);
    else send(200, found);
  }

  #manifest(
    { tags, manifests }: Images,
    method: string,
    reference: string,
    body: string,
    send: (status: number, text?: string, headers?: Record<string, string>) => void,
  ): void {
    if (method === 'PUT') {
      manifests.set(getDigest(body), body);
      tags.set(reference, getDigest(body));
      return send(201);
    }
    const digest = tags.get(reference) ?? reference;
    const found = manifests.get(digest);
    if (found === undefined) return send(404);
    if (method !== 'DELETE') return send(200, found, { 'Docker-Content-Digest': digest, 'Content-Type': IMAGE });
    manifests.delete(digest);
    for (const [name, of] of tags) if (of === digest) tags.delete(name);
    send(202);
  }
}

const started = new WeakMap<TestApp, Promise<SmallRegistry>>();

/** The registry configured for an app, started on first use. */
export function getSmallRegistry(app: TestApp): Promise<SmallRegistry> {
  const registry = started.get(app) ?? SmallRegistry.start(app);
  started.set(app, registry);
  return registry;
}

/** Sends the notifications of a registry. */
export async function notify(app: TestApp, events: unknown, secret?: string): Promise<Response> {
  const { notificationSecret } = await loadRegistryKey(app.context());
  return fetch(`${app.url}/jwt/notifications`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${secret ?? notificationSecret}`,
      'Content-Type': 'application/vnd.docker.distribution.events.v1+json',
    },
    body: JSON.stringify(events),
  });
}

/** A repository with images, as known to the service after the registry's notification. @returns its id */
export async function pushed(app: TestApp, path: string, tags: readonly string[], image = {}): Promise<number> {
  const registry = await getSmallRegistry(app);
  await notify(app, { events: registry.add(path, tags, image) });
  const { rows } = await app.services.db.pool.query<{ id: string }>(
    'select id from container_repositories where path = $1',
    [path],
  );
  return Number(rows[0]?.id);
}
