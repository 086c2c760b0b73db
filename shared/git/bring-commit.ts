import { memoryOptions } from './environment.js';
import type { Repository } from './lanes.js';
import { requireSha } from './object-ids.js';
import { runGit } from './run.js';

/**
 * Brings a commit (full id) with all that it leads to from the repository at path `source`. It moves no ref: have one
 * lead there within two weeks. Throws GitFailed where the source lacks it.
 */
export async function bringCommit(repository: Repository, source: string, sha: string): Promise<void> {
  const args = [
    'fetch',
    '--quiet',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--no-tags',
    // The process that reads the source starts without our settings, of which it needs these.
    `--upload-pack=git -c 'safe.directory=*' -c uploadpack.allowAnySHA1InWant=true ${memoryOptions} upload-pack`,
    '--',
    source,
    requireSha(sha),
  ];
  await runGit(repository, args, { lane: 'write', timeoutMs: 120_000 });
}
