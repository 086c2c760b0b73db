import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { Limiter } from '../values/limiter.js';
import { isObjectKey, ObjectMissing, StoreUnavailable } from './object-store.js';
import type { S3Settings } from '../values/config.js';
import type { ByteRange, ListedObject, ObjectStore } from './object-store.js';
import { splitIntoParts } from './parts.js';

/** The least that a part may have but for the last one; held in memory by each upload. 10,000 of them are 50 GB. */
const PART_BYTES = 5 * 1024 * 1024;
const REMOVED_AT_ONCE = 8;
/** Two tries of these end within a minute. */
const TIMES = { connectionTimeout: 5_000, requestTimeout: 20_000, socketTimeout: 25_000 };

const isAbsent = (error: unknown): boolean =>
  error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.$metadata.httpStatusCode === 404);

const isFull = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 507;

/** Translates the error of a failed call for the service. */
function translateError(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (isFull(error)) return Object.assign(new Error('The object store is full', { cause: error }), { code: 'ENOSPC' });
  return new StoreUnavailable({ cause: error });
}

/** The object store in a bucket of S3, or of what speaks its protocol. */
export class S3Store implements ObjectStore {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor({ endpoint, region, bucket, keys }: S3Settings) {
    this.#bucket = bucket;
    this.#client = new S3Client({
      region,
      ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
      ...(keys ? { credentials: { accessKeyId: keys.id, secretAccessKey: keys.secret } } : {}),
      maxAttempts: 2,
      requestHandler: { ...TIMES, throwOnRequestTimeout: true },
      // Not all that speak the protocol know the newer checksums; lengths and TLS guard the way.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async put(key: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void> {
    const target = { Bucket: this.#bucket, Key: this.#checked(key) };
    const options = signal ? { abortSignal: signal } : {};
    const parts = splitIntoParts(content, PART_BYTES);
    const first = await parts.next();
    const Body = first.value ?? new Uint8Array();
    if (Body.length < PART_BYTES) {
      await this.#call(signal, () => this.#client.send(new PutObjectCommand({ ...target, Body }), options));
      return;
    }
    const { UploadId } = await this.#call(signal, () =>
      this.#client.send(new CreateMultipartUploadCommand(target), options),
    );
    const upload = { ...target, UploadId };
    try {
      const done: { ETag: string | undefined; PartNumber: number }[] = [];
      for (let part: Uint8Array | undefined = Body; part; part = (await parts.next()).value) {
        const sent = { ...upload, PartNumber: done.length + 1, Body: part };
        const { ETag } = await this.#call(signal, () => this.#client.send(new UploadPartCommand(sent), options));
        done.push({ ETag, PartNumber: sent.PartNumber });
      }
      const whole = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: done } });
      await this.#call(signal, () => this.#client.send(whole, options));
    } catch (error) {
      // What cannot be ended now the sweep ends.
      await this.#client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
      throw error;
    }
  }

  async get(key: string, range?: ByteRange, signal?: AbortSignal) {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: this.#checked(key), Range });
    const found = await this.#client.send(command, signal ? { abortSignal: signal } : {}).catch((error: unknown) => {
      throw isAbsent(error) ? new ObjectMissing(key) : translateError(error, signal);
    });
    const total = found.ContentRange?.split('/')[1];
    if (range && !found.ContentRange?.startsWith(`bytes ${range.start}-${range.end}/`)) {
      (found.Body as Readable).destroy();
      throw new StoreUnavailable({ cause: new Error(`The store answered ${Range} with ${found.ContentRange}`) });
    }
    return { content: found.Body as Readable, bytes: total === undefined ? (found.ContentLength ?? 0) : Number(total) };
  }

  async remove(keys: readonly string[]): Promise<void> {
    const removeOne = (key: string) =>
      this.#call(undefined, () =>
        this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: this.#checked(key) })),
      ).catch((error: unknown) => {
        if (!(error instanceof StoreUnavailable && isAbsent(error.cause))) throw error;
      });
    await new Limiter({ capacity: REMOVED_AT_ONCE }).map(keys, removeOne);
  }

  async *list(): AsyncGenerator<readonly ListedObject[]> {
    let ContinuationToken: string | undefined;
    do {
      const command = new ListObjectsV2Command({ Bucket: this.#bucket, ContinuationToken });
      const page = await this.#call(undefined, () => this.#client.send(command));
      yield (page.Contents ?? []).flatMap(({ Key: key = '', LastModified: writtenAt }) =>
        writtenAt && isObjectKey(key) ? [{ key, writtenAt }] : [],
      );
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  async sweepUnfinished(time: Date): Promise<number> {
    const listing = new ListMultipartUploadsCommand({ Bucket: this.#bucket });
    const { Uploads = [] } = await this.#client.send(listing).catch((error: unknown) => {
      // Not all S3-compatible stores list unfinished uploads; those clean them up in other ways.
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 501) return { Uploads: [] };
      throw translateError(error);
    });
    const old = Uploads.filter(({ Initiated }) => Initiated && Initiated < time);
    for (const { Key, UploadId } of old) {
      const command = new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId });
      await this.#call(undefined, () => this.#client.send(command));
    }
    return old.length;
  }

  close(): Promise<void> {
    this.#client.destroy();
    return Promise.resolve();
  }

  #checked(key: string): string {
    if (!isObjectKey(key)) throw new ObjectMissing(key);
    return key;
  }

  async #call<R>(signal: AbortSignal | undefined, call: () => Promise<R>): Promise<R> {
    try {
      return await call();
    } catch (error) {
      throw translateError(error, signal);
    }
  }
}
