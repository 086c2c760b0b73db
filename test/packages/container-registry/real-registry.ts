import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadRegistryKey } from '../../../shared/packages/container-registry/registry-key.js';
import { REGISTRY_ISSUER, REGISTRY_SERVICE } from '../../../shared/packages/container-registry/registry-token.js';
import type { TestApp } from '../../core/app.js';
import { eventually } from '../../core/processes.js';

const isInstalled = (command: string) => spawnSync(command, ['--version']).error === undefined;

/** Whether Debian's `docker-registry` and `skopeo` are here. */
export const hasRegistry = isInstalled('docker-registry') && isInstalled('skopeo');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const getConfig = (app: TestApp, directory: string, port: number, secret: string) => `
version: 0.1
log:
  level: error
storage:
  filesystem:
    rootdirectory: ${directory}/data
  delete:
    enabled: true
http:
  addr: 127.0.0.1:${port}
auth:
  token:
    realm: ${app.url}/jwt/auth
    service: ${REGISTRY_SERVICE}
    issuer: ${REGISTRY_ISSUER}
    rootcertbundle: ${directory}/registry.crt
notifications:
  events:
    includereferences: true
  endpoints:
    - name: capstan
      url: ${app.url}/jwt/notifications
      timeout: 5s
      threshold: 5
      backoff: 1s
      headers:
        Authorization: [Bearer ${secret}]
`;

/** A registry as Debian has it, which the app is configured with. */
export class RealRegistry {
  private constructor(
    readonly host: string,
    readonly directory: string,
    private readonly child: ReturnType<typeof spawn>,
  ) {}

  static async start(app: TestApp): Promise<RealRegistry> {
    const { certificate, notificationSecret } = await loadRegistryKey(app.context());
    const directory = mkdtempSync(path.join(tmpdir(), 'capstan-registry-'));
    const port = await freePort();
    writeFileSync(path.join(directory, 'registry.crt'), certificate);
    writeFileSync(path.join(directory, 'config.yml'), getConfig(app, directory, port, notificationSecret));
    const child = spawn('docker-registry', ['serve', path.join(directory, 'config.yml')], { stdio: 'ignore' });
    const url = `http://127.0.0.1:${port}`;
    app.services.config.registry = { url, apiUrl: url };
    const started = new RealRegistry(`127.0.0.1:${port}`, directory, child);
    try {
      await eventually(async () => (await fetch(`${url}/v2/`).catch(() => null))?.status === 401);
      return started;
    } catch (error) {
      await started.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      this.child.kill();
      await once(this.child, 'exit');
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The output and exit code of a command. */
export interface Said {
  code: number | null;
  text: string;
}

/** Runs skopeo on images over plain HTTP. */
export async function skopeo(...args: string[]): Promise<Said> {
  const child = spawn('skopeo', ['--insecure-policy', ...args], { env: { ...process.env, HOME: tmpdir() } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (text += piece.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}

const getDigest = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

/**
 * An image of one layer, as skopeo's `dir:` has it.
 * @param parent the directory that it is made in
 * @returns its directory, and the bytes of its manifest, configuration and layer
 */
export function makeImage(
  parent: string,
  content: string,
  created: string,
): { from: string; bytes: number; layer: number } {
  const directory = mkdtempSync(path.join(parent, 'image-'));
  const write = (name: string, bytes: Buffer | string) => writeFileSync(path.join(directory, name), bytes);
  // A tar archive without an entry, with something of its own behind its end.
  const plain = Buffer.concat([Buffer.alloc(1024), Buffer.from(content)]);
  const layer = gzipSync(plain);
  const config = JSON.stringify({
    architecture: 'amd64',
    os: 'linux',
    created,
    config: {},
    rootfs: { type: 'layers', diff_ids: [`sha256:${getDigest(plain)}`] },
  });
  const part = (mediaType: string, bytes: Buffer | string) => ({
    mediaType,
    size: Buffer.byteLength(bytes),
    digest: `sha256:${getDigest(bytes)}`,
  });
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
    config: part('application/vnd.docker.container.image.v1+json', config),
    layers: [part('application/vnd.docker.image.rootfs.diff.tar.gzip', layer)],
  });
  write('version', 'Directory Transport Version: 1.1\n');
  write('manifest.json', manifest);
  write(getDigest(config), config);
  write(getDigest(layer), layer);
  return { from: `dir:${directory}`, bytes: manifest.length + config.length + layer.length, layer: layer.length };
}
