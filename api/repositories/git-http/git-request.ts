import type { Context as KoaContext } from 'koa';

const SERVICES = ['git-upload-pack', 'git-receive-pack'] as const;
type GitService = (typeof SERVICES)[number];

/** A git request, as parsed from its URL. */
export interface GitRequest {
  /** Of the project, decoded once, without `.git`; whatever was sent. */
  fullPath: string;
  /** The requested endpoint; `dumb` for requests that only a file server would answer. */
  rest: 'info/refs' | GitService | 'dumb';
  service: GitService;
}

/**
 * Paths that the dumb protocol requests below a repository's directory. Git LFS is a different protocol, which is not
 * served.
 */
const FILES = /^(?<path>\/.+?)\.git\/(?:HEAD|objects\/.*|info\/(?!lfs\/).*)$/;
const ENDS = ['/info/refs', '/git-upload-pack', '/git-receive-pack'] as const;

/** A path without slash and `.git`, decoded once; what cannot be decoded is no project's. */
function getFullPath(path: string): string {
  try {
    return decodeURIComponent(path.slice(1).replace(/\.git$/, ''));
  } catch {
    return '';
  }
}

const getService = (name: unknown) => SERVICES.find((service) => service === name);

/** Parses a git request; null for other requests. */
export function matchGit(koa: KoaContext): GitRequest | null {
  const { path } = koa;
  const end = ENDS.find((ending) => path.endsWith(ending));
  if (!end) {
    const files = FILES.exec(path);
    return files ? { fullPath: getFullPath(files.groups!.path!), rest: 'dumb', service: 'git-upload-pack' } : null;
  }
  const before = path.slice(0, -end.length);
  const fullPath = getFullPath(before);
  const rest = end.slice(1) as Exclude<GitRequest['rest'], 'dumb'>;
  const service = getService(rest === 'info/refs' ? koa.query.service : rest);
  if (service) return { fullPath, rest, service };
  // Without a service it is the dumb protocol, or no request of git at all.
  return before.endsWith('.git') || 'service' in koa.query
    ? { fullPath, rest: 'dumb', service: 'git-upload-pack' }
    : null;
}

/** The requested protocol version after version 0, parsed as by git's own server: the highest requested one. */
export function getGitProtocol(koa: KoaContext): string | null {
  const versions = koa.get('git-protocol').slice(0, 256).split(':');
  return ['version=2', 'version=1'].find((version) => versions.includes(version)) ?? null;
}
