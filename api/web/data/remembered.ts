/**
 * A request of a page to the API. Headers are not kept, as they hold what proves who calls, and of JSON no value that is
 * a secret.
 */
export interface Sent {
  /** The path of the page. */
  page: string;
  method: string;
  /** From this service's root on. */
  url: string;
  body: string | null;
  status: number;
  /** Milliseconds until the answer began. */
  ms: number;
  /** What was read; the answers to changes, in which new tokens are, are not kept. */
  answer: Response | null;
}

/** The last requests, the newest first. */
export const sent: Sent[] = [];

const MOST = 30;

const SECRET = /password|token|secret|credential|import_url|^value$/i;

/** For the parsing of JSON: takes out what is, or may be, a secret, by its name. */
export const withoutSecrets = (name: string, value: unknown): unknown =>
  SECRET.test(name) && typeof value === 'string' ? '[hidden]' : value;

/** Sends a request as `fetch` does, and remembers it for who wants to see the calls behind a page. */
export async function remembered(request: Request): Promise<Response> {
  const began = performance.now();
  const { method, url } = request;
  // Pages send JSON alone this way: files go by `upload`.
  const text = await request.text();
  // A body that was read is given anew: of one that is cloned the browser's own tools show nothing.
  const response = await fetch(text ? new Request(request, { method, body: text }) : request);
  sent.unshift({
    page: location.pathname,
    method,
    url: url.slice(location.origin.length),
    body: text ? JSON.stringify(JSON.parse(text, withoutSecrets)) : null,
    status: response.status,
    ms: Math.round(performance.now() - began),
    answer: method === 'GET' || text.startsWith('{"query":"query') ? response.clone() : null,
  });
  sent.length = Math.min(sent.length, MOST);
  return response;
}
