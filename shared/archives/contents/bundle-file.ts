import { GitFailed, openBundle, RepositoryMissing } from '../../git/index.js';
import type { Repository } from '../../git/index.js';
import type { PackedFile } from './pack.js';
import { Spool } from './spool.js';

/** A repository without refs, or that was removed since: there is no bundle of it. */
const isNothing = (error: unknown): boolean =>
  error instanceof RepositoryMissing || (error instanceof GitFailed && error.stderr.includes('empty bundle'));

/** A repository with all its refs as a bundle of this name; nothing where it has no refs, or is gone. */
export async function* bundleFile(repository: Repository, name: string): AsyncGenerator<PackedFile> {
  const spool = new Spool();
  try {
    for await (const piece of await openBundle(repository)) await spool.write(piece as Buffer);
    yield { name, bytes: spool.bytes, content: await spool.content() };
  } catch (error) {
    if (!isNothing(error)) throw error;
  } finally {
    await spool.close();
  }
}
