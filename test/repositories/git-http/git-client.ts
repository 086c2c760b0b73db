import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { TestApp } from '../../core/app.js';
import { temporaryFolder } from '../../git/git-fixture.js';

interface GitResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** How git is run: credentials, settings and environment. */
interface Asking {
  /** `user:password`, for the URL; the token of a built user goes in as `x:token`. */
  as?: string | { token: string } | undefined;
  /** `-c key=value` for each. */
  settings?: Record<string, string>;
  variables?: Record<string, string>;
  cwd?: string;
  signal?: AbortSignal;
}

/** Runs the git program as a person on another machine would: with nothing of this one's settings. */
export function git(args: readonly string[], { settings = {}, variables = {}, cwd, signal }: Asking = {}) {
  const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  return new Promise<GitResult>((resolve, reject) => {
    const child = spawn('git', [...options, ...args], {
      env: {
        PATH: process.env.PATH,
        HOME: '/nonexistent',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_TERMINAL_PROMPT: '0',
        LC_ALL: 'C',
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
      ...(signal ? { signal } : {}),
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** The URL of a project for git, with credentials. */
export function getUrl(
  app: Pick<TestApp, 'url'>,
  project: { full_path: string } | string,
  as?: Asking['as'],
  end = '.git',
): string {
  const url = new URL(`${app.url}/${typeof project === 'string' ? project : project.full_path}${end}`);
  const [username = '', ...password] = (typeof as === 'object' ? `x:${as.token}` : (as ?? '')).split(':');
  url.username = encodeURIComponent(username);
  url.password = encodeURIComponent(password.join(':'));
  return url.href;
}

/** Lists the refs of a project. */
export const lsRemote = (app: Pick<TestApp, 'url'>, project: { full_path: string } | string, asking: Asking = {}) =>
  git(['ls-remote', getUrl(app, project, asking.as)], asking);

/** Clones into a new folder, with optional arguments; returns the folder, for further commands, and git's output. */
export async function clone(
  t: ExecutionContext,
  app: Pick<TestApp, 'url'>,
  project: { full_path: string } | string,
  asking: Asking & { options?: readonly string[]; end?: string } = {},
) {
  const folder = join(await temporaryFolder(t), 'clone');
  const url = getUrl(app, project, asking.as, asking.end);
  const result = await git(['clone', '--quiet', ...(asking.options ?? []), url, folder], asking);
  const inside = async (...args: string[]) => {
    const { code, stdout, stderr } = await git(['-C', folder, ...args], asking);
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  return { ...result, folder, inside };
}

/** Basic credentials as a header. */
export const basic = (username: string, password: string): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
});

/** A line of git's protocol. */
export const pkt = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
