import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { GitFailed, InvalidGitInput } from './errors.js';
import type { Repository } from './pools.js';
import type { ObjectType } from './objects.js';
import { runGit } from './run.js';

export interface NewObject {
  sha: string;
  type: ObjectType;
  content: Buffer;
}

const compress = promisify(deflate);
const typeNumbers: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const mostLooseObjects = 100;

/** An object that is not stored yet, with the id that git will give it. */
export function newObject(type: ObjectType, content: Buffer): NewObject {
  const sha = createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
  return { sha, type, content };
}

/**
 * What housekeeping does to a process beside it: an empty folder of objects is removed between its creation and its
 * first file, or a pack is replaced twice between its listing and its opening.
 */
const BESIDE_HOUSEKEEPING =
  /unable to create temporary file: No such file|object of unexpected type|packfile .* cannot be/;
const MOST_ATTEMPTS = 6;

/**
 * Stores objects through one process that checks them as a push would be checked (`fsck`, and that everything they
 * name exists). They are handed over as a pack, the one format in which git takes different objects at once.
 * Touches no ref and no shared file, so any number of calls may run on one repository. Throws InvalidGitInput.
 */
export async function storeObjects(repository: Repository, objects: NewObject[]): Promise<void> {
  const distinct = [...new Map(objects.map((object) => [object.sha, object])).values()];
  const few = distinct.length <= mostLooseObjects;
  const args = few ? ['unpack-objects', '-q', '--strict'] : ['index-pack', '--stdin', '--strict'];
  const input = await getPack(distinct);
  const store = async (attempt = 1): Promise<void> => {
    try {
      await runGit(repository, args, { input, pool: 'write', timeoutMs: 120_000 });
    } catch (error) {
      if (!(error instanceof GitFailed && BESIDE_HOUSEKEEPING.test(error.stderr)) || attempt === MOST_ATTEMPTS)
        throw error;
      await store(attempt + 1);
    }
  };
  try {
    await store();
  } catch (error) {
    const rejection = error instanceof GitFailed && /fsck error|^error: object|strict|Broken/m.exec(error.stderr);
    throw rejection ? new InvalidGitInput(`git refused an object: ${error.stderr.trim().slice(0, 300)}`) : error;
  }
}

async function getPack(objects: NewObject[]): Promise<Buffer> {
  const head = Buffer.alloc(12);
  head.write('PACK');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const parts: Buffer[] = [head];
  for (const { type, content } of objects) {
    // git compresses it again when it stores it: low effort is enough here.
    parts.push(entryHeader(typeNumbers[type], content.length), await compress(content, { level: 1 }));
  }
  const digest = createHash('sha1');
  for (const part of parts) digest.update(part);
  return Buffer.concat([...parts, digest.digest()]);
}

/** Type and size: 4 bits of the size next to the type, then 7 per byte, lowest first; the top bit means "more". */
function entryHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 128;
    bytes.push(rest & 127);
  }
  return Buffer.from(bytes);
}
