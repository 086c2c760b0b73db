import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { connect, isIPv6 } from 'node:net';
import type { Context } from '../../core/context/context.js';
import type { RemoteRepository } from '../../git/index.js';
import { addressesToAsk, firstToAnswer, OutboundRejectedError } from '../../core/network/outbound.js';
import { decoded, importUrlProblem } from '../../tenancy/projects/import-url.js';

/** A remote repository is unavailable. The message is for the user and contains no secret. */
export class RemoteUnavailable extends Error {}

export const UNREACHABLE = 'Unable to access repository with the URL and credentials provided';
const MOST_REDIRECTS = 5;
const TIMEOUT_MS = 30_000;
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443, 'git:': 9418 };
const ANNOUNCEMENT = '/info/refs?service=git-upload-pack';

interface Credentials {
  username: string;
  password: string;
}

interface Answer {
  address: string;
  status: number;
  type: string;
  location: string | null;
}

const basic = ({ username, password }: Credentials) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

const withoutCredentials = (url: URL): URL => Object.assign(new URL(url), { username: '', password: '' });
const getCredentials = ({ username, password }: URL): Credentials | null =>
  username === '' && password === '' ? null : { username: decoded(username), password: decoded(password) };

/** Sends git's first request to one address. Reads only the beginning of the response. */
function ask(url: URL, address: string, credentials: Credentials | null, timeoutMs: number): Promise<Answer> {
  const family = isIPv6(address) ? 6 : 4;
  const lookup: LookupFunction = (_host, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family);
  const headers = { 'User-Agent': 'git/2.0 (capstan)', ...(credentials ? { Authorization: basic(credentials) } : {}) };
  return new Promise((resolve, reject) => {
    const options = { lookup, headers, agent: false, signal: AbortSignal.timeout(timeoutMs) };
    const request = (url.protocol === 'https:' ? https : http).get(url, options, (answer) => {
      const { statusCode: status = 0, headers: responseHeaders } = answer;
      resolve({
        address,
        status,
        type: responseHeaders['content-type'] ?? '',
        location: responseHeaders.location ?? null,
      });
      answer.destroy();
    });
    request.on('error', reject);
  });
}

/** The target of a server's redirect: the URL before `/info/refs`, in the form that git expects. */
function nextLocation(ctx: Context, from: URL, location: string | null): URL {
  const next = location !== null && URL.canParse(location, from.href) ? new URL(location, from) : null;
  const downgraded = from.protocol === 'https:' && next?.protocol !== 'https:';
  if (!next || downgraded || !next.href.endsWith(ANNOUNCEMENT)) throw new RemoteUnavailable(UNREACHABLE);
  const remote = new URL(next.href.slice(0, -ANNOUNCEMENT.length));
  if (importUrlProblem(ctx, remote.href) !== null) throw new RemoteUnavailable(UNREACHABLE);
  return withoutCredentials(remote);
}

/** Pins git to the checked address, whatever the host name resolves to by then. */
function pinned(url: URL, host: string, credentials: Credentials | null): RemoteRepository {
  const port = Number(url.port || DEFAULT_PORTS[url.protocol]);
  const settings: Record<string, string> = {};
  if (credentials) settings['http.extraHeader'] = `Authorization: ${basic(credentials)}`;
  return { url: url.href, address: { host, port }, extras: { settings } };
}

async function locateHttp(ctx: Context, source: URL, timeoutMs: number): Promise<RemoteRepository> {
  let url = withoutCredentials(source);
  let credentials = getCredentials(source);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const base = url.href.replace(/\/+$/, '');
    const question = new URL(base + ANNOUNCEMENT);
    const login = credentials;
    const { address, status, type, location } = await firstToAnswer(await addressesToAsk(ctx, url), (each) =>
      ask(question, each, login, timeoutMs),
    );
    if (status >= 300 && status < 400) {
      const next = nextLocation(ctx, url, location);
      // A password must only be sent to the host that it was specified for.
      if (next.hostname !== url.hostname) credentials = null;
      url = next;
      continue;
    }
    if (status !== 200 || !type.startsWith('application/x-git-upload-pack-advertisement')) break;
    return pinned(new URL(base), address, credentials);
  }
  throw new RemoteUnavailable(UNREACHABLE);
}

/** Connects to an address to check that a server is listening. */
function reach(host: string, port: number, timeout: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout }, () => {
      socket.destroy();
      resolve(host);
    });
    socket.on('timeout', () => socket.destroy(new Error(`${host} does not answer`)));
    socket.on('error', reject);
  });
}

async function locateGit(ctx: Context, url: URL, timeoutMs: number): Promise<RemoteRepository> {
  const port = Number(url.port || DEFAULT_PORTS['git:']);
  const address = await firstToAnswer(await addressesToAsk(ctx, url), (each) => reach(each, port, timeoutMs));
  return pinned(withoutCredentials(url), address, null);
}

/**
 * Locates the repository behind a user's URL: follows its redirects, checks each host's addresses before connecting,
 * and returns how git reaches that exact address. URL rules are checked again, because settings and DNS records change.
 * @param silenceMs timeout in milliseconds for a silent server; never more than half a minute
 * @throws RemoteUnavailable with a message for the user
 */
export async function locateRemote(ctx: Context, url: URL, silenceMs = TIMEOUT_MS): Promise<RemoteRepository> {
  const problem = importUrlProblem(ctx, url.href);
  if (problem) throw new RemoteUnavailable(`The import URL ${problem}`);
  try {
    const timeoutMs = Math.min(silenceMs, TIMEOUT_MS);
    return await (url.protocol === 'git:' ? locateGit(ctx, url, timeoutMs) : locateHttp(ctx, url, timeoutMs));
  } catch (error) {
    if (error instanceof OutboundRejectedError)
      throw new RemoteUnavailable(`The import URL is blocked: ${error.message}`);
    if (error instanceof RemoteUnavailable) throw error;
    ctx.log.info({ err: error, host: url.host }, 'remote repository does not answer');
    throw new RemoteUnavailable(UNREACHABLE);
  }
}
