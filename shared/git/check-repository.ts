import { runGit } from './run.js';

/**
 * Whether everything that the refs of a repository lead to is there; contents are not read.
 * @returns what git says is missing, cut; null when all is well
 * @throws RepositoryMissing, GitMissing, GitTimeout
 */
export async function missingObjects(path: string, timeoutMs: number): Promise<string | null> {
  const { exitCode, stdout, stderr } = await runGit(
    path,
    ['fsck', '--connectivity-only', '--no-dangling', '--no-progress'],
    {
      timeoutMs,
      exitCodes: Array.from({ length: 129 }, (_, code) => code),
      maxBytes: 4096,
      cutOutput: true,
    },
  );
  if (exitCode === 0) return null;
  return `${stdout.toString('utf8')}${stderr}`.trim().split('\n', 1)[0]?.slice(0, 200) || `exit code ${exitCode}`;
}
