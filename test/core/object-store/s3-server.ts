import { createRequire } from 'node:module';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { S3Settings } from '../../../shared/core/values/config.js';

interface Server {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}

// It comes without types.
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => Server;

/** A server that speaks S3, with a folder of its own. */
export class S3Server {
  #bucketCount = 0;

  private constructor(
    private readonly server: Server,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** @param buckets number of buckets available, one per {@link S3Server.take} */
  static async start(buckets = 10): Promise<S3Server> {
    const folder = await mkdtemp(path.join(tmpdir(), 'capstan-s3-'));
    const configureBuckets = Array.from({ length: buckets }, (_value, index) => ({ name: `bucket-${index}` }));
    const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: folder, configureBuckets });
    const { port } = await server.run();
    return new S3Server(server, folder, port);
  }

  /** An empty bucket that no other test uses. */
  take(): S3Settings {
    const bucket = `bucket-${this.#bucketCount}`;
    this.#bucketCount += 1;
    const endpoint = `http://127.0.0.1:${this.port}`;
    return { endpoint, region: 'us-east-1', bucket, keys: { id: 'S3RVER', secret: 'S3RVER' } };
  }

  async stop(): Promise<void> {
    await this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
